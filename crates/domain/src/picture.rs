//! The picture that a signer may add to a signature: strokes that were drawn, or a typed name. It decorates the signature
//! sheet and proves nothing.

use crate::text::PersonName;
use serde::{Serialize, Serializer};

/// The area in which strokes are drawn: width and height.
pub const PICTURE_AREA: [u16; 2] = [600, 200];
/// Strokes of one picture.
pub const MAX_STROKES: usize = 40;
/// Points of one picture, over all strokes.
pub const MAX_POINTS: usize = 400;
/// Characters of a typed name.
pub const MAX_TYPED_CHARS: usize = 60;
/// Bytes of strokes as text: no text of a picture is longer.
const MAX_STROKES_BYTES: usize = MAX_POINTS * 8;
/// How far a drawing must reach, so that it is more than a dot.
const MIN_REACH: u16 = 20;

/// Whether a company has signers add a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PicturePolicy {
    /// They are not asked.
    #[default]
    Off,
    /// They may.
    Optional,
    /// They must.
    Required,
}

impl PicturePolicy {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Off, Self::Optional, Self::Required];

    /// Its name.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Optional => "optional",
            Self::Required => "required",
        }
    }
}

/// A signature as it looks on the sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignaturePicture {
    /// Lines through points, from the left and from the top.
    Drawn(Vec<Vec<[u16; 2]>>),
    /// A name in slanted letters.
    Typed(PersonName),
}

/// A text is no picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAPicture;

impl SignaturePicture {
    /// Strokes as a browser sends them: points as `x,y`, separated by blanks; strokes separated by semicolons.
    pub fn drawn(text: &str) -> Result<Self, NotAPicture> {
        if text.len() > MAX_STROKES_BYTES {
            return Err(NotAPicture);
        }
        let strokes = text
            .split(';')
            .map(|stroke| stroke.split(' ').map(point).collect())
            .collect::<Result<Vec<Vec<[u16; 2]>>, NotAPicture>>()?;
        let count: usize = strokes.iter().map(Vec::len).sum();
        let all = || strokes.iter().flatten();
        let reach = |axis: usize| {
            let least = all().map(|point| point[axis]).min().unwrap_or_default();
            let most = all().map(|point| point[axis]).max().unwrap_or_default();
            most - least
        };
        let is_seen = reach(0).max(reach(1)) >= MIN_REACH;
        if strokes.len() > MAX_STROKES || count > MAX_POINTS || !is_seen {
            return Err(NotAPicture);
        }
        Ok(Self::Drawn(strokes))
    }

    /// A name as the signer types it.
    pub fn typed(text: &str) -> Result<Self, NotAPicture> {
        let text = text.trim();
        if text.chars().count() > MAX_TYPED_CHARS || text.is_empty() {
            return Err(NotAPicture);
        }
        let name = PersonName::new(text.to_owned()).map_err(|_| NotAPicture)?;
        Ok(Self::Typed(name))
    }

    /// Its kind: `drawn` or `typed`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Drawn(_) => "drawn",
            Self::Typed(_) => "typed",
        }
    }

    /// The text from which it is made again.
    pub fn text(&self) -> String {
        match self {
            Self::Typed(name) => name.as_str().to_owned(),
            Self::Drawn(strokes) => {
                let points = |stroke: &Vec<[u16; 2]>| {
                    let points: Vec<String> = stroke.iter().map(|[x, y]| format!("{x},{y}")).collect();
                    points.join(" ")
                };
                let strokes: Vec<String> = strokes.iter().map(points).collect();
                strokes.join(";")
            }
        }
    }
}

/// A decimal number is written in one way only.
fn coordinate(text: &str, most: u16) -> Result<u16, NotAPicture> {
    let plain = text == "0" || !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number| plain && *number <= most);
    number.ok_or(NotAPicture)
}

fn point(text: &str) -> Result<[u16; 2], NotAPicture> {
    let (x, y) = text.split_once(',').ok_or(NotAPicture)?;
    Ok([coordinate(x, PICTURE_AREA[0])?, coordinate(y, PICTURE_AREA[1])?])
}

/// As an event has it: the kind, and the text, which is personal.
impl Serialize for SignaturePicture {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields {
            kind: &'static str,
            picture_text: String,
        }
        let (kind, picture_text) = (self.kind(), self.text());
        Fields { kind, picture_text }.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_are_read_as_they_are_written() {
        let text = "0,0 600,200;10,10 30,12 31,90";
        let drawn = SignaturePicture::drawn(text).unwrap();
        assert_eq!(drawn.text(), text);
        assert_eq!(drawn.kind(), "drawn");
        let typed = SignaturePicture::typed(" María Ñáñez ").unwrap();
        assert_eq!((typed.text().as_str(), typed.kind()), ("María Ñáñez", "typed"));
    }

    #[test]
    fn whatever_is_no_picture_is_refused() {
        let points = |count: usize| vec!["0,0"; count].join(" ");
        let long = format!("{} 500,100", points(MAX_POINTS));
        let strokes = vec!["0,0 90,90"; MAX_STROKES + 1].join(";");
        for text in [
            "",
            "1,1",
            "1,1 5,5",
            "0,0 601,10",
            "0,0 60,201",
            "0,0 60,-1",
            "0,0 +60,1",
            "0,0 060,1",
            "0,0  60,1",
            "0,0 60",
            "0,0 60,1,2",
            "0,0;",
            "0,0 60,1;",
            "NaN,0 60,1",
            "0,0 1e2,1",
            "0,0 99999999999,1",
            &long,
            &strokes,
        ] {
            assert_eq!(SignaturePicture::drawn(text), Err(NotAPicture), "{text}");
        }
        let most = format!("{} 500,100", points(MAX_POINTS - 1));
        assert!(SignaturePicture::drawn(&most).is_ok());
        for text in ["", "   ", "a\u{7}b", &"x".repeat(MAX_TYPED_CHARS + 1)] {
            assert_eq!(SignaturePicture::typed(text), Err(NotAPicture), "{text}");
        }
    }
}
