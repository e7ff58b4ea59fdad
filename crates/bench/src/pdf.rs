//! A contract as an office program exports one: pages, compressed text, embedded fonts, a logo, a structure
//! tree. Its size is given, and a mark in it makes each copy another document.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::fmt::Write as _;
use std::io::Write as _;

/// Bytes of the mark. A multiple of three, at a place that is one too: in base64 it can be replaced alone.
pub(crate) const MARK_BYTES: usize = 24;

/// Bytes of an ordinary document.
pub(crate) const DOCUMENT: usize = 100_000;

const PAGES: usize = 6;
const FONTS: usize = 3;
const PARAGRAPHS_A_PAGE: usize = 16;

/// A document of an exact size.
#[derive(Debug, Clone)]
pub(crate) struct Pdf {
    pub(crate) bytes: Vec<u8>,
    /// The place of the mark.
    pub(crate) mark_at: usize,
}

/// The mark of the document with this number.
pub(crate) fn mark(number: u64) -> [u8; MARK_BYTES] {
    let mut mark = [b'0'; MARK_BYTES];
    for (place, byte) in mark.iter_mut().enumerate().skip(MARK_BYTES - 16) {
        let digit = (number >> (4 * (MARK_BYTES - 1 - place))) & 15;
        *byte = b"0123456789abcdef"[usize::try_from(digit).unwrap_or(0)];
    }
    mark
}

/// A contract of that many bytes, 40,000 at the least.
pub(crate) fn contract(size: usize) -> Pdf {
    // The logo takes what the rest leaves. The digits of its own length are part of the rest: hence the loop.
    let mut logo = size;
    loop {
        let pdf = draft(logo);
        if pdf.bytes.len() == size {
            return pdf;
        }
        logo = (logo + size).saturating_sub(pdf.bytes.len());
    }
}

fn draft(logo: usize) -> Pdf {
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    let mut objects = Objects::default();
    let (tree, pages) = (objects.reserve(), objects.reserve());
    let catalog = objects.add(format!(
        "<</Type/Catalog/Pages {pages} 0 R/StructTreeRoot {tree} 0 R/MarkInfo<</Marked true>>/Lang(es-CO)>>"
    ));
    let info =
        objects.add("<</Title(Contrato de arrendamiento)/Producer(Office)/CreationDate(D:20260301120000)>>");
    let mut fonts = String::new();
    for number in 1..=FONTS {
        let _ = write!(fonts, "/F{number} {} 0 R", font(&mut objects, &mut noise, number));
    }
    let image = objects.reserve();
    let mut kids = String::new();
    for page in 0..PAGES {
        let text = objects.add_stream("/Filter/FlateDecode", &deflate(&text_of(page)));
        let body = format!(
            "<</Type/Page/Parent {pages} 0 R/MediaBox[0 0 612 792]/Contents {text} 0 R/StructParents {page}\
             /Resources<</Font<<{fonts}>>/XObject<</Im1 {image} 0 R>>/ProcSet[/PDF/Text/ImageC]>>/Tabs/S>>"
        );
        let _ = write!(kids, "{} 0 R ", objects.add(body));
    }
    objects.set(pages, format!("<</Type/Pages/Kids[{kids}]/Count {PAGES}>>"));
    structure(&mut objects, tree);
    let logo_dict = "/Type/XObject/Subtype/Image/Width 400/Height 200/ColorSpace/DeviceRGB/BitsPerComponent 8\
                     /Filter/DCTDecode";
    objects.set_stream(image, logo_dict, &noise.bytes(logo));
    objects.write(catalog, info, image)
}

fn font(objects: &mut Objects, noise: &mut Noise, number: usize) -> usize {
    let file = objects.add_stream("/Filter/FlateDecode/Length1 20000", &noise.bytes(6_000));
    let descriptor = objects.add(format!(
        "<</Type/FontDescriptor/FontName/ABCDE{number}+Calibri/Flags 32/FontBBox[-503 -307 1240 1026]/ItalicAngle 0\
         /Ascent 952/Descent -269/CapHeight 644/StemV 80/FontFile2 {file} 0 R>>"
    ));
    let widths = "507 ".repeat(96);
    let unicode = objects.add_stream("/Filter/FlateDecode", &deflate(widths.as_bytes()));
    objects.add(format!(
        "<</Type/Font/Subtype/TrueType/BaseFont/ABCDE{number}+Calibri/FirstChar 32/LastChar 127/Widths[{widths}]\
         /FontDescriptor {descriptor} 0 R/ToUnicode {unicode} 0 R/Encoding/WinAnsiEncoding>>"
    ))
}

