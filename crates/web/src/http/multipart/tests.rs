//! Forms in every shape, cut wherever a connection may cut them, and the same to us as to another reader.

use super::*;
use futures_util::{FutureExt, stream};
use memchr::memmem;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::convert::Infallible;

const FRONTIER: &str = "frontier";

/// Name, file and content.
type Part = (Option<String>, Option<String>, Vec<u8>);

/// The parts of a form that comes in these chunks.
fn read(boundary: &str, chunks: impl IntoIterator<Item = Bytes>) -> Result<Vec<Part>, Malformed> {
    let mut chunks = chunks.into_iter();
    let mut parser = Parser::new(boundary);
    let mut parts: Vec<Part> = Vec::new();
    let mut fed = Bytes::new();
    loop {
        match parser.next()? {
            Some(MultipartEvent::Part(head)) => parts.push((head.name, head.file_name, Vec::new())),
            Some(MultipartEvent::Content(piece)) => {
                let (whole, piece_at) = (fed.as_ptr_range(), piece.as_ptr_range());
                let in_place = whole.start <= piece_at.start && piece_at.end <= whole.end;
                assert!(in_place || piece.len() < boundary.len() + 4, "copied {piece:?}");
                assert!(!piece.is_empty());
                parts.last_mut().unwrap().2.extend_from_slice(&piece);
            }
            Some(MultipartEvent::EndOfPart) => {}
            Some(MultipartEvent::End) => return Ok(parts),
            None => {
                fed = chunks.next().ok_or(Malformed)?;
                parser.feed(fed.clone());
            }
        }
    }
}

/// The parts of a form, which are the same wherever it is cut.
fn parts(body: impl AsRef<[u8]>) -> Result<Vec<Part>, Malformed> {
    let body = Bytes::copy_from_slice(body.as_ref());
    let parts = read(FRONTIER, [body.clone()]);
    for at in 0..=body.len() {
        let cut = read(FRONTIER, [body.slice(..at), body.slice(at..)]);
        assert_eq!(cut, parts, "cut at {at}");
    }
    for size in 1..FRONTIER.len() + 5 {
        let chunks = body.chunks(size).map(Bytes::copy_from_slice);
        assert_eq!(read(FRONTIER, chunks), parts, "in chunks of {size}");
    }
    parts
}

/// A form of one part with this head.
fn headed(head: impl AsRef<[u8]>) -> Vec<u8> {
    let end = b"\r\n\r\ncontent\r\n--frontier--";
    [b"--frontier\r\n".as_slice(), head.as_ref(), end.as_slice()].concat()
}

fn part(name: &str, content: impl AsRef<[u8]>) -> Part {
    (Some(name.to_owned()), None, content.as_ref().to_vec())
}

#[test]
fn parts_come_with_their_names_files_and_content() {
    let body = "--frontier\r\nContent-Disposition: form-data; name=\"folioName\"\r\n\r\nUn folio\r\n\
                --frontier\r\nContent-Disposition: form-data; name=\"documents[]\"; filename=\"a.pdf\"\r\n\
                Content-Type: application/pdf\r\n\r\n%PDF-1.7\r\n\r\n%%EOF\r\n\r\n--frontier--\r\n";
    let document = (
        Some("documents[]".to_owned()),
        Some("a.pdf".to_owned()),
        b"%PDF-1.7\r\n\r\n%%EOF\r\n".to_vec(),
    );
    assert_eq!(parts(body), Ok(vec![part("folioName", "Un folio"), document]));
}

#[test]
fn what_only_begins_like_the_delimiter_is_content() {
    let contents = [
        "",
        "\r",
        "\n",
        "\r\n",
        "\r\r\n",
        "\r\n-",
        "\r\n--fronti",
        "\r\n--frontie\r\n--frontie",
        "x\r\n--frontie\r\r\n--\r\n\r\n--f",
        "\n--frontier\r\n",
        "--frontier",
        "--frontier--\r\n",
    ];
    for content in contents {
        let head = "Content-Disposition: form-data; name=a\r\n\r\n";
        let body = format!("--frontier\r\n{head}{content}\r\n--frontier\r\n{head}{content}\r\n--frontier--");
        assert_eq!(
            parts(body),
            Ok(vec![part("a", content), part("a", content)]),
            "{content:?}"
        );
    }
}

#[test]
fn what_stands_before_and_behind_a_form_is_not_of_it() {
    let form = String::from_utf8(headed("Content-Disposition: form-data; name=a")).unwrap();
    let expected = Ok(vec![part("a", "content")]);
    for before in ["", "\r\n", "words\r\n", "words", "-", "--front", "--frontie\r\n"] {
        for behind in ["", "\r\n", "words", "\r\n--frontier\r\n"] {
            let body = format!("{before}{form}{behind}");
            assert_eq!(parts(&body), expected, "{body:?}");
        }
    }
    assert_eq!(parts("--frontier--"), Ok(Vec::new()));
}

