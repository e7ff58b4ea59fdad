//! A company's branding: its logo, and its colour made readable in both colour schemes.

use data_encoding::BASE64;
use domain::Colour;
use domain::event::hex;
use sha2::{Digest, Sha256};
use store::CompanyRow;

/// The background of the dark scheme.
const DARK_BACKGROUND: Colour = Colour::new(0x1b, 0x21, 0x27);
/// Text on the colour, in the dark scheme.
const DARK_TEXT: Colour = Colour::new(0x10, 0x17, 0x1d);
/// The contrast that WCAG AA requires.
const MIN_CONTRAST: f64 = 4.5;
const DARK_CONTRAST: f64 = 7.0;

/// The branding of a company.
#[derive(Debug, Clone, Default)]
pub(crate) struct Branding {
    /// CSS rules that replace our colour by the company's.
    pub(crate) style: Option<String>,
    /// Where its logo is.
    pub(crate) logo: Option<String>,
}

impl Branding {
    pub(crate) fn of(company: &CompanyRow) -> Self {
        let colour = company.colour.as_deref().and_then(|text| text.parse().ok());
        Self {
            style: colour.map(style),
            logo: company
                .logo
                .as_ref()
                .map(|digest| format!("/logos/{}", hex(digest))),
        }
    }

    /// The rules as a content security policy names them.
    pub(crate) fn source(&self) -> Option<String> {
        let style = self.style.as_deref()?;
        let hash = Sha256::digest(style.as_bytes());
        Some(format!("'sha256-{}'", BASE64.encode(&hash)))
    }
}

fn style(colour: Colour) -> String {
    let light = colour.readable_on(Colour::DARKEST_BACKGROUND, Colour::BLACK, MIN_CONTRAST);
    let dark = colour.readable_on(DARK_BACKGROUND, Colour::WHITE, DARK_CONTRAST);
    let on = DARK_TEXT.readable_on(dark, Colour::BLACK, MIN_CONTRAST);
    format!(
        ":root{{--accent:{light};--press:{};--on:#fff;--tint:{}}}\
         @media (prefers-color-scheme:dark){{:root{{--accent:{dark};--press:{};--on:{on};--tint:{}}}}}",
        light.mixed(Colour::BLACK, 25),
        light.mixed(Colour::WHITE, 92),
        dark.mixed(Colour::WHITE, 30),
        DARK_BACKGROUND.mixed(dark, 12),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_can_be_read_by_day_and_by_night() {
        for text in [
            "#ffe600", "#000000", "#ffffff", "#0b5563", "#c00000", "#1b2127", "#00ff00",
        ] {
            let colour: Colour = text.parse().unwrap();
            let style = style(colour);
            let values: Vec<Colour> = style
                .split("--accent:")
                .skip(1)
                .map(|rest| rest[..7].parse().unwrap())
                .collect();
            assert!(
                values[0].contrast(Colour::DARKEST_BACKGROUND) >= MIN_CONTRAST,
                "{text}: {style}"
            );
            let tints = style
                .split("--tint:")
                .skip(1)
                .map(|rest| rest[..7].parse::<Colour>().unwrap());
            for (accent, tint) in values.iter().zip(tints) {
                assert!(accent.contrast(tint) >= MIN_CONTRAST, "{text}: {style}");
            }
            assert!(
                values[1].contrast(DARK_BACKGROUND) >= MIN_CONTRAST,
                "{text}: {style}"
            );
            assert!(values[1].contrast(DARK_TEXT) >= MIN_CONTRAST, "{text}: {style}");
        }
    }
}
