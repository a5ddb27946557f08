//! Why a certificate could not be made.

use std::{error::Error, fmt};

/// Why a certificate could not be made. It holds nothing of the certificate's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderError {
    /// The check address does not fit into a QR code, which holds about 600 bytes at its size here.
    CheckAddressTooLong,
    /// The PDF could not be written; the text says what the PDF library found.
    Pdf(String),
}

impl fmt::Display for RenderError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenderError::CheckAddressTooLong => {
                formatter.write_str("the check address is too long for a QR code")
            }
            RenderError::Pdf(reason) => write!(formatter, "the PDF could not be written: {reason}"),
        }
    }
}

impl Error for RenderError {}
