//! TLS to the server, by the certificates that this machine trusts.

use std::sync::{Arc, OnceLock};

use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

pub(crate) type Tls = MakeRustlsConnect;

/// What an address does not say about TLS, decided: a server on this machine is spoken to in clear, any other under TLS.
/// There is no way to encrypt without knowing whom one speaks to.
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

/// What makes TLS connections.
///
/// # Errors
/// A sentence, where the machine's certificates cannot be read and TLS is wanted.
pub(crate) fn connector(config: &Config) -> Result<Tls, String> {
    let roots = if config.get_ssl_mode() == SslMode::Disable { RootCertStore::empty() } else { trusted()? };
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider has them")
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// The certificates that this machine trusts, read once. `SSL_CERT_FILE` names others.
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
