//! Texts in both languages side by side, as methods of [`super::Lang`].

/// `name: "español", "English";` becomes `l.name()`.
macro_rules! texts {
    ($($name:ident: $es:literal, $en:literal;)*) => {
        impl crate::page::Lang {
            $(pub(crate) const fn $name(self) -> &'static str {
                match self { Self::Es => $es, Self::En => $en }
            })*
        }
    };
}

pub(crate) use texts;
