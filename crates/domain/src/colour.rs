//! Colours that companies choose, and their contrast with the background (WCAG).

use std::fmt;
use std::str::FromStr;

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour {
    /// Red, green, blue.
    rgb: [u8; 3],
}

/// A text that is no colour such as `#0b5563`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a colour is # and six hexadecimal digits")]
pub struct NotAColour;

/// The least contrast of text with its background.
pub const MIN_TEXT_CONTRAST: f64 = 4.5;

impl Colour {
    /// White.
    pub const WHITE: Self = Self { rgb: [255; 3] };
    /// The darkest background of text in the light theme.
    pub const DARKEST_BACKGROUND: Self = Self {
        rgb: [0xeb, 0xea, 0xe6],
    };
    /// Black.
    pub const BLACK: Self = Self { rgb: [0; 3] };

    /// The colour of these parts.
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self {
            rgb: [red, green, blue],
        }
    }

    /// The contrast of the two: from 1 to 21.
    pub fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn luminance(self) -> f64 {
        let part = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        let [red, green, blue] = self.rgb.map(part);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// This colour with so many hundredths of another in it.
    #[must_use]
    pub fn mixed(self, other: Self, hundredths: u8) -> Self {
        let share = u16::from(hundredths.min(100));
        let mix = |own: u8, other: u8| {
            let mixed = (u16::from(own) * (100 - share) + u16::from(other) * share + 50) / 100;
            u8::try_from(mixed).unwrap_or(u8::MAX)
        };
        let mut rgb = self.rgb;
        for (part, other) in rgb.iter_mut().zip(other.rgb) {
            *part = mix(*part, other);
        }
        Self { rgb }
    }

    /// The nearest colour on the way to `end` that can be read on that ground, or `end` itself.
    #[must_use]
    pub fn readable_on(self, ground: Self, end: Self, least: f64) -> Self {
        let steps = (0..=100).map(|share| self.mixed(end, share));
        let mut fitting = steps.filter(|colour| colour.contrast(ground) >= least);
        fitting.next().unwrap_or(end)
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.rgb;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl FromStr for Colour {
    type Err = NotAColour;

    fn from_str(text: &str) -> Result<Self, NotAColour> {
        let digits = text.strip_prefix('#').ok_or(NotAColour)?;
        let fits = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| fits);
        let [_, red, green, blue] = number.ok_or(NotAColour)?.to_be_bytes();
        Ok(Self {
            rgb: [red, green, blue],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_and_written() {
        let colour: Colour = "#0B5563".parse().unwrap();
        assert_eq!(colour.to_string(), "#0b5563");
        for bad in [
            "", "#0b556", "0b5563", "#0b556g", "#+b5563", "#0b55634", "#0b556é",
        ] {
            assert_eq!(bad.parse::<Colour>(), Err(NotAColour), "{bad}");
        }
    }

    #[test]
    fn pale_colours_become_readable() {
        let yellow: Colour = "#ffe600".parse().unwrap();
        assert!(yellow.contrast(Colour::WHITE) < 1.5);
        let readable = yellow.readable_on(Colour::WHITE, Colour::BLACK, MIN_TEXT_CONTRAST);
        assert!(readable.contrast(Colour::WHITE) >= MIN_TEXT_CONTRAST);
        let dark: Colour = "#0b5563".parse().unwrap();
        assert_eq!(
            dark.readable_on(Colour::WHITE, Colour::BLACK, MIN_TEXT_CONTRAST),
            dark
        );
        assert!((Colour::BLACK.contrast(Colour::WHITE) - 21.0).abs() < 0.01);
    }

    #[test]
    fn contrasts_are_those_of_the_web_content_guidelines() {
        let contrast = |one: &str, other: &str| {
            let colour = |text: &str| text.parse::<Colour>().unwrap();
            colour(one).contrast(colour(other))
        };
        for (one, other, expected) in [
            ("#767676", "#ffffff", 4.54),
            ("#0a0a0a", "#000000", 1.06),
            ("#ff0000", "#000000", 5.25),
            ("#00ff00", "#000000", 15.30),
            ("#0000ff", "#000000", 2.44),
        ] {
            assert!(
                (contrast(one, other) - expected).abs() < 0.01,
                "{one} on {other}: {}",
                contrast(one, other)
            );
        }
    }

    #[test]
    fn a_mix_lies_between_its_colours() {
        let (dark, light) = (Colour::new(0, 100, 200), Colour::new(200, 100, 0));
        assert_eq!(dark.mixed(light, 0), dark);
        assert_eq!(dark.mixed(light, 100), light);
        assert_eq!(dark.mixed(light, 250), light);
        assert_eq!(dark.mixed(light, 25), Colour::new(50, 100, 150));
        assert_eq!(
            Colour::BLACK.mixed(Colour::new(1, 99, 3), 50),
            Colour::new(1, 50, 2),
            "rounded"
        );
    }
}
