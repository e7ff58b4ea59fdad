//! Layers, groups and saved states of the generated pages, and data and fonts that are seldom written so.

use crate::build::stream;
use crate::differential::letters::hex;
use crate::differential::pages::{Kind, Page};

impl Page<'_> {
    pub(super) fn nested(&mut self) -> String {
        match self.random.below(5) {
            0 => self.marked(),
            1 => self.restored(),
            2 => self.blended(),
            3 => self.compressed(),
            _ => self.encoded(),
        }
    }

    /// A dark rectangle.
    fn block(&mut self) -> String {
        let (x, y) = (self.random.number(5, 60), self.random.number(5, 60));
        format!("0.{} g {x} {y} 40 30 re f", self.random.below(5))
    }

    fn bold(&mut self) -> String {
        self.name(Kind::Font, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>")
    }

    /// Draws contents in a form, with the names that they have on the page.
    fn inside(&mut self, contents: &str, entries: &str) -> String {
        let own = self.resource_entries();
        let dict = format!("/Subtype/Form/BBox[0 0 120 120]{entries}/Resources<<{own}>>");
        let form = stream(&dict, contents.as_bytes());
        format!("{} Do", self.named_object(Kind::Object, &form))
    }

    fn marked(&mut self) -> String {
        let tag = self.random.pick(&["/Span", "/OC", "/OC", "/Artifact", "/P"]);
        let layer = self.doc.add("<</Type/OCG/Name(Capa)>>");
        let policy = self
            .random
            .pick(&["", "/P/AllOn", "/P/AnyOn", "/P/AllOff", "/P/AnyOff"]);
        let members = format!("<</Type/OCMD/OCGs[{layer} 0 R]{policy}>>");
        let properties = match self.random.below(6) {
            0 => "<</MCID 1>>".to_owned(),
            1 => format!("<</OC {layer} 0 R>>"),
            2 => self.name(Kind::Properties, &format!("{layer} 0 R")),
            3 => self.name(Kind::Properties, &members),
            _ => self.named_object(Kind::Properties, members.as_bytes()),
        };
        let end = if self.random.once_in(8) { "" } else { "EMC" };
        let marked = format!("{tag} {properties} BDC {} {end}", self.block());
        let drawn = if self.random.once_in(2) {
            self.inside(&marked, "")
        } else {
            marked
        };
        format!("q {drawn} Q\n")
    }

    fn restored(&mut self) -> String {
        let (block, other) = (self.block(), self.block());
        let matrix = self.matrix();
        let font = self.bold();
        match self.random.below(7) {
            0 => format!("{block} Q\n"),
            1 => format!("{matrix}Q {block}\n"),
            2 => format!("Q {matrix}{block}\n"),
            3 => format!("q BT {font} 30 Tf q 8 50 Td Q (AB) Tj ET Q\n"),
            4 => format!("q {matrix}{} Q\n", self.inside(&format!("{block} Q"), "")),
            5 => format!("q {matrix}{} Q\n", self.inside(&format!("Q {block}"), "")),
            _ => {
                let form = self.inside(&format!("Q Q Q {block}"), "");
                format!("q {matrix}q {form} {other} Q Q\n")
            }
        }
    }

    fn blended(&mut self) -> String {
        let font = self.bold();
        let mode = self.random.pick(&[
            "Normal",
            "Multiply",
            "Multiply",
            "Screen",
            "Darken",
            "Lighten",
            "Difference",
            "Exclusion",
            "Overlay",
            "Color",
        ]);
        let state = self.name(Kind::State, &format!("<</BM/{mode}>>"));
        let colour = self
            .random
            .pick(&["1 g", "1 g", "0.9 0.9 0.2 rg", "0.5 g", "0 g", "0.2 0.4 0.8 rg"]);
        let group = self.random.pick(&[
            "",
            "/Group<</S/Transparency>>",
            "/Group<</S/Transparency>>",
            "/Group<</S/Transparency/I true>>",
            "/Group<</S/Transparency/K true>>",
        ]);
        let (x, y) = (self.random.number(0, 60), self.random.number(0, 60));
        let over = self.inside(&format!("{state} gs {colour} {x} {y} 60 40 re f"), group);
        format!("q BT {font} 40 Tf 8 50 Td (ABE) Tj ET {over} Q\n")
    }

    /// A form or an image whose data are compressed by LZW.
    fn compressed(&mut self) -> String {
        let early = self.random.pick(&[
            "",
            "/DecodeParms<</EarlyChange 0>>",
            "/DecodeParms<</EarlyChange 1>>",
        ]);
        let object = if self.random.once_in(2) {
            let data = lzw(format!("{} ", self.block()).repeat(8).as_bytes());
            stream(
                &format!("/Subtype/Form/BBox[0 0 120 120]/Filter/LZWDecode{early}"),
                &data,
            )
        } else {
            let samples: Vec<u8> = (0..16 * 16)
                .map(|at| u8::try_from(at * 7 % 90).unwrap())
                .collect();
            let image = "/Subtype/Image/Width 16/Height 16/BitsPerComponent 8/ColorSpace/DeviceGray";
            if self.random.once_in(2) {
                let filters = "/Filter[/ASCIIHexDecode/LZWDecode]";
                stream(&format!("{image}{filters}"), &hex(&lzw(&samples)))
            } else {
                stream(&format!("{image}/Filter/LZWDecode{early}"), &lzw(&samples))
            }
        };
        let is_image = object.starts_with(b"<</Subtype/Image");
        let name = self.named_object(Kind::Object, &object);
        let place = if is_image { "90 0 0 90 10 10 cm " } else { "" };
        format!("q {place}{name} Do Q\n")
    }

    /// Letters of a `TrueType` font, by flags and encodings of many kinds.
    fn encoded(&mut self) -> String {
        let flags = self.random.pick(&["4", "4", "32", "36", "288"]);
        let encoding = self.random.pick(&[
            "",
            "/Encoding/WinAnsiEncoding",
            "/Encoding/MacRomanEncoding",
            "/Encoding<</Differences[1/A/B/E 65/H/B]>>",
            "/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[1/A/B/E]>>",
        ]);
        let shown = self
            .random
            .pick(&["(ABEFH)", "(\\001\\002\\003)", "(A\\361\\351)", "(\\223AB\\224)"]);
        let program = self.program();
        let descriptor = self.doc.add(format!(
            "<</Type/FontDescriptor/FontName/ABCDEF+Noto/Flags {flags}/ItalicAngle 0/Ascent 900/Descent -200/CapHeight 700\
             /StemV 80/FontBBox[0 -200 1000 900]/FontFile2 {program} 0 R>>"
        ));
        let body = format!(
            "<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+Noto{encoding}/FirstChar 0/LastChar 255/Widths[{}]\
             /FontDescriptor {descriptor} 0 R>>",
            "600 ".repeat(256)
        );
        let font = self.named_object(Kind::Font, body.as_bytes());
        format!("q BT {font} 30 Tf 8 50 Td {shown} Tj ET Q\n")
    }
}

/// Data as LZW codes of nine bits: the table is cleared before longer ones are needed.
fn lzw(data: &[u8]) -> Vec<u8> {
    const CLEAR: u16 = 256;
    const END: u16 = 257;
    let codes = data.chunks(200).flat_map(|part| {
        let literals = part.iter().map(|byte| u16::from(*byte));
        std::iter::once(CLEAR).chain(literals)
    });
    let mut out = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for code in codes.chain([END]) {
        bits = (bits << 9) | u32::from(code);
        count += 9;
        while count >= 8 {
            count -= 8;
            out.push(u8::try_from((bits >> count) & 0xff).unwrap());
        }
        bits &= (1 << count) - 1;
    }
    out.push(u8::try_from((bits << (8 - count)) & 0xff).unwrap());
    out
}