#[test]
fn only_blanks_may_stand_behind_a_boundary() {
    let line = |behind: &str| {
        let form = headed("Content-Disposition: form-data; name=a");
        let form = String::from_utf8(form).unwrap();
        parts(form.replacen("--frontier", &format!("--frontier{behind}"), 1))
    };
    for blanks in ["", " ", "\t", " \t \t  "] {
        assert_eq!(line(blanks), Ok(vec![part("a", "content")]), "{blanks:?}");
    }
    for other in ["x", " x", "-", " --", "\n", "\r", "-\r\n"] {
        assert_eq!(line(other), Err(Malformed), "{other:?}");
    }
    assert_eq!(
        line("--"),
        Ok(Vec::new()),
        "two dashes end the form, whatever follows"
    );
}

#[test]
fn a_form_that_is_cut_off_is_none() {
    let form = headed("Content-Disposition: form-data; name=a");
    for length in 0..form.len() {
        let cut = Bytes::copy_from_slice(&form[..length]);
        assert_eq!(read(FRONTIER, [cut]), Err(Malformed), "{length} bytes");
    }
}

#[test]
fn a_head_tells_the_names_of_field_and_file() {
    let heads = [
        (
            r#"Content-Disposition: form-data; name="a"; filename="b.pdf""#,
            Some("a"),
            Some("b.pdf"),
        ),
        (
            "CONTENT-DISPOSITION:form-data;name=a;filename=b",
            Some("a"),
            Some("b"),
        ),
        (
            "content-disposition: form-data; filename = b ; name = a",
            Some("a"),
            Some("b"),
        ),
        (
            r#"Content-Disposition: form-data; name="a;b"; filename="c; d.pdf""#,
            Some("a;b"),
            Some("c; d.pdf"),
        ),
        (
            r#"Content-Disposition: form-data; name="a \"b\" c""#,
            Some(r#"a "b" c"#),
            None,
        ),
        (
            r#"Content-Disposition: form-data; name="a"; filename="C:\dir\b.pdf""#,
            Some("a"),
            Some(r"C:\dir\b.pdf"),
        ),
        (
            r#"Content-Disposition: form-data; name="ñ"; filename="印.pdf""#,
            Some("ñ"),
            Some("印.pdf"),
        ),
        (
            r#"Content-Disposition: form-data; name=""; filename="""#,
            Some(""),
            Some(""),
        ),
        (
            "Content-Disposition: form-data; name=a; filename*=UTF-8''b.pdf",
            Some("a"),
            Some("b.pdf"),
        ),
        (
            "Content-Disposition: form-data; filename*=UTF-8''b.pdf; name=a; filename=c.pdf",
            Some("a"),
            Some("b.pdf"),
        ),
        (
            r#"Content-Disposition: form-data; filename="my name=x; name=y"; name="a""#,
            Some("a"),
            Some("my name=x; name=y"),
        ),
        (r#"Content-Disposition: form-data; name="a"#, None, None),
        ("Content-Disposition: form-data; Name=a", None, None),
        ("Content-Disposition: form-data", None, None),
        ("Content-Type: text/plain; name=a", None, None),
        (
            "Content-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b",
            Some("b"),
            None,
        ),
    ];
    for (head, name, file_name) in heads {
        let expected = (
            name.map(str::to_owned),
            file_name.map(str::to_owned),
            b"content".to_vec(),
        );
        assert_eq!(parts(headed(head)), Ok(vec![expected]), "{head}");
    }
    let not_text = headed(b"Content-Disposition: form-data; name=\"\xff\"");
    assert_eq!(parts(not_text), Ok(vec![(None, None, b"content".to_vec())]));
}

#[test]
fn a_head_that_is_no_head_is_refused() {
    let many = |count| ["X: y"].repeat(count).join("\r\n");
    assert!(parts(headed(many(32))).is_ok());
    let heads = [
        "no colon".to_owned(),
        "A : b".to_owned(),
        " A: b".to_owned(),
        "A: b\r\n c".to_owned(),
        "A: \0".to_owned(),
        // It would end before what seems to be its content, and after some of it.
        String::new(),
        "\r\ncontent".to_owned(),
        "A: b\n\ncontent".to_owned(),
        many(33),
    ];
    for head in heads {
        assert_eq!(parts(headed(&head)), Err(Malformed), "{head:?}");
    }
}

#[test]
fn little_may_come_between_two_contents() {
    let in_chunks = |body: &[u8], size: usize| {
        let chunks = body.chunks(size).map(Bytes::copy_from_slice);
        read(FRONTIER, chunks).is_ok()
    };
    let around = "--frontier\r\nX: \r\n\r\n".len();
    for (over, fits) in [(0, true), (1, false), (1 << 20, false)] {
        let filling = "a".repeat(MAX_BETWEEN_PARTS_BYTES - around + over);
        let head = headed(format!("X: {filling}"));
        let form = headed("X: ");
        let (boundary, rest) = form.split_at("--frontier".len());
        let preamble = [filling.as_bytes(), form.as_slice()].concat();
        let blanks = [boundary, " ".repeat(filling.len()).as_bytes(), rest].concat();
        for body in [head, preamble, blanks] {
            for size in [1, 1000, MAX_BETWEEN_PARTS_BYTES, usize::MAX] {
                assert_eq!(in_chunks(&body, size), fits, "{over} over, in chunks of {size}");
            }
        }
    }
    let many = format!(
        "--frontier\r\nX: {}\r\n\r\nx\r\n",
        "a".repeat(MAX_BETWEEN_PARTS_BYTES - 100)
    )
    .repeat(3)
        + "--frontier--";
    assert!(in_chunks(many.as_bytes(), 1000), "each head counts by itself");
}

#[test]
fn content_is_handed_on_in_as_many_pieces_as_it_came_in() {
    let content = "x".repeat(1 << 20);
    let body = format!("--frontier\r\nA: b\r\n\r\n{content}\r\n--frontier--");
    let mut parser = Parser::new(FRONTIER);
    let mut chunks = body.as_bytes().chunks(100_000).map(Bytes::copy_from_slice);
    let mut lengths = Vec::new();
    loop {
        match parser.next().unwrap() {
            None => parser.feed(chunks.next().unwrap()),
            Some(MultipartEvent::Content(piece)) => lengths.push(piece.len()),
            Some(MultipartEvent::End) => break,
            Some(_) => {}
        }
    }
    assert_eq!(lengths.len(), body.len().div_ceil(100_000));
    assert_eq!(lengths.iter().sum::<usize>(), content.len());
}

#[test]
fn boundaries_are_read_off_the_content_type() {
    let types = [
        ("multipart/form-data; boundary=abc", Some("abc")),
        ("Multipart/Form-Data;Boundary=AbC", Some("AbC")),
        ("multipart/form-data; charset=utf-8; boundary=abc", Some("abc")),
        ("multipart/form-data; boundary=abc; charset=utf-8", Some("abc")),
        ("multipart/form-data; boundary=\"a b:c/d\"", Some("a b:c/d")),
        (
            "multipart/form-data; boundary=----WebKit7MA",
            Some("----WebKit7MA"),
        ),
        ("multipart/form-data; boundary=", Some("")),
        ("multipart/form-data; boundary=\"\"", None),
        ("multipart/form-data; boundary=a/b", None),
        ("multipart/form-data; boundary=\"abc", None),
        ("multipart/form-data", None),
        ("multipart/mixed; boundary=abc", None),
        ("application/json; boundary=abc", None),
        ("boundary=abc", None),
        ("", None),
    ];
    for (content_type, expected) in types {
        assert_eq!(boundary(content_type).as_deref(), expected, "{content_type}");
        assert_eq!(
            multer::parse_boundary(content_type).ok().as_deref(),
            expected,
            "{content_type}"
        );
    }
    let long = |length| format!("multipart/form-data; boundary={}", "a".repeat(length));
    assert!(boundary(&long(MAX_BOUNDARY_BYTES)).is_some());
    assert!(boundary(&long(MAX_BOUNDARY_BYTES + 1)).is_none());
}

#[test]
fn any_boundary_that_can_be_written_does() {
    let form = String::from_utf8(headed("Content-Disposition: form-data; name=a")).unwrap();
    for odd in ["'()+_,-./:=?", "a b", "-", "----", "--x--", "\\", ""] {
        let body = Bytes::from(form.replace(FRONTIER, odd));
        for size in 1..20 {
            let chunks = body.chunks(size).map(Bytes::copy_from_slice);
            assert_eq!(read(odd, chunks), Ok(vec![part("a", "content")]), "{odd:?}");
        }
    }
}

/// The same parts by another reader.
fn read_by_multer(chunks: &[Bytes]) -> Result<Vec<Part>, Malformed> {
    let chunks: Vec<Result<Bytes, Infallible>> = chunks.iter().cloned().map(Ok).collect();
    let read = async {
        let mut form = multer::Multipart::new(stream::iter(chunks), FRONTIER);
        let mut parts = Vec::new();
        while let Some(field) = form.next_field().await? {
            let name = field.name().map(str::to_owned);
            let file_name = field.file_name().map(str::to_owned);
            parts.push((name, file_name, field.bytes().await?.to_vec()));
        }
        Ok::<_, multer::Error>(parts)
    };
    read.now_or_never().unwrap().map_err(|_| Malformed)
}

/// Whether the head of a part ends before its empty line. The other reader loses what stands between the two.
fn has_early_end(body: &[u8]) -> bool {
    memmem::find_iter(body, b"--frontier").any(|at| {
        let line = &body[at + b"--frontier".len()..];
        let blanks = line
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        let head = line[blanks..].strip_prefix(b"\r\n").unwrap_or_default();
        let end = memmem::find(head, b"\r\n\r\n").map_or(0, |end| end + 4);
        let mut headers = [httparse::EMPTY_HEADER; 32];
        let read = httparse::parse_headers(&head[..end], &mut headers);
        read.is_ok_and(|read| read.is_complete() && read.unwrap().0 < end)
    })
}

/// Fails where the two readers differ.
fn both_read(body: Vec<u8>, cuts: &[Index]) -> Result<(), TestCaseError> {
    let body = Bytes::from(body);
    let mut ends: Vec<_> = cuts.iter().map(|cut| cut.index(body.len() + 1)).collect();
    ends.push(body.len());
    ends.sort_unstable();
    let mut from = 0;
    let chunks: Vec<_> = ends
        .into_iter()
        .map(|end| body.slice(mem::replace(&mut from, end)..end))
        .collect();
    let (ours, theirs) = (read(FRONTIER, chunks.iter().cloned()), read_by_multer(&chunks));
    if ours == Err(Malformed) && has_early_end(&body) {
        return Ok(());
    }
    prop_assert_eq!(ours, theirs);
    Ok(())
}

fn parameter(key: &'static str) -> impl Strategy<Value = String> {
    let piece = select(vec![
        "a", "b.pdf", "ñ", " ", ";", "=", "'", "*", "%22", "\\d", "\\\"",
    ]);
    let quoted = vec(piece, 0..6).prop_map(move |pieces| format!("{key}=\"{}\"", pieces.concat()));
    let bare = "[a-z0-9._-]{0,8}".prop_map(move |value| format!("{key} = {value}"));
    prop_oneof![3 => quoted, 1 => bare]
}

fn head() -> impl Strategy<Value = String> {
    let header = select(vec![
        "Content-Disposition",
        "content-disposition",
        "CONTENT-DISPOSITION",
        "Content-Type",
    ]);
    let parameters = vec(prop_oneof![parameter("name"), parameter("filename")], 0..4);
    let others = select(vec!["", "\r\nContent-Type: application/pdf", "\r\nX:\r\nY:z"]);
    (header, parameters, others).prop_map(|(header, parameters, others)| {
        format!("{header}: form-data; {}{others}", parameters.join("; "))
    })
}

fn content() -> impl Strategy<Value = Vec<u8>> {
    let known = select(vec![
        "\r",
        "\n",
        "\r\n",
        "-",
        "--",
        "\r\n--",
        "\r\n--front",
        "ier",
        "frontier",
        "--frontier",
    ]);
    let piece = prop_oneof![
        2 => vec(any::<u8>(), 0..40),
        4 => known.prop_map(|text| text.as_bytes().to_vec()),
        1 => (any::<u8>(), 0..5000_usize).prop_map(|(byte, count)| vec![byte; count]),
    ];
    vec(piece, 0..7).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn any_form_is_read_as_another_reader_reads_it(
        before in select(vec!["", "\r\n", "words\r\n", "--front", "-"]),
        parts in vec((head(), content()), 0..5),
        behind in select(vec!["", "\r\n", "\r\nwords", "\r\n--frontier\r\n"]),
        cuts in vec(any::<Index>(), 0..8),
    ) {
        let mut body = before.as_bytes().to_vec();
        for (head, content) in parts {
            body.extend_from_slice(format!("--frontier\r\n{head}\r\n\r\n").as_bytes());
            body.extend_from_slice(&content);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--frontier--{behind}").as_bytes());
        both_read(body, &cuts)?;
    }

    #[test]
    fn bytes_that_are_hardly_a_form_are_read_as_another_reader_reads_them(
        pieces in vec(
            select(vec![
                "--frontier",
                "--frontier\r\n",
                "\r\n--frontier\r\n",
                "\r\n--frontier--",
                "\r\n",
                "\r\n\r\n",
                "\n",
                " ",
                "\t",
                "-",
                "x",
                "A: b",
                "Content-Disposition: form-data; name=\"a\"\r\n\r\n",
            ]),
            0..20,
        ),
        cuts in vec(any::<Index>(), 0..8),
    ) {
        both_read(pieces.concat().into_bytes(), &cuts)?;
    }
}
