//! TLS to other servers.

use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use rustls::client::WantsClientCert;
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::{ClientConfig, ConfigBuilder, RootCertStore};
use std::sync::Arc;

/// Connects to http and https addresses, and trusts the root certificates of this machine.
pub fn https_connector() -> Result<HttpsConnector<HttpConnector>, rustls::Error> {
    Ok(https_connector_with(client_config()?))
}

/// The same, with that TLS.
pub(crate) fn https_connector_with(tls: ClientConfig) -> HttpsConnector<HttpConnector> {
    HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_or_http()
        .enable_http1()
        .build()
}

/// Trusts the root certificates of this machine.
pub(crate) fn client_config() -> Result<ClientConfig, rustls::Error> {
    Ok(tls_builder(machine_roots())?.with_no_client_auth())
}

/// The root certificates of this machine.
pub(crate) fn machine_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

/// TLS that trusts those roots.
pub(crate) fn tls_builder(
    roots: RootCertStore,
) -> Result<ConfigBuilder<ClientConfig, WantsClientCert>, rustls::Error> {
    Ok(ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots))
}
