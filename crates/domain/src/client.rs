//! Where an act came from: the address that the network shows, and what the browser says of itself. Nothing but the address
//! is verified.

use serde::Serialize;
use std::net::IpAddr;

/// Characters that are kept of a `User-Agent`: those of ordinary browsers have fewer than 200.
const MAX_DEVICE_CHARS: usize = 200;
/// Characters that are kept of an `Accept-Language`: a few languages, in order.
const MAX_LANGUAGE_CHARS: usize = 60;

/// A client of the service.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Client {
    /// Its address, when a network was between.
    pub address: Option<IpAddr>,
    /// The device and the browser, in the words of its `User-Agent`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The languages that it asks for, in the words of its `Accept-Language`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl Client {
    /// A client of which the address alone is known.
    pub const fn at(address: IpAddr) -> Self {
        Self {
            address: Some(address),
            device: None,
            language: None,
        }
    }

    /// A browser at that address, with these headers.
    pub fn browser(address: IpAddr, user_agent: Option<&str>, accept_language: Option<&str>) -> Self {
        Self {
            device: user_agent.and_then(|text| shortened(text, MAX_DEVICE_CHARS)),
            language: accept_language.and_then(|text| shortened(text, MAX_LANGUAGE_CHARS)),
            ..Self::at(address)
        }
    }
}

impl From<IpAddr> for Client {
    fn from(address: IpAddr) -> Self {
        Self::at(address)
    }
}

/// A header without control characters, up to that many characters; none where nothing is left.
fn shortened(text: &str, max: usize) -> Option<String> {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let text: String = text.chars().map(plain).take(max).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Marks in a `User-Agent`, and the names of browsers. Most name several others: the first that fits counts.
const BROWSERS: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
    ("curl/", "curl"),
];
const SYSTEMS: [(&str, &str); 6] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// A `User-Agent` in two words, such as "Firefox, Windows"; none where neither is known.
pub fn browser_name(user_agent: &str) -> Option<String> {
    let known = |names: &[(&str, &'static str)]| {
        let found = names.iter().find(|(mark, _)| user_agent.contains(mark));
        found.map(|(_, name)| *name)
    };
    let parts: Vec<&str> = [known(&BROWSERS), known(&SYSTEMS)]
        .into_iter()
        .flatten()
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_kept_short_and_on_one_line() {
        let address = IpAddr::from([192, 0, 2, 1]);
        let long = format!("Mozilla/5.0\t{}", "ñ".repeat(500));
        let client = Client::browser(address, Some(&long), Some(" es-CO,es;q=0.9 "));
        let device = client.device.unwrap_or_default();
        assert!(device.starts_with("Mozilla/5.0 ñ"), "{device}");
        assert_eq!(device.chars().count(), MAX_DEVICE_CHARS);
        assert_eq!(client.language.as_deref(), Some("es-CO,es;q=0.9"));
        assert_eq!(Client::browser(address, Some(" \t"), None), Client::at(address));
    }

    #[test]
    fn a_browser_is_named_in_two_words() {
        let agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36";
        assert_eq!(browser_name(agent).as_deref(), Some("Chrome, Linux"));
        assert_eq!(browser_name("something"), None);
    }
}
