//! TLS connections to the database server, with the certificates that this machine trusts.

use std::sync::{Arc, OnceLock};

use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

pub(crate) type Tls = MakeRustlsConnect;

/// Decides on TLS if the address does not: no TLS for a server on this machine, TLS for any other server. TLS
/// always verifies the server's certificate.
pub(crate) fn decide(config: &mut Config) {
    if config.get_ssl_mode() == SslMode::Prefer {
        let mode = if config.get_hosts().iter().all(is_here) { SslMode::Disable } else { SslMode::Require };
        config.ssl_mode(mode);
    }
}

fn is_here(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
        }
    }
}

/// Connector for TLS connections.
///
/// # Errors
/// A message, if TLS is required and the machine's certificates cannot be read.
pub(crate) fn connector(config: &Config) -> Result<Tls, String> {
    let roots = if config.get_ssl_mode() == SslMode::Disable { RootCertStore::empty() } else { trusted()? };
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider supports the default protocol versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// The certificates that this machine trusts, read once. If the environment variable `SSL_CERT_FILE` is set,
/// the certificates of that file instead.
fn trusted() -> Result<RootCertStore, String> {
    static TRUSTED: OnceLock<Result<RootCertStore, String>> = OnceLock::new();
    let read = || {
        let found = rustls_native_certs::load_native_certs();
        let mut roots = RootCertStore::empty();
        let (added, _) = roots.add_parsable_certificates(found.certs);
        if added == 0 {
            return Err("the certificates that this machine trusts cannot be read".to_owned());
        }
        Ok(roots)
    };
    TRUSTED.get_or_init(read).clone()
}
