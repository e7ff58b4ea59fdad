//! Writes PDFs byte by byte, in every dialect of cross-references.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// The dialect of a file's cross-references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Xref {
    Table,
    Stream,
    /// A stream, with the objects that may be inside object streams there.
    Packed,
    /// A table whose hidden objects are in a stream, as old Word versions write.
    Hybrid,
}

pub(crate) const DIALECTS: [Xref; 4] = [Xref::Table, Xref::Stream, Xref::Packed, Xref::Hybrid];

/// A document as its objects. Object 1 is the catalog, 2 the page tree, 3 a font, then page and contents
/// by turns.
#[derive(Debug, Clone)]
pub(crate) struct Doc {
    pub(crate) header: Vec<u8>,
    pub(crate) objects: BTreeMap<u32, Vec<u8>>,
    pub(crate) trailer: String,
}

pub(crate) const CATALOG: u32 = 1;
pub(crate) const PAGES: u32 = 2;
pub(crate) const FIRST_PAGE: u32 = 4;

pub(crate) fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// A stream object's body.
pub(crate) fn stream(dict: &str, data: &[u8]) -> Vec<u8> {
    let mut out = format!("<<{dict}/Length {}>>\nstream\n", data.len()).into_bytes();
    out.extend_from_slice(data);
    out.extend_from_slice(b"\nendstream");
    out
}

impl Doc {
    /// A plain contract.
    pub(crate) fn contract(pages: u32) -> Self {
        let mut doc = Self {
            header: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec(),
            objects: BTreeMap::new(),
            trailer: "/ID[<0123456789abcdef0123456789abcdef><0123456789abcdef0123456789abcdef>]".into(),
        };
        doc.set(CATALOG, "<</Type/Catalog/Pages 2 0 R>>");
        let kids: String = (0..pages)
            .map(|page| format!("{} 0 R ", FIRST_PAGE + 2 * page))
            .collect();
        doc.set(
            PAGES,
            format!("<</Type/Pages/Kids[{kids}]/Count {pages}/MediaBox[0 0 595.276 841.89]>>"),
        );
        doc.set(3, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
        for page in 0..pages {
            let number = FIRST_PAGE + 2 * page;
            doc.set(number, Self::page(number + 1, ""));
            let text = format!(
                "BT /F1 12 Tf 72 720 Td (Contrato de prueba, hoja {}) Tj ET",
                page + 1
            );
            doc.set(number + 1, stream("", text.as_bytes()));
        }
        doc
    }

    /// The body of a page that draws the given contents.
    pub(crate) fn page(contents: u32, extra: &str) -> String {
        format!("<</Type/Page/Parent 2 0 R/Contents {contents} 0 R/Resources<</Font<</F1 3 0 R>>>>{extra}>>")
    }

    pub(crate) fn set(&mut self, number: u32, body: impl AsRef<[u8]>) {
        self.objects.insert(number, body.as_ref().to_vec());
    }

    pub(crate) fn add(&mut self, body: impl AsRef<[u8]>) -> u32 {
        let number = self.size();
        self.set(number, body);
        number
    }

    pub(crate) fn size(&self) -> u32 {
        self.objects.last_key_value().map_or(1, |(number, _)| number + 1)
    }

    /// Adds entries to a dictionary object.
    pub(crate) fn extend(&mut self, number: u32, entries: &str) {
        let body = self.objects.get_mut(&number).unwrap();
        let at = body.windows(2).rposition(|pair| pair == b">>").unwrap();
        body.splice(at..at, entries.bytes());
    }

    /// Adds entries to the first page.
    pub(crate) fn on_page(&mut self, entries: &str) {
        self.extend(FIRST_PAGE, entries);
    }

    pub(crate) fn write(&self, dialect: Xref) -> Vec<u8> {
        let mut out = self.header.clone();
        let objects: Vec<_> = self.objects.iter().map(|(n, body)| (*n, body.clone())).collect();
        section(
            &mut out,
            &objects,
            self.size(),
            &format!("/Root 1 0 R{}", self.trailer),
            dialect,
            true,
        );
        out
    }

    pub(crate) fn table(&self) -> Vec<u8> {
        self.write(Xref::Table)
    }
}

/// The offset the file's end names.
pub(crate) fn startxref(bytes: &[u8]) -> usize {
    let at = bytes.windows(9).rposition(|w| w == b"startxref").unwrap();
    let text = String::from_utf8_lossy(&bytes[at + 9..]);
    text.split_whitespace().next().unwrap().parse().unwrap()
}

/// Appends an incremental update.
pub(crate) fn append(
    base: &[u8],
    objects: &[(u32, Vec<u8>)],
    size: u32,
    trailer: &str,
    dialect: Xref,
) -> Vec<u8> {
    let mut out = base.to_vec();
    let prev = startxref(base);
    section(
        &mut out,
        objects,
        size,
        &format!("{trailer}/Prev {prev}"),
        dialect,
        false,
    );
    out
}

fn section(
    out: &mut Vec<u8>,
    objects: &[(u32, Vec<u8>)],
    size: u32,
    trailer: &str,
    dialect: Xref,
    first: bool,
) {
    if !out.ends_with(b"\n") {
        out.push(b'\n');
    }
    let packs = matches!(dialect, Xref::Packed | Xref::Hybrid);
    let packable =
        |body: &[u8]| packs && !body.ends_with(b"endstream") && (dialect == Xref::Packed || !needed(body));
    let (packed, plain): (Vec<_>, Vec<_>) = objects.iter().partition(|(_, body)| packable(body));
    let mut rows: BTreeMap<u32, (u8, usize, usize)> = BTreeMap::new();
    if first {
        rows.insert(0, (0, 0, 65535));
    }
    for (number, body) in plain {
        rows.insert(*number, (1, out.len(), 0));
        object(out, *number, body);
    }
    let mut size = size;
    if !packed.is_empty() {
        let (mut index, mut data) = (String::new(), Vec::new());
        for (at, (number, body)) in packed.iter().enumerate() {
            index += &format!("{number} {} ", data.len());
            data.extend_from_slice(body);
            data.push(b'\n');
            rows.insert(*number, (2, usize::try_from(size).unwrap(), at));
        }
        let all = [index.as_bytes(), &data].concat();
        let dict = format!(
            "/Type/ObjStm/N {}/First {}/Filter/FlateDecode",
            packed.len(),
            index.len()
        );
        rows.insert(size, (1, out.len(), 0));
        object(out, size, &stream(&dict, &deflate(&all)));
        size += 1;
    }
    let mut start = out.len();
    match dialect {
        Xref::Table => table(out, &rows, &format!("/Size {size}{trailer}"), false),
        Xref::Stream | Xref::Packed => xref_stream(out, rows, size, trailer),
        Xref::Hybrid => {
            let hidden = out.len();
            let inside: BTreeMap<_, _> = rows
                .iter()
                .filter(|(_, r)| r.0 == 2)
                .map(|(n, r)| (*n, *r))
                .collect();
            xref_stream(out, inside, size, "");
            let shown = if first {
                rows
            } else {
                rows.into_iter().filter(|(_, r)| r.0 != 2).collect()
            };
            start = out.len();
            table(
                out,
                &shown,
                &format!("/Size {}{trailer}/XRefStm {hidden}", size + 1),
                true,
            );
        }
    }
    out.extend_from_slice(format!("startxref\n{start}\n%%EOF\n").as_bytes());
}

/// Whether a reader that does not know object streams needs the object to show the pages.
fn needed(body: &[u8]) -> bool {
    ["/Type/Page", "/Type/Catalog", "/FT", "/Fields"]
        .iter()
        .any(|mark| body.windows(mark.len()).any(|w| w == mark.as_bytes()))
}

pub(crate) fn object(out: &mut Vec<u8>, number: u32, body: &[u8]) {
    out.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
    out.extend_from_slice(body);
    out.extend_from_slice(b"\nendobj\n");
}

fn runs(rows: &BTreeMap<u32, (u8, usize, usize)>) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in rows.keys() {
        match runs.last_mut() {
            Some((start, count)) if *start + *count == *number => *count += 1,
            _ => runs.push((*number, 1)),
        }
    }
    runs
}

