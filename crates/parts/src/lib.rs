//! Real servers and tools for tests: found, installed, started on free ports, and gone afterwards.
//!
//! A part is a third-party program that our tests talk to. Missing Debian packages are installed when
//! running as root and named in one line otherwise; nothing is ever skipped. Depends on no crate, ours or
//! other, so that `cargo xtask` is ready within seconds on a new machine.
//!
//! ```no_run
//! # fn main() -> parts::Result<()> {
//! let postgres = parts::Postgres::start()?;
//! let url = postgres.create_database("folios")?;
//! # Ok(())
//! # }
//! ```

mod buildah;
mod caddy;
mod chromium;
mod collector;
mod command;
mod dirs;
mod find_program;
mod fiu;
mod foreign_pdfs;
mod guard;
mod http;
mod http_clients;
mod identity_provider;
mod install;
mod kannel;
mod languages;
mod mail_server;
mod nginx;
mod npm;
mod packages;
mod pgbouncer;
mod port;
mod postgres;
mod prometheus;
mod s3;
mod scratch;
mod slow_relay;
mod strace;
mod systemd;
mod validators;
mod venv;

pub use buildah::Buildah;
pub use caddy::CADDY;
pub use chromium::Chromium;
pub use collector::Collector;
pub use command::{Error, Result, run};
pub use dirs::{target, tools, workspace};
pub use find_program::program;
pub use fiu::Fiu;
pub use foreign_pdfs::foreign_pdfs;
pub use guard::{End, Guard};
pub use http::answers;
pub use http_clients::{CURL, GENERATED_CLIENTS, GO, JAVA_CLIENTS, MONO, PHP_CLIENTS, RUBY};
pub use identity_provider::IdentityProvider;
pub use kannel::Kannel;
pub use languages::EXAMPLE_LANGUAGES;
pub use mail_server::MailServer;
pub use nginx::Nginx;
pub use npm::{IDENTITY_PROVIDER, NODE_CLIENTS, NodeModules, NpmPackages, OPENAPI_TOOLS, PDFJS, TYPESCRIPT};
pub use packages::{Part, can_provide, provide};
pub use pgbouncer::PgBouncer;
pub use port::free_port;
pub use postgres::Postgres;
pub use prometheus::Prometheus;
pub use s3::S3;
pub use scratch::Scratch;
pub use slow_relay::SlowRelay;
pub use strace::Strace;
pub use systemd::Systemd;
pub use validators::{PDF_RENDERERS, PDF_VALIDATORS, PDFBOX, SOFTHSM};
pub use venv::{
    AIOSMTPD, AXE, CLIENT_GENERATORS, DEPLOY_SCHEMAS, MCP, MYPY, NODE, OPENTELEMETRY, PDFIUM, PYHANKO,
    PYTHON_CLIENTS, Packages, REQUESTS, SCHEMATHESIS, Venv,
};
