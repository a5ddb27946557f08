//! Interface to the virus scanner for documents of claims.

use async_trait::async_trait;

/// Verdict of the virus scanner about a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanVerdict {
    /// The scanner found nothing harmful.
    Clean,
    /// The scanner found something harmful.
    Infected,
}

/// Scan of one document.
#[async_trait]
pub trait Scan: Send {
    /// Passes the next bytes of the document to the scanner.
    async fn feed(&mut self, bytes: &[u8]);

    /// Verdict about the whole document.
    ///
    /// # Errors
    /// Why there is no verdict.
    async fn verdict(self: Box<Self>) -> Result<ScanVerdict, String>;
}

/// Virus scanner for documents of claims: a program of the operator.
pub trait PaperScanner: std::fmt::Debug + Send + Sync {
    /// Begins to scan a document.
    ///
    /// # Errors
    /// Why the scan cannot begin.
    fn begin(&self) -> Result<Box<dyn Scan>, String>;
}