/// Paragraphs, each a marked piece of its page.
fn structure(objects: &mut Objects, tree: usize) {
    let document = objects.reserve();
    let mut kids = String::new();
    for piece in 0..PAGES * PARAGRAPHS_A_PAGE {
        let element = format!(
            "<</Type/StructElem/S/P/P {document} 0 R/K {}>>",
            piece % PARAGRAPHS_A_PAGE
        );
        let _ = write!(kids, "{} 0 R ", objects.add(element));
    }
    objects.set(
        document,
        format!("<</Type/StructElem/S/Document/P {tree} 0 R/K[{kids}]>>"),
    );
    objects.set(tree, format!("<</Type/StructTreeRoot/K {document} 0 R>>"));
}

fn text_of(page: usize) -> Vec<u8> {
    let mut text = String::from("q 120 0 0 60 72 700 cm /Im1 Do Q\n");
    for piece in 0..PARAGRAPHS_A_PAGE {
        let _ = writeln!(
            text,
            "/P <</MCID {piece}>> BDC BT /F{} 11 Tf 72 {} Td (Cl\\341usula {}.{piece}: las partes acuerdan que el \
             canon se pagar\\341 dentro de los primeros cinco d\\355as de cada mes.) Tj ET EMC",
            1 + piece % FONTS,
            660 - 36 * piece,
            page + 1
        );
    }
    text.into_bytes()
}

fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let _ = encoder.write_all(data);
    encoder.finish().unwrap_or_default()
}

/// Numbers that compress as little as a font or a picture does.
struct Noise(u64);

impl Noise {
    fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(count + 8);
        while bytes.len() < count {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            bytes.extend_from_slice(&self.0.to_le_bytes());
        }
        bytes.truncate(count);
        bytes
    }
}

/// Objects by number, from 1.
#[derive(Default)]
struct Objects(Vec<Vec<u8>>);

impl Objects {
    fn reserve(&mut self) -> usize {
        self.add("null")
    }

    fn add(&mut self, body: impl Into<Vec<u8>>) -> usize {
        self.0.push(body.into());
        self.0.len()
    }

    fn set(&mut self, number: usize, body: impl Into<Vec<u8>>) {
        self.0[number - 1] = body.into();
    }

    fn add_stream(&mut self, dict: &str, data: &[u8]) -> usize {
        let number = self.reserve();
        self.set_stream(number, dict, data);
        number
    }

    fn set_stream(&mut self, number: usize, dict: &str, data: &[u8]) {
        let head = format!("<<{dict}/Length {}>>\nstream\n", data.len());
        self.set(number, [head.as_bytes(), data, b"\nendstream"].concat());
    }

    /// The file; the mark is in the data of the stream `marked`.
    fn write(&self, catalog: usize, info: usize, marked: usize) -> Pdf {
        let mut bytes = b"%PDF-1.7\n%\xb5\xb5\xb5\xb5\n".to_vec();
        let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", self.0.len() + 1);
        let mut mark_at = 0;
        for (place, body) in self.0.iter().enumerate() {
            let _ = writeln!(table, "{:010} 00000 n ", bytes.len());
            let _ = writeln!(bytes, "{} 0 obj", place + 1);
            if place + 1 == marked {
                mark_at = (bytes.len() + 256).next_multiple_of(3);
            }
            bytes.extend_from_slice(body);
            bytes.extend_from_slice(b"\nendobj\n");
        }
        let start = bytes.len();
        let id = "0123456789abcdef".repeat(2);
        let size = self.0.len() + 1;
        let _ = write!(
            bytes,
            "{table}trailer\n<</Size {size}/Root {catalog} 0 R/Info {info} 0 R/ID[<{id}><{id}>]>>\n\
             startxref\n{start}\n%%EOF\n"
        );
        Pdf { bytes, mark_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contracts_of_any_size_are_accepted() {
        for size in [40_000, 100_000, 5 << 20] {
            let mut pdf = contract(size);
            assert_eq!((pdf.bytes.len(), pdf.mark_at % 3), (size, 0));
            pdf.bytes[pdf.mark_at..pdf.mark_at + MARK_BYTES].copy_from_slice(&mark(u64::MAX));
            let seen = pdf::inspect::inspect(&pdf.bytes, &pdf::Limits::default());
            assert_eq!(seen.map(|seen| seen.pages), Ok(6));
        }
    }

    #[test]
    fn marks_differ() {
        assert_eq!(&mark(0x1f), b"00000000000000000000001f");
        assert_eq!(&mark(u64::MAX), b"00000000ffffffffffffffff");
    }
}
