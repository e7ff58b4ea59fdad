//! A small contract to try the service with.

use std::fmt::Write;

/// One page, one sentence in a font that every reader has.
pub(crate) fn contract() -> Vec<u8> {
    let text = "BT /F1 20 Tf 72 740 Td (Contrato de ejemplo) Tj /F1 12 Tf 0 -36 Td \
                (Las partes acuerdan probar la firma electr\\363nica con Firmeza.) Tj ET";
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
            .to_owned(),
        format!("<</Length {}>>\nstream\n{text}\nendstream", text.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    let mut pdf = String::from("%PDF-1.7\n");
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (place, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", pdf.len());
        let _ = write!(pdf, "{} 0 obj\n{object}\nendobj\n", place + 1);
    }
    let start = pdf.len();
    let _ = write!(
        pdf,
        "{table}trailer\n<</Size {}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    );
    pdf.into_bytes()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_sample_can_be_signed() {
        let limits = pdf::Limits::default();
        assert_eq!(
            pdf::inspect::inspect(&super::contract(), &limits).map(|seen| seen.pages),
            Ok(1)
        );
    }
}
