//! Pages that combine every way to paint, with ordinary and extreme values, and now and then without an entry that
//! they should have.

use crate::build::{Doc, deflate, stream};
use crate::differential::random::Random;

/// The side of a page, in points.
pub(crate) const SIDE: i32 = 120;

/// Writes one page: its contents, and the resources that they name.
pub(crate) struct Page<'d> {
    pub(super) doc: &'d mut Doc,
    pub(super) random: Random,
    pub(super) resources: [(&'static str, String); 7],
    names: u32,
}

/// The kinds of resources, as [`Page::name`] numbers them.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Font,
    Object,
    Pattern,
    Shading,
    Space,
    State,
    Properties,
}

impl Page<'_> {
    /// Adds a page to a document, and gives its number.
    pub(crate) fn write(doc: &mut Doc, seed: u64) -> u32 {
        Self::with_contents(doc, seed, |page| page.painted())
    }

    /// The same with layers, groups and saved states, and with data and fonts that are seldom written so.
    pub(crate) fn write_nested(doc: &mut Doc, seed: u64) -> u32 {
        Self::with_contents(doc, seed, |page| page.nested())
    }

    fn with_contents(doc: &mut Doc, seed: u64, part: fn(&mut Page<'_>) -> String) -> u32 {
        let kinds = [
            "Font",
            "XObject",
            "Pattern",
            "Shading",
            "ColorSpace",
            "ExtGState",
            "Properties",
        ];
        let mut page = Page {
            doc,
            random: Random::new(seed),
            resources: kinds.map(|kind| (kind, String::new())),
            names: 0,
        };
        let mut contents = String::new();
        for _ in 0..=page.random.below(2) {
            contents += &part(&mut page);
        }
        let resources = page.resource_entries();
        let contents = doc.add(stream("", contents.as_bytes()));
        doc.add(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 {SIDE} {SIDE}]/Contents {contents} 0 R/Resources<<{resources}>>>>"
        ))
    }

    pub(super) fn resource_entries(&mut self) -> String {
        self.resources
            .iter()
            .map(|(kind, entries)| format!("/{kind}<<{entries}>>"))
            .collect()
    }

    /// Gives a resource a name.
    pub(super) fn name(&mut self, kind: Kind, body: &str) -> String {
        self.names += 1;
        let name = format!("/N{}", self.names);
        self.resources[kind as usize].1 += &format!("{name} {body}");
        name
    }

    pub(super) fn named_object(&mut self, kind: Kind, body: &[u8]) -> String {
        let number = self.doc.add(body);
        self.name(kind, &format!("{number} 0 R"))
    }

    /// An entry that is left out now and then.
    pub(super) fn entry(&mut self, entry: &str) -> String {
        if self.random.once_in(100) {
            String::new()
        } else {
            entry.to_owned()
        }
    }

    fn painted(&mut self) -> String {
        let mut out = "q ".to_owned();
        if self.random.once_in(3) {
            out += &self.matrix();
        }
        if self.random.once_in(3) {
            out += &self.clip();
        }
        if self.random.once_in(3) {
            out += &self.state();
        }
        out += &self.paint(false);
        if self.random.once_in(2) {
            out += &self.paint(true);
        }
        out += &match self.random.below(9) {
            0 | 1 => self.path(),
            2 => self.curve(),
            3 | 4 => self.text(),
            5 => self.shading_fill(),
            6 => self.image(),
            7 => self.inline_image(),
            _ => self.form(),
        };
        out + " Q\n"
    }

    pub(super) fn matrix(&mut self) -> String {
        let random = &mut self.random;
        match random.below(5) {
            0 => format!(
                "1 0 0 1 {} {} cm ",
                random.number(-20, 20),
                random.number(-20, 20)
            ),
            1 => format!("0.{0} 0 0 0.{0} 5 5 cm ", random.number(3, 9)),
            2 => "0.8 0.5 -0.5 0.8 30 5 cm ".to_owned(),
            3 => "1000 0 0 1000 0 0 cm 0.001 0 0 0.001 0 0 cm ".to_owned(),
            _ => format!("1 0 0.{} 1 0 0 cm ", random.number(1, 9)),
        }
    }

    fn clip(&mut self) -> String {
        let (x, y) = (self.random.number(0, 50), self.random.number(0, 50));
        match self.random.below(6) {
            0 | 1 => format!("{x} {y} 60 60 re W n "),
            2 => format!("{x} {y} m 110 30 l 60 115 l h W* n "),
            3 => format!("{x} {y} 60 60 re 20 20 30 30 re W* n "),
            4 => {
                // A font that all programs have: what is cut out with another differs.
                let font = self.name(Kind::Font, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>");
                format!("BT {font} 60 Tf 7 Tr 10 40 Td (HO) Tj ET ")
            }
            _ => "-9000 -9000 20000 20000 re W n ".to_owned(),
        }
    }

    fn path(&mut self) -> String {
        let random = &mut self.random;
        let pen = [
            String::new(),
            format!("{} w ", random.length(0, 8)),
            format!(
                "{} w [{} {}] 0 d ",
                random.number(1, 6),
                random.length(1, 9),
                random.number(1, 9)
            ),
            format!(
                "5 w {} J {} j {} M ",
                random.below(3),
                random.below(3),
                random.length(1, 10)
            ),
        ];
        let pen = &pen[random.below(pen.len())];
        let (x, y) = (random.number(5, 60), random.number(5, 60));
        let (width, height) = (random.length(5, 60), random.length(5, 60));
        let shape = match random.below(5) {
            0 | 1 => format!("{x} {y} {width} {height} re"),
            2 => format!("{x} {y} m {width} {height} l 90 20 l h"),
            3 => format!("{x} {y} m {height} 100 l"),
            _ => format!("10 10 100 100 re {x} {y} {width} {height} re"),
        };
        let operator = random.pick(&["f", "f", "F", "f*", "S", "s", "B", "B*", "b", "b*"]);
        format!("{pen}{shape} {operator}")
    }

    fn curve(&mut self) -> String {
        let random = &mut self.random;
        let [a, b, c] = [0; 3].map(|_| random.length(0, 110));
        let operator = random.pick(&["f", "S", "B*", "b"]);
        format!("3 w 10 10 m {a} 100 90 {b} 110 110 c {c} 50 10 60 v 60 90 10 10 y {operator}")
    }

    fn state(&mut self) -> String {
        let modes = [
            "Normal",
            "Multiply",
            "Screen",
            "Overlay",
            "Darken",
            "Lighten",
            "ColorDodge",
            "ColorBurn",
            "HardLight",
            "SoftLight",
            "Difference",
            "Exclusion",
            "Hue",
            "Saturation",
            "Color",
            "Luminosity",
            "Compatible",
        ];
        let body = match self.random.below(8) {
            0 => format!(
                "<</ca 0.{}/CA 0.{}>>",
                self.random.number(3, 9),
                self.random.number(3, 9)
            ),
            1 | 2 => format!("<</BM/{}>>", self.random.pick(&modes)),
            3 => format!("<</BM[/Nonsense/{}]>>", self.random.pick(&modes)),
            4 | 5 => self.mask(),
            6 => format!("<</LW {}/LC 1/LJ 1/ML 2/D[[3 2] 0]>>", self.random.length(1, 6)),
            _ if self.random.below(4) > 0 => "<</ca 0.5>>".to_owned(),
            _ => "<</TR<</FunctionType 2/Domain[0 1]/C0[1]/C1[1]/N 1>>>>".to_owned(),
        };
        format!("{} gs ", self.name(Kind::State, &body))
    }

    fn mask(&mut self) -> String {
        let space = self.entry("/CS/DeviceGray");
        let bounds = self.entry("/BBox[0 0 120 120]");
        let group = format!("/Subtype/Form{bounds}/Group<</S/Transparency{space}>>");
        let shade = self.random.below(10);
        let contents = format!("0.{shade} g 0 0 120 120 re f 1 g 30 30 60 60 re f");
        let group = self.doc.add(stream(&group, contents.as_bytes()));
        let kind = self.random.pick(&["Alpha", "Luminosity", "Luminosity"]);
        let back = self.random.pick(&["", "/BC[0]", "/BC[1]"]);
        format!("<</SMask<</S/{kind}/G {group} 0 R{back}>>>>")
    }

    fn form(&mut self) -> String {
        let mut inner = format!("{}{} ", self.paint(false), self.path());
        if self.random.once_in(3) {
            inner += &self.text();
        }
        let data = deflate(inner.as_bytes());
        let kind = self.entry("/Subtype/Form");
        let bounds = self.entry("/BBox[0 0 120 120]");
        let group = self.random.pick(&[
            "",
            "",
            "/Group<</S/Transparency/I true>>",
            "/Group<</S/Transparency/K true>>",
        ]);
        let matrix = self
            .random
            .pick(&["", "", "/Matrix[0.9 0 0 0.9 2 2]", "/Matrix[1 0 0.2 1 0 0]"]);
        // The form finds the names in the resources of its page, unless it has its own.
        let own = if self.random.once_in(4) {
            self.resource_entries()
        } else {
            String::new()
        };
        let own = if own.is_empty() {
            own
        } else {
            format!("/Resources<<{own}>>")
        };
        let dict = format!("/Type/XObject{kind}{bounds}{group}{matrix}{own}/Filter/FlateDecode");
        format!("{} Do", self.named_object(Kind::Object, &stream(&dict, &data)))
    }
}
