//! Colours, patterns and shadings of the generated pages.

use crate::build::stream;
use crate::differential::pages::{Kind, Page};

const CMYK_TINT: &str = "<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0.9 0.3 0 0.2]/N 1>>";

impl Page<'_> {
    /// Chooses what the next shape is filled or stroked with.
    pub(super) fn paint(&mut self, stroke: bool) -> String {
        let simple = |fill: &str, line: &str| if stroke { line.to_owned() } else { fill.to_owned() };
        match self.random.below(9) {
            0 => format!("0.{} {} ", self.random.below(7), simple("g", "G")),
            1 => format!(
                "0.{} 0.2 0.{} {} ",
                self.random.below(9),
                self.random.below(9),
                simple("rg", "RG")
            ),
            2 => format!(
                "0.{} 0.8 0 0.{} {} ",
                self.random.below(9),
                self.random.below(4),
                simple("k", "K")
            ),
            3 | 4 => {
                let (space, colour) = self.space();
                let space = self.name(Kind::Space, &space);
                format!(
                    "{space} {} {colour} {} ",
                    simple("cs", "CS"),
                    simple("scn", "SCN")
                )
            }
            5 | 6 => {
                let (space, colour, pattern) = self.tiling();
                format!(
                    "{space} {} {colour} {pattern} {} ",
                    simple("cs", "CS"),
                    simple("scn", "SCN")
                )
            }
            _ => {
                let shading = self.shading();
                let matrix =
                    self.random
                        .pick(&["", "", "/Matrix[0.5 0 0 0.5 10 10]", "/Matrix[1000 0 0 1000 0 0]"]);
                let body = format!("<</PatternType 2/Shading {shading}{matrix}>>");
                let pattern = self.name(Kind::Pattern, &body);
                format!(
                    "/Pattern {} {pattern} {} ",
                    simple("cs", "CS"),
                    simple("scn", "SCN")
                )
            }
        }
    }

    /// A colour space, and a dark colour of it.
    pub(super) fn space(&mut self) -> (String, &'static str) {
        let profile = |page: &mut Self, components: u32, alternate: &str| {
            let dict = format!("/N {components}{alternate}");
            page.doc.add(stream(&dict, b"no profile"))
        };
        let (space, colour) = match self.random.below(14) {
            0 => ("/DeviceRGB".to_owned(), "0.5 0 0.2"),
            1 => (
                "[/CalGray<</WhitePoint[0.95 1 1.09]/Gamma 2.2>>]".to_owned(),
                "0.2",
            ),
            2 => (
                "[/CalRGB<</WhitePoint[0.95 1 1.09]/Gamma[2.2 2.2 2.2]>>]".to_owned(),
                "0.1 0.2 0.6",
            ),
            3 => (
                "[/Lab<</WhitePoint[0.96 1 0.82]/Range[-100 100 -100 100]>>]".to_owned(),
                "30 40 20",
            ),
            4 => (format!("[/Separation/Spot/DeviceCMYK {CMYK_TINT}]"), "1"),
            5 => (
                "[/Separation/All/DeviceGray<</FunctionType 2/Domain[0 1]/C0[1]/C1[0]/N 1>>]".to_owned(),
                "1",
            ),
            6 => {
                let program = "/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1]";
                let tint = self.doc.add(stream(program, b"{ 2 copy add 2 div }"));
                (format!("[/DeviceN[/One/Two]/DeviceRGB {tint} 0 R]"), "0.4 0.1")
            }
            7 => ("[/Indexed/DeviceRGB 2<204080 802020 106010>]".to_owned(), "1"),
            8 => ("[/Indexed/DeviceRGB 9<204080 802020 106010>]".to_owned(), "1"),
            9 => (
                format!("[/ICCBased {} 0 R]", profile(self, 3, "/Alternate/DeviceRGB")),
                "0.2 0.1 0.5",
            ),
            10 => (
                format!("[/ICCBased {} 0 R]", profile(self, 4, "")),
                "0.9 0.1 0.5 0",
            ),
            11 => (format!("[/ICCBased {} 0 R]", profile(self, 1, "")), "0.2"),
            12 => ("[/Nonsense/DeviceRGB]".to_owned(), "0.9 0.1 0.2"),
            _ => (format!("[/Separation/None/DeviceCMYK {CMYK_TINT}]"), "1"),
        };
        (space, colour)
    }

    /// A colour space, a colour and a pattern.
    fn tiling(&mut self) -> (String, &'static str, String) {
        let uncoloured = self.random.once_in(3);
        let kind = if uncoloured { 2 } else { 1 };
        let side = self.random.number(4, 30);
        let step = if self.random.once_in(4) {
            self.random.length(1, 40)
        } else {
            side.to_string()
        };
        let mut entries = format!(
            "/Type/Pattern/PatternType 1/TilingType {}",
            self.random.number(1, 3)
        );
        for entry in [
            format!("/PaintType {kind}"),
            format!("/BBox[0 0 {side} {side}]"),
            format!("/XStep {step}"),
            format!("/YStep {side}"),
            "/Resources<<>>".to_owned(),
        ] {
            entries += &self.entry(&entry);
        }
        entries += self.random.pick(&[
            "",
            "",
            "",
            "/Matrix[0.5 0 0 0.5 3 3]",
            "/Matrix[1 0.5 -0.5 1 0 0]",
            "/Matrix[1 0 0 -1 0 0]",
            "/Matrix[-1 0 0 1 5 5]",
        ]);
        let tile = format!("0 0 {0} {0} re f 1 w 0 0 m {side} {side} l S", side / 2 + 1);
        let tile = if uncoloured {
            tile
        } else {
            format!("0.7 0.1 0 rg 0 0 1 RG {tile}")
        };
        let tiny = self.random.once_in(20);
        let pattern = if tiny {
            let entries = format!(
                "/PatternType 1/PaintType {kind}/TilingType 1/BBox[0 0 0.003 0.003]/XStep 0.003/YStep 0.003/Resources<<>>\
                 /Matrix[4000 0 0 4000 0 0]"
            );
            self.named_object(Kind::Pattern, &stream(&entries, b"0 0 0.002 0.002 re f"))
        } else {
            self.named_object(Kind::Pattern, &stream(&entries, tile.as_bytes()))
        };
        if uncoloured {
            let space = self.name(Kind::Space, "[/Pattern/DeviceRGB]");
            (space, "0.1 0.4 0.1", pattern)
        } else {
            ("/Pattern".to_owned(), "", pattern)
        }
    }

    pub(super) fn shading_fill(&mut self) -> String {
        let shading = self.shading();
        let name = self.name(Kind::Shading, &shading);
        format!("10 10 90 90 re W n {name} sh")
    }

    fn function(&mut self, inputs: usize) -> String {
        let ramp = "<</FunctionType 2/Domain[0 1]/C0[0.6 0 0.1]/C1[0 0.2 0.7]/N 1>>";
        match (inputs, self.random.below(6)) {
            (1, 0..=2) => ramp.to_owned(),
            (1, 3) => format!(
                "<</FunctionType 3/Domain[0 1]/Functions[{ramp} {ramp}]/Bounds[0.5]/Encode[0 1 1 0]>>"
            ),
            (1, 4) => {
                let single = "<</FunctionType 2/Domain[0 1]/C0[0.6]/C1[0.1]/N 2>>";
                format!("[{single} {single} {single}]")
            }
            (1, _) => {
                let dict = "/FunctionType 0/Domain[0 1]/Range[0 1 0 1 0 1]/Size[2]/BitsPerSample 8";
                let number = self.doc.add(stream(dict, &[200, 0, 0, 0, 0, 200]));
                format!("{number} 0 R")
            }
            _ => {
                let dict = "/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1]";
                let program = self.random.pick(&[
                    "{ 0.2 }",
                    "{ pop dup 0.5 mul 0.1 }",
                    "{ 2 copy mul }",
                    "{ pop pop pop }",
                ]);
                let number = self.doc.add(stream(dict, program.as_bytes()));
                format!("{number} 0 R")
            }
        }
    }

    /// A shading, as an object or a reference.
    fn shading(&mut self) -> String {
        let kind = self.random.number(1, 7);
        let space = self.entry("/ColorSpace/DeviceRGB");
        let extend = self.random.pick(&[
            "",
            "/Extend[true true]",
            "/Extend[true true]",
            "/Extend[false true]",
        ]);
        let back = self.random.pick(&["", "", "", "/Background[0.9 0.9 0.5]"]);
        let bounds = self.random.pick(&["", "", "", "/BBox[20 20 90 90]"]);
        let common = format!("/ShadingType {kind}{space}{extend}{back}{bounds}");
        match kind {
            1 => {
                let function = self.function(2);
                format!("<<{common}/Matrix[100 0 0 100 10 10]/Function {function}>>")
            }
            2 => {
                let function = self.function(1);
                let end = self.random.pick(&[
                    "110 90",
                    "110 10",
                    "10 110",
                    "90 90",
                    "60 60",
                    "10.001 10",
                    "10 10.003",
                    "10 10",
                    "0.1 0.1",
                ]);
                let function = self.entry(&format!("/Function {function}"));
                format!("<<{common}/Coords[10 10 {end}]{function}>>")
            }
            3 => {
                let function = self.function(1);
                let circles = self.random.pick(&[
                    "60 60 0 60 60 50",
                    "60 60 10 80 60 40",
                    "20 60 20 100 60 20",
                    "60 60 30 60 60 30.002",
                    "60 60 0 60.001 60 0.001",
                    "30 60 30 60 60 60",
                ]);
                format!("<<{common}/Coords[{circles}]/Function {function}>>")
            }
            _ => self.mesh(kind, &common),
        }
    }

    fn mesh(&mut self, kind: i32, common: &str) -> String {
        let mut data = Vec::new();
        let colours = [[200, 0, 0], [0, 160, 0], [0, 0, 200], [90, 90, 0]];
        let mut entries =
            format!("{common}/BitsPerCoordinate 8/BitsPerComponent 8/Decode[0 120 0 120 0 1 0 1 0 1]");
        match kind {
            4 => {
                for (corner, colour) in [[20, 20], [230, 30], [120, 220]].iter().zip(colours) {
                    data.push(0);
                    data.extend_from_slice(corner);
                    data.extend_from_slice(&colour);
                }
            }
            5 => {
                entries += "/VerticesPerRow 2";
                for (corner, colour) in [[20, 20], [230, 30], [30, 220], [220, 200]].iter().zip(colours) {
                    data.extend_from_slice(corner);
                    data.extend_from_slice(&colour);
                }
            }
            _ => {
                let edge = [
                    [20, 20],
                    [10, 90],
                    [40, 150],
                    [20, 220],
                    [90, 240],
                    [150, 200],
                    [220, 230],
                    [230, 150],
                    [200, 90],
                    [220, 20],
                    [150, 10],
                    [90, 40],
                    [90, 90],
                    [90, 150],
                    [150, 150],
                    [150, 90],
                ];
                data.push(0);
                for point in &edge[..if kind == 6 { 12 } else { 16 }] {
                    data.extend_from_slice(point);
                }
                data.extend_from_slice(&colours.concat());
            }
        }
        if kind != 5 {
            entries += "/BitsPerFlag 8";
        }
        match self.random.below(8) {
            0 => data.truncate(data.len() - 1),
            1 => data.push(b'\n'),
            _ => {}
        }
        format!("{} 0 R", self.doc.add(stream(&entries, &data)))
    }
}
