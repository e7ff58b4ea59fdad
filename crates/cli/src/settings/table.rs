//! Every setting, in the order in which the file lists them: its name, its default and its meaning.
//!
//! The program reads by this table, `firmeza config` shows it, and the packaged `firmeza.toml` follows from it.

/// One setting. The file has it under its name; the variable is the same in capitals after `FIRMEZA_`.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    pub(crate) default: DefaultValue,
    pub(crate) secret: Secret,
    pub(crate) meaning: &'static str,
}

/// What holds if nothing is set.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DefaultValue {
    /// This value.
    Always(&'static str),
    /// A value for a sandbox, and another for production.
    ByEnvironment {
        sandbox: &'static str,
        production: &'static str,
    },
    /// No value: what happens then, and how a value would look.
    Nothing {
        instead: &'static str,
        example: &'static str,
    },
}

/// The part of a value that `firmeza config show` masks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secret {
    Nothing,
    /// The user's password, and what a query carries.
    InAddress,
    All,
}

impl Setting {
    const fn new(name: &'static str, default: &'static str, meaning: &'static str) -> Self {
        Self {
            name,
            default: DefaultValue::Always(default),
            secret: Secret::Nothing,
            meaning,
        }
    }

    const fn optional(
        name: &'static str,
        instead: &'static str,
        example: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self {
            name,
            default: DefaultValue::Nothing { instead, example },
            secret: Secret::Nothing,
            meaning,
        }
    }

    const fn by_environment(
        name: &'static str,
        sandbox: &'static str,
        production: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self {
            name,
            default: DefaultValue::ByEnvironment { sandbox, production },
            secret: Secret::Nothing,
            meaning,
        }
    }

    const fn secret(mut self, secret: Secret) -> Self {
        self.secret = secret;
        self
    }

    /// The default value, if there is one.
    pub(crate) const fn default_in(&self, production: bool) -> Option<&'static str> {
        match self.default {
            DefaultValue::Always(value) => Some(value),
            DefaultValue::ByEnvironment {
                sandbox,
                production: strict,
            } => Some(if production { strict } else { sandbox }),
            DefaultValue::Nothing { .. } => None,
        }
    }
}

/// Settings that belong together, under a heading.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) heading: &'static str,
    pub(crate) settings: &'static [Setting],
}

/// Every setting there is.
pub(crate) fn all() -> impl Iterator<Item = &'static Setting> {
    GROUPS.iter().flat_map(|group| group.settings)
}

