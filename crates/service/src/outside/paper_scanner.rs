//! The scanner of claim papers.

use async_trait::async_trait;

/// What a scanner says of a paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanVerdict {
    /// It found nothing.
    Clean,
    /// It found something.
    Infected,
}

/// A scanner at work on one paper.
#[async_trait]
pub trait Scan: Send {
    /// Hands it the next bytes.
    async fn feed(&mut self, bytes: &[u8]);

    /// What it says of all of them.
    ///
    /// # Errors
    /// Why it says nothing.
    async fn verdict(self: Box<Self>) -> Result<ScanVerdict, String>;
}

/// Scans papers for what harms who opens them: a program of the operator.
pub trait PaperScanner: std::fmt::Debug + Send + Sync {
    /// Begins to scan a paper.
    ///
    /// # Errors
    /// Why it cannot.
    fn begin(&self) -> Result<Box<dyn Scan>, String>;
}
