use super::*;

/// Feeds the text in chunks of that size. Returns the documents with their bytes.
fn read_in(text: &str, size: usize) -> Result<Vec<(String, Vec<u8>)>, FieldError> {
    let mut reader = Reader::new();
    let mut decoded = Vec::new();
    for piece in text.as_bytes().chunks(size) {
        reader.feed(piece, &mut decoded)?;
    }
    reader.finish()?;
    let mut documents = Vec::new();
    let mut bytes = Vec::new();
    for decoded in decoded {
        match decoded {
            Decoded::Content(more) => bytes.extend(more),
            Decoded::Document(name) => documents.push((name, std::mem::take(&mut bytes))),
        }
    }
    Ok(documents)
}

/// The same in every size: where a text is cut must not matter.
fn read(text: &str) -> Result<Vec<(String, Vec<u8>)>, FieldError> {
    let whole = read_in(text, usize::MAX);
    for size in 1..text.len().min(20) {
        assert_eq!(read_in(text, size), whole, "in pieces of {size}: {text}");
    }
    whole
}

#[test]
fn reads_documents_in_any_order_of_members() {
    let text = r#" [ {"name":"a.pdf","content":"aG9sYQ=="} , {"content":"bXVuZG8h", "name":"b.pdf"} ] "#;
    assert_eq!(
        read(text),
        Ok(vec![
            ("a.pdf".into(), b"hola".to_vec()),
            ("b.pdf".into(), b"mundo!".to_vec())
        ])
    );
    assert_eq!(read("[]"), Ok(vec![]));
}

#[test]
fn undoes_escapes() {
    let text = r#"[{"name":"\u00d1\ud83d\ude00\"\\.pdf","content":"\/\/\/\u002B\r\nAAAA"}]"#;
    assert_eq!(
        read(text),
        Ok(vec![("Ñ😀\"\\.pdf".into(), vec![0xff, 0xff, 0xfe, 0, 0, 0])])
    );
}

#[test]
fn ignores_unknown_members() {
    let text = r#"[{"x":{"y":["]",{}]},"n":-1.5e3,"t":true,"name":"a","z":null,"content":""}]"#;
    assert_eq!(read(text), Ok(vec![("a".into(), vec![])]));
    let nested =
        r#" [ 1 , -2.5e1, true,null , "\u00f1,]" , [ ] , { "b" : [ { } , { "name" : 1 } ] , "c" : { } } ] "#;
    let text = format!(r#"[{{"x":{nested},"name":"a","content":""}}]"#);
    assert_eq!(read(&text), Ok(vec![("a".into(), vec![])]));
    let long = format!(r#"[{{"x":[{}1],"name":"a","content":""}}]"#, "1,".repeat(50_000));
    assert_eq!(read_in(&long, 999), Ok(vec![("a".into(), vec![])]));
}

#[test]
fn refuses_what_is_not_such_a_list() {
    for text in [
        "",
        "{",
        "[",
        "[1]",
        "[{",
        r#"[{"name":1,"content":""}]"#,
        r#"[{"name":"a","content":null}]"#,
        "[] x",
        r#"[{"name":"a","content":"" "x":1}]"#,
        r#"[{"name":"a","content":"","x":tru}]"#,
        "[,]",
        r#"[{"name":"a","content":""},]"#,
        r#"[{"name":"\x","content":""}]"#,
        r#"[{"name":"\ud800x","content":""}]"#,
        r#"[{"name":"a","content":"","x":[}]}]"#,
    ] {
        assert_eq!(read(text), Err(FieldError::NotJson), "{text}");
    }
    for nested in [
        "[;;; 1 2 nonsense]",
        "[1 2]",
        "[1,]",
        "[,1]",
        "[tru]",
        "[01]",
        r#"["a" "b"]"#,
        r#"["a":1]"#,
        "[1}",
        "[}",
        "{]",
        "{1:2}",
        "{a:1}",
        r#"{"a"}"#,
        r#"{"a":}"#,
        r#"{"a":]}"#,
        r#"{"a" 1}"#,
        r#"{"a":1,}"#,
        r#"{"a":1 "b":2}"#,
        r#"{"a":1,,"b":2}"#,
        r#"{"a":[{"b":1]}"#,
    ] {
        let text = format!(r#"[{{"name":"a","content":"","x":{nested}}}]"#);
        assert_eq!(read(&text), Err(FieldError::NotJson), "{text}");
    }
    for text in [r#"[{"name":"a"}]"#, r#"[{"content":""}]"#, "[{}]"] {
        assert_eq!(read(text), Err(FieldError::Missing), "{text}");
    }
    let deep = format!(r#"[{{"x":{}"#, "[".repeat(5000));
    assert_eq!(read_in(&deep, 999), Err(FieldError::NotJson));
    let twice = r#"[{"name":"a","content":"","content":""}]"#;
    assert_eq!(read(twice), Err(FieldError::RepeatedMember));
}

#[test]
fn refuses_what_is_not_base64() {
    for content in [
        "A",
        "AA=",
        "A===",
        "AAAA=",
        "AA==AAAA",
        "AA=A",
        "AAAAA",
        "é",
        "data:",
        "data:a",
        "dat:AAAA",
        "xdata:,AAAA",
    ] {
        let text = format!(r#"[{{"name":"a","content":"{content}"}}]"#);
        assert_eq!(read(&text), Err(FieldError::NotBase64), "{content}");
    }
}

#[test]
fn takes_base64_as_clients_write_it() {
    let bytes = [0xfb, 0xef, 0xff, 0x00];
    for content in [
        "++//AA==",
        "++//AA",
        "--__AA==",
        "--__AA",
        "+-_/AA",
        " ++ //\tA A = =\r\n",
        "data:application/pdf;base64,++//AA==",
        "data:;base64,--__AA",
        "data:application/pdf;name=a.pdf;base64, ++//AA",
    ] {
        let expected = Ok(vec![("a".into(), bytes.to_vec())]);
        let text = format!(r#"[{{"name":"a","content":"{content}"}}]"#);
        assert_eq!(read(&text), expected, "{content}");
    }
    assert_eq!(
        read(r#"[{"name":"a","content":"data"},{"name":"b","content":""}]"#),
        Ok(vec![("a".into(), vec![0x75, 0xab, 0x5a]), ("b".into(), vec![]),])
    );
    let long = format!(r#"[{{"name":"a","content":"data:{}","x":1}}]"#, "a".repeat(300));
    assert_eq!(read(&long), Err(FieldError::NotBase64));
}
