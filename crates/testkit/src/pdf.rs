//! PDFs made by hand: fit to be signed, or unfit in one way each.

use std::fmt::Write;

/// One page with one sentence.
pub fn contract() -> Vec<u8> {
    with("Contrato de prueba", 0, "")
}

/// A contract as people sign them: pages of headings and paragraphs.
pub fn lease(pages: usize) -> Vec<u8> {
    let clause = [
        "El arrendador entrega al arrendatario el inmueble ubicado en la carrera 11 No. 93-52, apartamento",
        "402, de la ciudad de Bogot\\341, junto con los bienes que se describen en el inventario anexo, y el",
        "arrendatario declara haberlo recibido en buen estado de servicio, presentaci\\363n y aseo.",
    ];
    let page = |number: usize| {
        let mut text = format!(
            "BT /F2 18 Tf 72 720 Td (CONTRATO DE ARRENDAMIENTO) Tj /F1 10 Tf 0 -20 Td (P\\341gina {number} de {pages}) Tj"
        );
        for paragraph in 0..8 {
            let ordinal = (number - 1) * 8 + paragraph + 1;
            write!(
                text,
                " /F2 11 Tf 0 -30 Td (Cl\\341usula {ordinal}.) Tj /F1 10.5 Tf"
            )
            .unwrap();
            for line in clause {
                write!(text, " 0 -15 Td ({line}) Tj").unwrap();
            }
        }
        text.push_str(" ET");
        text
    };
    let first = 5;
    let kids: Vec<String> = (0..pages)
        .map(|page| format!("{} 0 R", first + 2 * page))
        .collect();
    let kids = kids.join(" ");
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Kids[{kids}]/Count {pages}/MediaBox[0 0 612 792]>>"),
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>".to_owned(),
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Bold/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    for number in 1..=pages {
        let (contents, text) = (objects.len() + 2, page(number));
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/Contents {contents} 0 R/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>"
        ));
        objects.push(format!("<</Length {}>>\nstream\n{text}\nendstream", text.len()));
    }
    file(&objects, "")
}

/// The same page with another sentence, so that its bytes are others.
pub fn saying(sentence: &str) -> Vec<u8> {
    with(sentence, 0, "")
}

/// A fit PDF whose catalogue, which every increment states again, has more than that many bytes.
pub fn with_catalogue_of(size: usize) -> Vec<u8> {
    let mut objects = objects("Contrato de prueba", 0);
    objects[0] = format!("<</Type/Catalog/Pages 2 0 R/Notas({})>>", "a".repeat(size));
    file(&objects, "")
}

/// A fit PDF of exactly that many bytes.
pub fn of_bytes(size: usize) -> Vec<u8> {
    let mut padding = size
        .checked_sub(contract().len())
        .expect("a PDF needs a few hundred bytes");
    loop {
        let pdf = with("Contrato de prueba", padding, "");
        match pdf.len().checked_sub(size) {
            Some(0) => return pdf,
            // The length is written in the file, and its digits take room, too.
            Some(over) => padding -= over,
            None => padding += size - pdf.len(),
        }
    }
}

/// One that asks for a password.
pub fn encrypted() -> Vec<u8> {
    let filter = "/Encrypt<</Filter/Standard/V 1/R 2/O(o)/U(u)/P -44>>";
    with("Contrato de prueba", 0, filter)
}

/// The same with a signature.
pub fn encrypted_and_signed() -> Vec<u8> {
    let filter = "/Encrypt<</Filter/Standard/V 1/R 2/O(o)/U(u)/P -44>>/Firma<</Type/Sig/ByteRange[0 1 2 3]>>";
    with("Contrato de prueba", 0, filter)
}

/// One whose second half is missing.
pub fn truncated() -> Vec<u8> {
    let mut pdf = contract();
    pdf.truncate(pdf.len() / 2);
    pdf
}

/// Something else altogether.
pub fn not_a_pdf() -> Vec<u8> {
    b"PK\x03\x04 this is no PDF".to_vec()
}

fn with(sentence: &str, padding: usize, trailer: &str) -> Vec<u8> {
    file(&objects(sentence, padding), trailer)
}

fn objects(sentence: &str, padding: usize) -> [String; 5] {
    let text = format!("BT /F1 20 Tf 72 740 Td ({sentence}) Tj ET{}", " ".repeat(padding));
    [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
            .to_owned(),
        format!("<</Length {}>>\nstream\n{text}\nendstream", text.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ]
}

/// A file of these objects, numbered from one; the first is the catalogue.
fn file(objects: &[String], trailer: &str) -> Vec<u8> {
    let mut pdf = String::from("%PDF-1.7\n");
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (place, object) in objects.iter().enumerate() {
        writeln!(table, "{:010} 00000 n ", pdf.len()).unwrap();
        write!(pdf, "{} 0 obj\n{object}\nendobj\n", place + 1).unwrap();
    }
    let (start, size) = (pdf.len(), objects.len() + 1);
    write!(
        pdf,
        "{table}trailer\n<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{start}\n%%EOF\n"
    )
    .unwrap();
    pdf.into_bytes()
}

#[cfg(test)]
mod tests {
    use pdf::Limits;
    use pdf::inspect::{Refused, inspect};

    #[test]
    fn each_is_what_it_says() {
        let verdict = |pdf: Vec<u8>| inspect(&pdf, &Limits::default()).map(|seen| seen.pages);
        assert_eq!(verdict(super::contract()), Ok(1));
        assert_eq!(verdict(super::lease(3)), Ok(3));
        for size in [700, 1_000, 100_000] {
            assert_eq!(super::of_bytes(size).len(), size);
            assert_eq!(verdict(super::of_bytes(size)), Ok(1));
        }
        assert_eq!(verdict(super::encrypted()), Err(Refused::Encrypted));
        assert_eq!(verdict(super::encrypted_and_signed()), Err(Refused::Encrypted));
        assert_eq!(verdict(super::not_a_pdf()), Err(Refused::NotPdf));
        assert!(matches!(verdict(super::truncated()), Err(Refused::Damaged(_))));
    }
}
