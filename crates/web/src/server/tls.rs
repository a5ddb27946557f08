//! TLS certificate and key from two files, reloaded after a change.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arc_swap::ArcSwap;
use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// Certificate chain and key for new connections.
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    running: ArcSwap<Running>,
}

/// Certificate and key that new connections use.
struct Running {
    certificate: Vec<u8>,
    key: Vec<u8>,
    config: Arc<ServerConfig>,
}

impl Tls {
    /// Reads a certificate chain and its private key from two PEM files.
    ///
    /// # Errors
    /// A message for the operator that names the file.
    pub fn load(certificate: &Path, key: &Path) -> Result<Self, String> {
        let running = ArcSwap::from_pointee(Running::read(certificate, key)?);
        Ok(Tls { certificate: certificate.to_owned(), key: key.to_owned(), running })
    }

    /// Reads both files again. If they are valid and changed, new connections use them. Returns whether they
    /// changed.
    ///
    /// # Errors
    /// A message for the operator. The previous certificate stays in use.
    pub fn reload(&self) -> Result<bool, String> {
        let now = self.running.load();
        if read(&self.certificate)? == now.certificate && read(&self.key)? == now.key {
            return Ok(false);
        }
        self.running.store(Arc::new(Running::read(&self.certificate, &self.key)?));
        Ok(true)
    }

    /// Performs the TLS handshake of a connection.
    pub(super) async fn accept(&self, stream: TcpStream) -> std::io::Result<TlsStream<TcpStream>> {
        let config = self.running.load().config.clone();
        TlsAcceptor::from(config).accept(stream).await
    }
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(file).map_err(|cause| format!("{}: {cause}", file.display()))
}

impl Running {
    fn read(certificate_file: &Path, key_file: &Path) -> Result<Self, String> {
        let (certificate, key) = (read(certificate_file)?, read(key_file)?);
        let chain: Vec<_> = CertificateDer::pem_slice_iter(&certificate)
            .collect::<Result<_, _>>()
            .map_err(|fault| format!("{}: not a certificate in PEM: {fault}", certificate_file.display()))?;
        if chain.is_empty() {
            return Err(format!("{}: the file has no certificate in PEM", certificate_file.display()));
        }
        let secret = PrivateKeyDer::from_pem_slice(&key)
            .map_err(|fault| format!("{}: not a private key in PEM: {fault}", key_file.display()))?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|fault| fault.to_string())?
            .with_no_client_auth()
            .with_single_cert(chain, secret)
            .map_err(|fault| {
                format!("{} with {}: {fault}", certificate_file.display(), key_file.display())
            })?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Running { certificate, key, config: Arc::new(config) })
    }
}
