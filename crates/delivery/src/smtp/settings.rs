//! `smtp://` and `smtps://` addresses.
//!
//! `smtps://` is TLS from the first byte. `smtp://` is STARTTLS, without which nothing is sent; only to this
//! machine, or where `?tls=none` says so, it goes without. Certificates are always verified.

use percent_encoding::percent_decode_str;
use std::net::IpAddr;
use url::Url;

/// How the connection is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// TLS from the first byte.
    Implicit,
    /// TLS after STARTTLS, or nothing.
    StartTls,
    /// None.
    None,
}

/// Where the mail server is, and how to speak to it.
#[derive(Clone, PartialEq, Eq)]
pub struct SmtpSettings {
    /// Its name, as its certificate has it.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is protected.
    pub security: Security,
    /// The name and password to show, if any.
    pub credentials: Option<(String, String)>,
    /// An authority that is trusted besides the system's, as PEM.
    pub root: Option<Vec<u8>>,
}

impl std::fmt::Debug for SmtpSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SmtpSettings")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("security", &self.security)
            .finish_non_exhaustive()
    }
}

/// An address that names no mail server.
#[derive(Debug, thiserror::Error)]
pub enum BadSmtpUrl {
    /// It is no address at all.
    #[error("it is not an address")]
    Malformed,
    /// It begins otherwise.
    #[error("must begin with smtp:// or smtps://")]
    Scheme,
    /// It names no host.
    #[error("names no host")]
    Host,
    /// It asks for something unknown.
    #[error("`{0}` is not known: the only parameter is tls=none or tls=required")]
    Parameter(String),
    /// It would send a password in the clear.
    #[error("a password is not sent without TLS: leave out tls=none")]
    Clear,
    /// A name without a password.
    #[error("has a user without a password")]
    Password,
    /// Certificates cannot be read.
    #[error("TLS cannot be set up: {0}")]
    Tls(#[source] lettre::transport::smtp::Error),
}

impl SmtpSettings {
    /// Reads the address.
    pub fn parse(text: &str) -> Result<Self, BadSmtpUrl> {
        let url = Url::parse(text).map_err(|_| BadSmtpUrl::Malformed)?;
        let host = url
            .host_str()
            .filter(|host| !host.is_empty())
            .ok_or(BadSmtpUrl::Host)?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let near = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
        let mut wanted = None;
        for (name, value) in url.query_pairs() {
            wanted = match (&*name, &*value) {
                ("tls", "none") => Some(Security::None),
                ("tls", "required") => Some(Security::StartTls),
                _ => return Err(BadSmtpUrl::Parameter(format!("{name}={value}"))),
            };
        }
        let security = match (url.scheme(), wanted) {
            ("smtps", None) => Security::Implicit,
            ("smtps", Some(_)) => return Err(BadSmtpUrl::Parameter("smtps://…?tls".to_owned())),
            ("smtp", Some(wanted)) => wanted,
            ("smtp", None) if near => Security::None,
            ("smtp", None) => Security::StartTls,
            _ => return Err(BadSmtpUrl::Scheme),
        };
        let port = url.port().unwrap_or(match security {
            Security::Implicit => 465,
            Security::StartTls => 587,
            Security::None => 25,
        });
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let credentials = match (url.username(), url.password()) {
            ("", _) => None,
            (_, None) => return Err(BadSmtpUrl::Password),
            (user, Some(password)) => Some((decoded(user), decoded(password))),
        };
        if credentials.is_some() && security == Security::None && !near {
            return Err(BadSmtpUrl::Clear);
        }
        Ok(Self {
            host,
            port,
            security,
            credentials,
            root: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, u16, Security) {
        let settings = SmtpSettings::parse(text).unwrap();
        (settings.host, settings.port, settings.security)
    }

    #[test]
    fn addresses_say_how_the_connection_is_protected() {
        use Security::{Implicit, None, StartTls};
        assert_eq!(
            read("smtps://mail.example.com"),
            ("mail.example.com".into(), 465, Implicit)
        );
        assert_eq!(
            read("smtp://mail.example.com"),
            ("mail.example.com".into(), 587, StartTls)
        );
        assert_eq!(
            read("smtp://mail.example.com:25?tls=none"),
            ("mail.example.com".into(), 25, None)
        );
        assert_eq!(read("smtp://127.0.0.1:2525"), ("127.0.0.1".into(), 2525, None));
        assert_eq!(
            read("smtp://localhost?tls=required"),
            ("localhost".into(), 587, StartTls)
        );
        assert_eq!(read("smtp://[::1]"), ("::1".into(), 25, None));
    }

    #[test]
    fn credentials_may_hold_any_character() {
        let settings = SmtpSettings::parse("smtps://yo%40example.com:p%40ss%3A%2F@mail.example.com").unwrap();
        assert_eq!(
            settings.credentials,
            Some(("yo@example.com".into(), "p@ss:/".into()))
        );
        assert!(!format!("{settings:?}").contains("p@ss"));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for bad in [
            "mail.example.com",
            "http://mail.example.com",
            "smtp://",
            "smtp://mail.example.com?tls=maybe",
            "smtps://mail.example.com?tls=none",
            "smtp://u:p@mail.example.com?tls=none",
            "smtps://u@mail.example.com",
        ] {
            assert!(SmtpSettings::parse(bad).is_err(), "{bad}");
        }
    }
}
