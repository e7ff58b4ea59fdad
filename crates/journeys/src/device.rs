//! What the page is looked at with.

use serde_json::{Value, json};

/// A screen, and its owner's taste.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Device {
    /// What it is called in file names.
    pub name: &'static str,
    width: u32,
    height: u32,
    scale: u32,
    dark: bool,
}

impl Device {
    pub const PHONE: Self = Self {
        name: "phone",
        width: 360,
        height: 740,
        scale: 2,
        dark: false,
    };
    pub const SMALL: Self = Self {
        name: "small",
        width: 320,
        height: 568,
        scale: 2,
        dark: false,
    };
    pub const DESKTOP: Self = Self {
        name: "desktop",
        width: 1280,
        height: 800,
        scale: 1,
        dark: false,
    };

    /// The same at night.
    #[must_use]
    pub const fn dark(self) -> Self {
        Self { dark: true, ..self }
    }

    /// Whether its owner likes dark pages.
    pub const fn is_dark(self) -> bool {
        self.dark
    }

    /// What it is called in file names, day and night apart.
    pub fn label(self) -> String {
        let night = if self.dark { "-dark" } else { "" };
        format!("{}{night}", self.name)
    }

    /// The same, as high as a page, but not without end.
    pub(crate) fn as_high_as(self, page: u32) -> Self {
        Self {
            height: page.clamp(self.height, 6_000),
            ..self
        }
    }

    /// Whether it is held in the hand and touched.
    pub(crate) const fn is_mobile(self) -> bool {
        self.width < 800
    }

    /// Its screen, as the browser's own protocol takes it.
    pub(crate) fn screen(self) -> Value {
        json!({
            "width": self.width, "height": self.height, "deviceScaleFactor": self.scale,
            "mobile": self.is_mobile(),
        })
    }

    /// Its owner's taste, as the browser's own protocol takes it.
    pub(crate) fn media(self) -> Value {
        let scheme = if self.dark { "dark" } else { "light" };
        json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] })
    }
}
