//! Text and images of the generated pages.

use crate::build::{deflate, stream};
use crate::differential::pages::{Kind, Page};

impl Page<'_> {
    pub(super) fn font(&mut self) -> String {
        let standard = [
            "Helvetica",
            "Times-Bold",
            "Courier",
            "Symbol",
            "ZapfDingbats",
            "Arial,Bold",
        ];
        match self.random.below(6) {
            0..=2 => {
                let name = self.random.pick(&standard);
                self.name(
                    Kind::Font,
                    &format!("<</Type/Font/Subtype/Type1/BaseFont/{name}>>"),
                )
            }
            3 => self.embedded(),
            4 => self.drawn(),
            _ => {
                let body = "<</Type/Font/Subtype/TrueType/BaseFont/Arial/Encoding/WinAnsiEncoding>>";
                self.name(Kind::Font, body)
            }
        }
    }

    pub(super) fn program(&mut self) -> u32 {
        let font = notosans::REGULAR_TTF;
        let dict = format!("/Length1 {}/Filter/FlateDecode", font.len());
        // One copy is enough for a document.
        let known = self
            .doc
            .objects
            .iter()
            .find(|(_, body)| body.starts_with(format!("<<{dict}").as_bytes()));
        match known.map(|(number, _)| *number) {
            Some(number) => number,
            None => self.doc.add(stream(&dict, &deflate(font))),
        }
    }

    fn descriptor(&mut self) -> String {
        let program = self.program();
        let program = self.entry(&format!("/FontFile2 {program} 0 R"));
        let number = self.doc.add(format!(
            "<</Type/FontDescriptor/FontName/ABCDEF+Noto/Flags 32/ItalicAngle 0/Ascent 900/Descent -200/CapHeight 700\
             /StemV 80/FontBBox[0 -200 1000 900]{program}>>"
        ));
        format!("/FontDescriptor {number} 0 R")
    }

    fn embedded(&mut self) -> String {
        let descriptor = self.descriptor();
        let widths = "600 ".repeat(224);
        let body = format!(
            "<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+Noto/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 255\
             /Widths[{widths}]{descriptor}>>"
        );
        self.named_object(Kind::Font, body.as_bytes())
    }

    fn composite(&mut self) -> String {
        let descriptor = self.descriptor();
        let inner = self.doc.add(format!(
            "<</Type/Font/Subtype/CIDFontType2/BaseFont/ABCDEF+Noto/CIDToGIDMap/Identity/DW 600\
             /CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>{descriptor}>>"
        ));
        let encoding = self.entry("/Encoding/Identity-H");
        let body = format!(
            "<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Noto{encoding}/DescendantFonts[{inner} 0 R]>>"
        );
        self.named_object(Kind::Font, body.as_bytes())
    }

    fn drawn(&mut self) -> String {
        let glyph = self.random.pick(&[
            "900 0 d0 0.6 0 0 rg 0 0 700 700 re f",
            "900 0 0 0 700 700 d1 0 0 700 700 re f",
            "900 0 0 0 700 700 d1 700 0 0 700 0 0 cm BI /W 8/H 2/BPC 1/IM true ID \u{1}\u{2} EI",
            "900 0 0 0 700 700 d1 700 0 0 700 0 0 cm BI /W 1/H 1/BPC 8/CS/G ID 0 EI",
            "900 0 d0 700 0 0 700 0 0 cm BI /W 1/H 1/BPC 8/CS/G ID 0 EI",
        ]);
        let glyph = self.doc.add(stream("", glyph.as_bytes()));
        let widths = "900 ".repeat(224);
        let body = format!(
            "<</Type/Font/Subtype/Type3/FontBBox[0 0 900 900]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 32/LastChar 255\
             /Widths[{widths}]/Encoding<</Type/Encoding/Differences[65/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a]>>\
             /CharProcs<</a {glyph} 0 R>>/Resources<<>>>>"
        );
        self.named_object(Kind::Font, body.as_bytes())
    }

    pub(super) fn text(&mut self) -> String {
        let composite = self.random.once_in(6);
        let font = match self.random.below(20) {
            0 => "/Nowhere".to_owned(),
            _ if composite => self.composite(),
            _ => self.font(),
        };
        let size = self.random.length(12, 50);
        let mode = self
            .random
            .pick(&["", "", "", "1 Tr ", "2 Tr ", "4 Tr ", "5 Tr "]);
        let spacing = self
            .random
            .pick(&["", "", "60 Tz ", "3 Tc ", "5 Ts ", "9 Tw ", "0 Tz "]);
        let place = self.random.pick(&[
            "8 50 Td ",
            "1 0 0 1 8 50 Tm ",
            "0.9 0.3 -0.3 0.9 30 20 Tm ",
            "1 0 0.3 1 8 30 Tm ",
        ]);
        let shown = self.random.pick(&[
            "(ABEFH) Tj",
            "[(AB) -200 (EH)] TJ",
            "14 TL (ABE) '",
            "1 1 (ABE) \"",
            "<414246> Tj",
            "(A\\361\\351) Tj",
        ]);
        // Codes of two bytes are glyphs of the composite font, and nothing in the others.
        let shown = if composite { "<002400250026> Tj" } else { shown };
        format!("BT {font} {size} Tf {mode}{spacing}{place}{shown} ET")
    }

    pub(super) fn image(&mut self) -> String {
        let (width, height) = (8, 8);
        let (mut entries, count) = match self.random.below(9) {
            0 => ("/BitsPerComponent 8/ColorSpace/DeviceGray".to_owned(), 64),
            1 => ("/BitsPerComponent 8/ColorSpace/DeviceCMYK".to_owned(), 256),
            2 => ("/BitsPerComponent 1/ImageMask true".to_owned(), 8),
            3 => ("/BitsPerComponent 1/ImageMask true/Decode[1 0]".to_owned(), 8),
            4 => (
                "/BitsPerComponent 4/ColorSpace[/Indexed/DeviceRGB 15 8 0 R]".to_owned(),
                32,
            ),
            5 => ("/BitsPerComponent 16/ColorSpace/DeviceRGB".to_owned(), 384),
            6 => (
                "/BitsPerComponent 8/ColorSpace/DeviceRGB/Mask[0 20 0 20 0 20]".to_owned(),
                192,
            ),
            7 => {
                let (space, _) = self.space();
                (format!("/BitsPerComponent 8/ColorSpace {space}"), 256)
            }
            _ => ("/BitsPerComponent 8/ColorSpace/DeviceRGB".to_owned(), 192),
        };
        if entries.contains("8 0 R") {
            let palette: Vec<u8> = (0..48).map(|at| at * 3).collect();
            let number = self.doc.add(stream("", &palette));
            entries = entries.replace("8 0 R", &format!("{number} 0 R"));
        }
        let mut data: Vec<u8> = (0..count)
            .map(|at| u8::try_from(at * 37 % 160).unwrap())
            .collect();
        if self.random.once_in(30) {
            data.truncate(data.len() / 2);
        }
        entries += &self.entry(&format!("/Width {width}"));
        entries += &self.entry(&format!("/Height {height}"));
        if !entries.contains("Mask") && self.random.once_in(3) {
            let mask = "/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray";
            let number = self.doc.add(stream(mask, &[255, 128, 200, 90]));
            entries += &format!("/SMask {number} 0 R");
        }
        let (filter, data) = match self.random.below(4) {
            0 => ("", data),
            1 => ("/Filter/ASCIIHexDecode", hex(&data)),
            2 => ("/Filter[/ASCIIHexDecode/FlateDecode]", hex(&deflate(&data))),
            _ => ("/Filter/FlateDecode", deflate(&data)),
        };
        let kind = self.entry("/Subtype/Image");
        let name = self.named_object(Kind::Object, &stream(&format!("{kind}{entries}{filter}"), &data));
        let matrix = self.random.pick(&[
            "90 0 0 90 10 10",
            "90 20 -20 80 25 10",
            "0.5 0 0 100 60 10",
            "90 0 0 -90 10 100",
        ]);
        format!("{matrix} cm {name} Do")
    }

    pub(super) fn inline_image(&mut self) -> String {
        let image = self.random.pick(&[
            "BI /W 2/H 2/BPC 8/CS/G ID 0A1b EI",
            "BI /W 2/H 2/BPC 8/CS/RGB/F/AHx ID 800000 008000 000080 404040> EI",
            "BI /W 8/H 2/IM true/F/AHx ID 5533> EI",
            "BI /Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/ASCIIHexDecode ID 00408020> EI",
            "BI /W 2/H 2/BPC 8/CS/CMYK/F/AHx ID 80000000 00800000 00008000 00000080> EI",
            "BI /W 4/H 4/BPC 8/CS/G/F/AHx ID 00408020> EI",
        ]);
        format!("80 0 0 80 20 20 cm {image}")
    }
}

pub(super) fn hex(data: &[u8]) -> Vec<u8> {
    let digits: String = data.iter().map(|byte| format!("{byte:02x}")).collect();
    (digits + ">").into_bytes()
}
