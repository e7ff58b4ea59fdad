//! Sites that may show a company's pages inside their own.

/// A text that is no origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an origin such as https://portal.example.com")]
pub struct NotAnOrigin;

/// An origin as browsers write it: scheme, host and port, nothing else; https, but for this machine.
pub fn origin(text: &str) -> Result<String, NotAnOrigin> {
    let url = url::Url::parse(text).map_err(|_| NotAnOrigin)?;
    let secure = url.scheme() == "https" || matches!(url.host_str(), Some("localhost" | "127.0.0.1"));
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    if !(secure && bare && url.origin().is_tuple() && url.username().is_empty()) {
        return Err(NotAnOrigin);
    }
    Ok(url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::origin;

    #[test]
    fn origins_are_bare() {
        assert_eq!(
            origin("https://Portal.example.com/").unwrap(),
            "https://portal.example.com"
        );
        assert_eq!(origin("http://localhost:3000").unwrap(), "http://localhost:3000");
        for bad in [
            "portal.example.com",
            "http://example.com",
            "https://example.com/x",
            "https://a@example.com",
            "data:x",
            "https://example.com; script-src *",
        ] {
            assert!(origin(bad).is_err(), "{bad}");
        }
    }
}
