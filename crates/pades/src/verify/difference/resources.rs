//! The form's default resources, with which readers draw typed text. They may grow with a signature: Acrobat adds two fonts
//! and an encoding, other programs the fonts of their appearances.

use pdf::syntax::{Dict, Kind, Value};

use super::{Comparison, is_string};
use crate::verify::reason::Change;

/// The names that `PDFDocEncoding` gives to codes, as far as it differs from `StandardEncoding`: a code, and the names from
/// there on (ISO 32000-1, annex D.2).
const PDF_DOC_ENCODING: [(i64, &str); 12] = [
    (
        24,
        "breve caron circumflex dotaccent hungarumlaut ogonek ring tilde",
    ),
    (39, "quotesingle"),
    (96, "grave"),
    (
        128,
        "bullet dagger daggerdbl ellipsis emdash endash florin fraction guilsinglleft guilsinglright minus perthousand \
         quotedblbase quotedblleft quotedblright quoteleft quoteright quotesinglbase trademark fi fl Lslash OE Scaron \
         Ydieresis Zcaron dotlessi lslash oe scaron zcaron",
    ),
    (160, "Euro"),
    (164, "currency"),
    (166, "brokenbar"),
    (168, "dieresis copyright ordfeminine"),
    (
        172,
        "logicalnot .notdef registered macron degree plusminus twosuperior threesuperior acute mu",
    ),
    (183, "periodcentered cedilla onesuperior ordmasculine"),
    (188, "onequarter onehalf threequarters"),
    (
        192,
        "Agrave Aacute Acircumflex Atilde Adieresis Aring AE Ccedilla Egrave Eacute Ecircumflex Edieresis Igrave Iacute \
         Icircumflex Idieresis Eth Ntilde Ograve Oacute Ocircumflex Otilde Odieresis multiply Oslash Ugrave Uacute \
         Ucircumflex Udieresis Yacute Thorn germandbls agrave aacute acircumflex atilde adieresis aring ae ccedilla egrave \
         eacute ecircumflex edieresis igrave iacute icircumflex idieresis eth ntilde ograve oacute ocircumflex otilde \
         odieresis divide oslash ugrave uacute ucircumflex udieresis yacute thorn ydieresis",
    ),
];

impl<'d> Comparison<'d> {
    /// Whether every resource is still the same, and a new one is none that typed text could be drawn with, or one of
    /// those that Acrobat adds.
    pub(super) fn resources_grown(
        &self,
        before: &Dict<'d>,
        now: &Dict<'d>,
        has_text: bool,
    ) -> Result<bool, Change> {
        let before = self.old.lookup_dict(before, "DR")?.unwrap_or_default();
        let Some(now) = self.new.lookup_dict(now, "DR")? else {
            return Ok(false);
        };
        if now.ambiguous || before.entries.iter().any(|(key, _)| now.value(key).is_none()) {
            return Ok(false);
        }
        // The list of procedure sets is obsolete, and no reader draws with it.
        let categories = now.entries.iter().filter(|(key, _)| key.as_ref() != b"ProcSet");
        for (category, value) in categories {
            let old = match before.value(category) {
                Some(old) => self.old.resolve(old)?,
                None => Value {
                    raw: b"",
                    kind: Kind::Dict(Dict::default()),
                },
            };
            let value = self.new.resolve(value)?;
            let fine = match (&old.kind, &value.kind) {
                (Kind::Dict(old), Kind::Dict(value)) => {
                    self.category_grown(category, old, value, has_text)?
                }
                _ => old.says_the_same(&value),
            };
            if !fine {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn category_grown(
        &self,
        category: &[u8],
        before: &Dict<'d>,
        now: &Dict<'d>,
        has_text: bool,
    ) -> Result<bool, Change> {
        if now.ambiguous || before.entries.iter().any(|(key, _)| now.value(key).is_none()) {
            return Ok(false);
        }
        for (name, value) in &now.entries {
            let fine = match before.value(name) {
                Some(old) => old.says_the_same(value),
                None if !has_text => true,
                None => match (category, name.as_ref()) {
                    (b"Font", b"Helv") => self.is_standard_font(value, b"Helvetica")?,
                    (b"Font", b"ZaDb") => self.is_standard_font(value, b"ZapfDingbats")?,
                    (b"Encoding", b"PDFDocEncoding") => self.is_standard_encoding(value)?,
                    _ => false,
                },
            };
            if !fine {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a font is one that every reader has, and draws each letter as itself.
    fn is_standard_font(&self, font: &Value<'d>, name: &[u8]) -> Result<bool, Change> {
        let Kind::Dict(font) = self.new.resolve(font)?.kind else {
            return Ok(false);
        };
        let known = font.entries.iter().all(|(key, value)| match key.as_ref() {
            b"Type" => value.as_name() == Some(b"Font"),
            b"Subtype" => value.as_name() == Some(b"Type1"),
            b"BaseFont" => value.as_name() == Some(name),
            b"Name" => value.as_name().is_some(),
            b"Encoding" => true,
            _ => false,
        });
        if !known || font.ambiguous || !font.has("BaseFont") || !font.has("Subtype") {
            return Ok(false);
        }
        match font.get("Encoding") {
            None => Ok(true),
            Some(encoding) => self.is_standard_encoding(encoding),
        }
    }

    /// Whether an encoding is that of Windows, or gives no code another name than `PDFDocEncoding` does.
    fn is_standard_encoding(&self, encoding: &Value<'d>) -> Result<bool, Change> {
        let encoding = self.new.resolve(encoding)?;
        let Kind::Dict(encoding) = &encoding.kind else {
            return Ok(encoding.as_name() == Some(b"WinAnsiEncoding"));
        };
        let keys = encoding.entries.iter().map(|(key, _)| key.as_ref());
        if encoding.ambiguous
            || keys
                .into_iter()
                .any(|key| !matches!(key, b"Type" | b"Differences"))
        {
            return Ok(false);
        }
        let names = self
            .new
            .lookup_array(encoding, "Differences")?
            .unwrap_or_default();
        let mut code = 0;
        for item in &names {
            match (item.as_int(), item.as_name()) {
                (Some(next), _) => code = next,
                (None, Some(name)) if is_named(code, name) => code += 1,
                _ => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// Whether `PDFDocEncoding` gives a code this name.
fn is_named(code: i64, name: &[u8]) -> bool {
    let mut codes = PDF_DOC_ENCODING
        .iter()
        .flat_map(|(first, names)| (*first..).zip(names.split(' ')));
    codes.any(|(known, text)| known == code && text.as_bytes() == name)
}

/// Whether a text is the default of typed text that Acrobat adds, or there is no typed text: black Helvetica of any size that
/// fits.
pub(super) fn is_default_text(text: &Value<'_>, has_text: bool) -> bool {
    if !has_text {
        return is_string(text);
    }
    let text = text.as_string().unwrap_or_default();
    let words: Vec<&[u8]> = text
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .collect();
    words == [b"/Helv".as_slice(), b"0", b"Tf", b"0", b"g"]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_the_names_of_the_standard() {
        for (code, name) in [
            (24, "breve"),
            (31, "tilde"),
            (39, "quotesingle"),
            (158, "zcaron"),
            (160, "Euro"),
            (173, ".notdef"),
            (181, "mu"),
            (186, "ordmasculine"),
            (209, "Ntilde"),
            (255, "ydieresis"),
        ] {
            assert!(is_named(code, name.as_bytes()), "{code} {name}");
            assert!(!is_named(code + 1, name.as_bytes()), "{code} {name}");
        }
    }
}
