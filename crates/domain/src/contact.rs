//! How a signer is reached, and where the signer goes afterwards.

use crate::field_error::FieldError;
use crate::limits;
use crate::text::{is_hostile, is_pasted_mark, without_pasted_marks};
use std::borrow::Cow;

/// An email address.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct Email(String);

impl Email {
    /// A local part and a domain with a dot, without anything a mail header could be broken with.
    pub fn new(text: impl Into<String>) -> Result<Self, FieldError> {
        let text = without_pasted_marks(text.into());
        if text.trim().is_empty() {
            return Err(FieldError::Missing);
        }
        if text.chars().count() > limits::EMAIL {
            return Err(FieldError::TooLong { max: limits::EMAIL });
        }
        let (local, domain) = text.rsplit_once('@').ok_or(FieldError::NotEmail)?;
        if local_part(local) && domain_part(domain) {
            Ok(Self(text))
        } else {
            Err(FieldError::NotEmail)
        }
    }

    /// The address as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// An address that was accepted before and is read back.
    pub const fn stored(text: String) -> Self {
        Self(text)
    }
}

fn local_part(local: &str) -> bool {
    let plain = |c: char| !(is_hostile(c) || c.is_whitespace() || r#"()<>[]:;@\,""#.contains(c));
    !local.is_empty()
        && local.len() <= 64
        && local.chars().all(plain)
        && local.split('.').all(|atom| !atom.is_empty())
}

fn domain_part(domain: &str) -> bool {
    let label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    domain.contains('.') && domain.split('.').all(label)
}

/// A mobile phone number.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct Mobile(String);

impl Mobile {
    /// 7 to 15 digits with an optional leading plus; blanks and hyphens are dropped.
    pub fn new(text: &str) -> Result<Self, FieldError> {
        if text.trim().is_empty() {
            return Err(FieldError::Missing);
        }
        let kept: String = text
            .chars()
            .filter(|c| !matches!(c, ' ' | '-') && !is_pasted_mark(*c))
            .collect();
        let digits = kept.strip_prefix('+').unwrap_or(&kept);
        let length = limits::MOBILE_MIN..=limits::MOBILE_MAX;
        if !length.contains(&digits.len()) || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(FieldError::NotMobile);
        }
        Ok(Self(kept))
    }

    /// The number as it was given, without blanks or hyphens.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number to dial: ten digits that start with 3 are Colombian.
    pub fn international(&self) -> Cow<'_, str> {
        let colombian = self.0.len() == 10 && self.0.starts_with('3');
        if colombian {
            format!("+57{}", self.0).into()
        } else {
            self.0.as_str().into()
        }
    }

    /// A number that was accepted before and is read back.
    pub const fn stored(text: String) -> Self {
        Self(text)
    }
}

/// Schemes that are no app's: a browser runs or shows something itself, or speaks another protocol.
const REFUSED_SCHEMES: [&str; 9] = [
    "javascript",
    "data",
    "file",
    "blob",
    "about",
    "vbscript",
    "ftp",
    "ws",
    "wss",
];

/// Where the signer's browser is sent after the act: an absolute http or https address, or one with the scheme of an app;
/// kept as it was given.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct ReturnUrl(String);

impl ReturnUrl {
    /// Takes the address, at most `max` characters long.
    pub fn new(text: impl Into<String>, max: usize) -> Result<Self, FieldError> {
        let text = without_pasted_marks(text.into());
        if text.trim().is_empty() {
            return Err(FieldError::Missing);
        }
        if text.chars().count() > max {
            return Err(FieldError::TooLong { max });
        }
        let clean = !text
            .chars()
            .any(|c| is_hostile(c) || c.is_whitespace() || c == '\\');
        let parsed = url::Url::parse(&text).map_err(|_| FieldError::NotUrl)?;
        let scheme = parsed.scheme();
        let absolute = text
            .get(scheme.len()..)
            .is_some_and(|rest| rest.starts_with("://"));
        let reaches = if matches!(scheme, "http" | "https") {
            parsed.host_str().is_some_and(|host| !host.is_empty())
        } else {
            !REFUSED_SCHEMES.contains(&scheme)
        };
        if clean && absolute && reaches {
            Ok(Self(text))
        } else {
            Err(FieldError::NotUrl)
        }
    }

    /// The address as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// An address that was accepted before and is read back.
    pub const fn stored(text: String) -> Self {
        Self(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emails() {
        for good in ["a@b.co", "maría.pérez+x@ejemplo.com.co", "o'neil@x-y.org"] {
            assert!(Email::new(good).is_ok(), "{good}");
        }
        for bad in [
            "a",
            "a@b",
            "@b.co",
            "a@.co",
            "a b@c.co",
            "a@b.co\r\nBcc: x@y.z",
            "a@@b.co",
            "a..b@c.co",
        ] {
            assert_eq!(Email::new(bad), Err(FieldError::NotEmail), "{bad:?}");
        }
        assert_eq!(Email::new(" "), Err(FieldError::Missing));
    }

    #[test]
    fn mobiles() {
        let normal = |text| Mobile::new(text).map(|m| m.as_str().to_owned());
        assert_eq!(normal("300 123-4567"), Ok("3001234567".into()));
        assert_eq!(
            Mobile::new("300 123-4567").unwrap().international(),
            "+573001234567"
        );
        assert_eq!(normal("+1 202 555 0100"), Ok("+12025550100".into()));
        assert_eq!(normal("6015551234"), Ok("6015551234".into()));
        for bad in [
            "123456",
            "1234567890123456",
            "+57 300 abc",
            "++573001234567",
            "3001234567+",
        ] {
            assert_eq!(normal(bad), Err(FieldError::NotMobile), "{bad:?}");
        }
    }

    #[test]
    fn return_addresses() {
        let max = limits::RETURN_URL_SHORT;
        for good in [
            "https://e.co/x?y=1#z",
            "http://127.0.0.1:9/á",
            "HTTPS://E.CO",
            "miapp://volver?folio=1",
            "co.empresa.app://firmado",
            "intent:///x",
        ] {
            assert_eq!(
                ReturnUrl::new(good, max).map(|u| u.as_str().to_owned()),
                Ok(good.to_owned())
            );
        }
        assert_eq!(
            ReturnUrl::new("\u{feff}https://e.co", max).map(|u| u.0),
            Ok("https://e.co".to_owned())
        );
        for bad in [
            "//e.co",
            "/x",
            "javascript:alert(1)",
            "JavaScript://e.co/%0aalert(1)",
            "data://text/html,x",
            "file:///etc/passwd",
            "blob://x",
            "about://blank",
            "vbscript://x",
            "wss://e.co",
            "miapp:volver",
            " https://e.co",
            "ftp://e.co",
            "https:",
            "https://",
            "https://e.co/a b",
            "http:e.co",
        ] {
            assert_eq!(ReturnUrl::new(bad, max), Err(FieldError::NotUrl), "{bad:?}");
        }
        assert_eq!(
            ReturnUrl::new(format!("https://e.co/{}", "x".repeat(500)), max),
            Err(FieldError::TooLong { max })
        );
    }
}
