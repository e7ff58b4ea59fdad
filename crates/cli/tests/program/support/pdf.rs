//! PDFs of any size, no two alike.

use super::random::TestRandom;
use std::fmt::Write;

/// One page, and as many bytes beside it as are wanted.
pub(crate) fn pdf(seed: u64, filling: usize) -> Vec<u8> {
    let text = format!("BT /F1 12 Tf 72 720 Td (Contrato {seed:016x}) Tj ET");
    let mut random = TestRandom::seeded(seed);
    let objects = [
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>"
            .to_vec(),
        stream(text.as_bytes()),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
        stream(&random.bytes(filling)),
    ];
    let mut pdf = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (place, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", pdf.len());
        pdf.extend_from_slice(format!("{} 0 obj\n", place + 1).as_bytes());
        pdf.extend_from_slice(object);
        pdf.extend_from_slice(b"\nendobj\n");
    }
    let end = format!(
        "trailer\n<</Size {}/Root 1 0 R>>\nstartxref\n{}\n%%EOF\n",
        objects.len() + 1,
        pdf.len()
    );
    pdf.extend_from_slice(table.as_bytes());
    pdf.extend_from_slice(end.as_bytes());
    pdf
}

fn stream(content: &[u8]) -> Vec<u8> {
    let head = format!("<</Length {}>>\nstream\n", content.len());
    [head.as_bytes(), content, b"\nendstream"].concat()
}
