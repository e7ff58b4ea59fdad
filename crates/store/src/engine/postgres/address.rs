//! The address of a `PostgreSQL` server: what the driver reads of it, and what it does not know.

use crate::error::Error;

/// An address, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// The driver's URL. Unless it says otherwise, the driver uses only a server that takes writes.
    pub(super) url: String,
    /// The file with the authorities that may vouch for the server. Certificate and name are always verified.
    pub(super) root_certificate: Option<String>,
    /// Whether a pooler such as pgbouncer may give each transaction another connection to the server.
    pub(super) pooled: bool,
}

impl Address {
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        let (base, query) = text.split_once('?').unwrap_or((text, ""));
        let (mut root_certificate, mut pooled) = (None, false);
        let mut known = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("sslrootcert", path)) => root_certificate = Some(path.to_owned()),
                Some(("sslmode", "verify-ca" | "verify-full")) => known.push("sslmode=require"),
                Some(("pool_mode", "session")) => pooled = false,
                Some(("pool_mode", "transaction")) => pooled = true,
                Some(("pool_mode", other)) => {
                    return Err(Error::Settings(format!(
                        "database address: pool_mode is session or transaction, not `{other}`"
                    )));
                }
                _ => known.push(pair),
            }
        }
        if !known.iter().any(|pair| pair.starts_with("target_session_attrs=")) {
            known.push("target_session_attrs=read-write");
        }
        Ok(Self {
            url: format!("{base}?{}", known.join("&")),
            root_certificate,
            pooled,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn the_driver_gets_what_it_knows() {
        let parsed = |text| Address::parse(text).unwrap();
        let plain = parsed("postgres://h/d");
        assert_eq!(plain.url, "postgres://h/d?target_session_attrs=read-write");
        assert_eq!((plain.root_certificate, plain.pooled), (None, false));

        let all = parsed(
            "postgres://h/d?sslrootcert=/ca.pem&sslmode=verify-full&pool_mode=transaction&target_session_attrs=any",
        );
        assert_eq!(all.url, "postgres://h/d?sslmode=require&target_session_attrs=any");
        assert_eq!(
            (all.root_certificate.as_deref(), all.pooled),
            (Some("/ca.pem"), true)
        );
    }

    #[test]
    fn a_pooler_by_statement_is_refused() {
        let refused = Address::parse("postgres://h/d?pool_mode=statement").unwrap_err();
        assert!(refused.to_string().contains("`statement`"), "{refused}");
    }
}