pub(crate) const GROUPS: &[Group] = &[
    Group {
        heading: "The installation",
        settings: &[
            Setting::new(
                "environment",
                "sandbox",
                "sandbox, or production, which refuses to start without https addresses, a master key and a mail server",
            ),
            Setting::optional(
                "base_url",
                "http:// and the address of listen",
                "https://firma.example.com",
                "The address of the service from outside: a host, without a path",
            ),
            Setting::optional(
                "sign_app_url",
                "the base address",
                "https://firma.example.com",
                "The host in signing links, without a path; it must reach the same service",
            ),
            Setting::new(
                "timezone",
                "America/Bogota",
                "The time zone of dates, unless a company has chosen its own",
            ),
        ],
    },
    Group {
        heading: "Connections",
        settings: &[
            Setting::new(
                "listen",
                "127.0.0.1:8080",
                "Where connections are accepted; put a proxy with TLS in front",
            ),
            Setting::new(
                "metrics_listen",
                "127.0.0.1:9464",
                "Where monitoring tools find /metrics and /ready; off turns it off",
            ),
            Setting::optional(
                "trusted_proxies",
                "no proxy is trusted: every signer seems to come from its address",
                "127.0.0.1, 10.0.0.0/8",
                "Addresses or networks of your proxies, separated by commas",
            ),
            Setting::new(
                "connections_per_client",
                "256",
                "Connections of one client address at the same time; 0 is no limit",
            ),
        ],
    },
    Group {
        heading: "Data",
        settings: &[
            Setting::new(
                "data_dir",
                "./firmeza-data",
                "The database, the documents and temporary files, unless they are elsewhere",
            ),
            Setting::optional(
                "database_url",
                "SQLite in the data directory",
                "postgres://user:password@host/database?sslmode=require&sslrootcert=/ca.pem",
                "The database: postgres://…, or sqlite:/path",
            )
            .secret(Secret::InAddress),
            Setting::new(
                "database_readers",
                "4",
                "Connections of this instance to PostgreSQL that read, from 1 to 256",
            ),
            Setting::new(
                "database_writers",
                "8",
                "Connections of this instance to PostgreSQL that write, from 1 to 256",
            ),
            Setting::optional(
                "migrate_database_url",
                "the database address",
                "postgres://owner:password@host/database",
                "For firmeza migrate: the same database with a role that may change the schema",
            )
            .secret(Secret::InAddress),
            Setting::optional(
                "blobs_url",
                "a directory in the data directory",
                "s3://bucket/prefix",
                "Where documents are: s3://bucket/prefix with the usual AWS_… variables, or file:/path",
            )
            .secret(Secret::InAddress),
            Setting::optional(
                "spare_blobs_url",
                "damaged documents are not mended",
                "file:/srv/backups/firmeza/documents",
                "A second storage, or the documents of a backup, that damaged documents are mended from",
            )
            .secret(Secret::InAddress),
            Setting::new(
                "scrub_days",
                "30",
                "How long the check of all stored documents for damage takes; 0: no check",
            ),
        ],
    },
    Group {
        heading: "Keys and certificates",
        settings: &[
            Setting::optional(
                "master_key_file",
                "a sandbox creates master.key in the data directory",
                "/etc/firmeza/master.key",
                "A file with the master key: 64 hexadecimal characters, the same in every instance",
            ),
            Setting::optional(
                "master_key",
                "the file of master_key_file",
                "64 hexadecimal characters",
                "The key itself, instead of a file; never both",
            )
            .secret(Secret::All),
            Setting::optional(
                "pkcs11_module",
                "the authority's keys are in the database, encrypted",
                "/usr/lib/softhsm/libsofthsm2.so",
                "Keep the authority's keys in a PKCS #11 token: the module's file",
            ),
            Setting::optional("pkcs11_token", "no token", "firmeza", "The token's label"),
            Setting::optional("pkcs11_pin", "no token", "1234", "The token's PIN").secret(Secret::All),
            Setting::optional(
                "certificate_file",
                "documents are certified with the installation's own certificate",
                "/etc/firmeza/certificate.p12",
                "Certify documents with a certificate that was bought: a PKCS #12 file",
            ),
            Setting::optional(
                "certificate_password",
                "no password",
                "the file's password",
                "The password of certificate_file",
            )
            .secret(Secret::All),
            Setting::optional(
                "certificate_key",
                "the key of certificate_file",
                "firma",
                "A bought certificate with its key in the token: the key's label",
            ),
            Setting::optional(
                "certificate_chain",
                "all certificates are beside the key",
                "/etc/firmeza/chain.pem",
                "A file with certificates above it that are not beside the key, PEM or DER; the root must be among them",
            ),
            Setting::optional(
                "issuer_file",
                "the installation's own authority issues them",
                "/etc/firmeza/issuer.p12",
                "Issue the certificates in documents from an intermediate that another authority signed: a PKCS #12 file",
            ),
            Setting::optional(
                "issuer_password",
                "no password",
                "the file's password",
                "The password of issuer_file",
            )
            .secret(Secret::All),
            Setting::optional(
                "issuer_chain",
                "all certificates are in issuer_file",
                "/etc/firmeza/issuer-chain.pem",
                "A file with certificates above the intermediate that are not in issuer_file, the root among them",
            ),
        ],
    },
    Group {
        heading: "Timestamps and trust",
        settings: &[
            Setting::optional(
                "tsa_url",
                "the built-in authority",
                "https://tsa.example.com",
                "RFC 3161 timestamp authorities, the preferred one first, separated by commas; user:password@ where one \
                 asks for a password (https only)",
            )
            .secret(Secret::InAddress),
            Setting::optional(
                "tsa_roots",
                "the built-in authority",
                "/etc/firmeza/tsa-root.pem",
                "For each of them a file with its root certificates, PEM or DER, in the same order",
            ),
            Setting::optional(
                "tsa_client_certificates",
                "no certificate is shown",
                "-",
                "For each of them a PEM file with the certificate, and its key, that its server asks for; - for none",
            ),
            Setting::optional(
                "trusted_lists",
                "no other authority is known",
                "/etc/firmeza/list.xml",
                "Files with trusted lists (ETSI TS 119 612, XML), separated by commas",
            ),
        ],
    },
    Group {
        heading: "Messages",
        settings: &[
            Setting::optional(
                "smtp_url",
                "the built-in mailbox; production refuses to start",
                "smtps://user:password@mail.example.com",
                "The mail server: smtps://user:password@host or smtp://…",
            )
            .secret(Secret::InAddress),
            Setting::optional(
                "mail_from",
                "Firmeza <firmeza@HOST> with the host of the base address",
                "Firmeza <firmeza@example.com>",
                "The sender: an address, or a name and <an address>",
            ),
            Setting::optional(
                "email_reports_token",
                "no reports are taken",
                "64 characters of openssl rand -hex 32",
                "What a provider of email shows at /email/reports (Authorization: Bearer …) to report bounces and complaints",
            )
            .secret(Secret::All),
            Setting::optional(
                "sms_url",
                "the built-in mailbox; in production no text message can leave",
                "https://sms.example.com/send",
                "The http or https address of the SMS gateway",
            )
            .secret(Secret::InAddress),
            Setting::new(
                "sms_format",
                "json",
                "How a request to the gateway looks: json, twilio, or a text with {to}, {text} and {from}",
            )
            .secret(Secret::All),
            Setting::optional("sms_from", "no sender", "Firmeza", "The sender of text messages"),
            Setting::optional(
                "sms_authorization",
                "no header",
                "Bearer …",
                "The Authorization header for the gateway",
            )
            .secret(Secret::All),
            Setting::optional(
                "sms_accepted",
                "the status decides",
                "queued",
                "A text that every positive response of the gateway contains",
            ),
            Setting::new(
                "send_messages",
                "true",
                "false: this instance sends no messages and no webhooks; other instances must",
            ),
        ],
    },
    Group {
        heading: "Webhooks",
        settings: &[
            Setting::new(
                "webhooks_to_loopback",
                "false",
                "true allows webhooks on the same machine, on any port; not in production",
            ),
            Setting::optional(
                "webhook_ports",
                "443 and 8443 for https, 80 and 8080 for http",
                "9443",
                "More ports for webhooks, separated by commas",
            ),
            Setting::optional(
                "webhook_networks",
                "public addresses only",
                "10.1.0.0/16, fd00::/8",
                "Private networks where webhooks may be, separated by commas",
            ),
        ],
    },
    Group {
        heading: "Limits",
        settings: &[
            Setting::by_environment(
                "requests_per_minute",
                "0",
                "600",
                "API requests for each key and instance; 0 is no limit",
            ),
            Setting::by_environment(
                "creates_per_minute",
                "0",
                "120",
                "Creates among them; 0 is no limit",
            ),
            Setting::new("max_document_mb", "25", "The largest document, in MiB"),
            Setting::new("max_documents", "20", "Documents of a folio"),
            Setting::new("max_request_mb", "100", "The largest request, in MiB"),
            Setting::new(
                "body_grace_seconds",
                "10",
                "How long a body may arrive slower than 1 KiB a second",
            ),
            Setting::by_environment(
                "lame_duck_seconds",
                "0",
                "5",
                "How long an instance that ends still answers while /ready says no",
            ),
            Setting::new(
                "resends_in_ten_minutes",
                "10",
                "Resends to a signer; 0 is no limit",
            ),
            Setting::new("resends_in_a_day", "50", "Resends to a signer; 0 is no limit"),
            Setting::new(
                "folio_lifetime_days",
                "0",
                "How long a new folio can be signed; 0 is no end; a company's own choice wins",
            ),
        ],
    },
    Group {
        heading: "Logs",
        settings: &[
            Setting::new(
                "log",
                "info",
                "Level or filter; debug logs every API request",
            ),
            Setting::by_environment("log_format", "text", "json", "text or json"),
        ],
    },
    Group {
        heading: "Traces and metrics for an OpenTelemetry collector",
        settings: &[
            Setting::optional(
                "otlp_endpoint",
                "nothing is sent",
                "http://127.0.0.1:4318",
                "Where the collector takes OTLP over HTTP; /v1/traces and /v1/metrics are added",
            ),
            Setting::optional(
                "otlp_headers",
                "none",
                "x-api-key=secret",
                "Headers for the collector, as a list of name=value",
            )
            .secret(Secret::All),
            Setting::new(
                "otlp_service_name",
                "firmeza",
                "What this service is called there",
            ),
            Setting::new(
                "otlp_sample_ratio",
                "1",
                "The share of traces that is sent, from 0 to 1",
            ),
            Setting::new(
                "otlp_metrics_seconds",
                "60",
                "How often metrics are sent; 0 is never",
            ),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::all;
    use std::collections::BTreeSet;

    #[test]
    fn every_setting_is_once_in_the_table_and_in_the_operators_manual() {
        let manual = include_str!("../../../../docs/operators.md");
        let mut seen = BTreeSet::new();
        for setting in all() {
            assert!(seen.insert(setting.name), "{} is there twice", setting.name);
            let quoted = format!("`FIRMEZA_{}`", setting.name.to_uppercase());
            assert!(manual.contains(&quoted), "{quoted}");
        }
    }
}
