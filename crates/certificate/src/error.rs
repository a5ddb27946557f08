//! Reasons why a certificate could not be rendered.

use std::{error::Error, fmt};

/// Why a certificate could not be rendered. The error contains no text of the certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderError {
    /// The URL for checking the certificate does not fit into a QR code, which holds about 600 bytes at this
    /// size.
    CheckAddressTooLong,
    /// The PDF could not be written, with the PDF library's reason.
    Pdf(String),
}

impl fmt::Display for RenderError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenderError::CheckAddressTooLong => {
                formatter.write_str("the URL for checking the certificate is too long for a QR code")
            }
            RenderError::Pdf(reason) => write!(formatter, "the PDF could not be written: {reason}"),
        }
    }
}

impl Error for RenderError {}