fn table(out: &mut Vec<u8>, rows: &BTreeMap<u32, (u8, usize, usize)>, trailer: &str, hide: bool) {
    out.extend_from_slice(b"xref\n");
    for (start, count) in runs(rows) {
        out.extend_from_slice(format!("{start} {count}\n").as_bytes());
        for number in start..start + count {
            let (kind, offset, generation) = rows[&number];
            let line = match kind {
                1 => format!("{offset:010} {generation:05} n\r\n"),
                2 => format!("{:010} {:05} f\r\n", 0, u32::from(hide) * 65535),
                _ => format!("{offset:010} {generation:05} f\r\n"),
            };
            out.extend_from_slice(line.as_bytes());
        }
    }
    out.extend_from_slice(format!("trailer\n<<{trailer}>>\n").as_bytes());
}

fn xref_stream(out: &mut Vec<u8>, mut rows: BTreeMap<u32, (u8, usize, usize)>, number: u32, trailer: &str) {
    rows.insert(number, (1, out.len(), 0));
    let index: String = runs(&rows)
        .iter()
        .map(|(start, count)| format!("{start} {count} "))
        .collect();
    let mut data = Vec::new();
    for (kind, second, third) in rows.values() {
        data.push(*kind);
        data.extend_from_slice(&u32::try_from(*second).unwrap().to_be_bytes());
        data.extend_from_slice(&u16::try_from(*third).unwrap().to_be_bytes());
    }
    let dict = format!(
        "/Type/XRef/Size {}/W[1 4 2]/Index[{index}]/Filter/FlateDecode{trailer}",
        number + 1
    );
    object(out, number, &stream(&dict, &deflate(&data)));
}
