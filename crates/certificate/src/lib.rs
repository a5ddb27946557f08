//! Renders the certificate of insurance of a policy as PDF.
//!
//! The bytes depend only on the [`Certificate`]. There is no clock, randomness or I/O, so the same policy
//! always gives the same document. Money and dates are texts that are ready to print.
//!
//! `compose` decides the content. `text` and `block` build rows. `pages` stacks the rows on pages. `paint`
//! draws the pages.

mod block;
mod certificate;
mod compose;
mod error;
mod face;
mod pages;
mod paint;
mod report;
mod sheet;
mod structure;
mod style;
mod text;

pub use certificate::{
    Certificate, Cover, CoverKind, Holder, Insurer, MasterPolicy, Member, Nominee, Premium, Product,
    ScheduleRow,
};
pub use error::RenderError;
pub use report::{Report, ReportSection, render_report};
pub use text::can_print;

/// Renders a certificate as PDF, on as few A4 pages as possible, tagged for screen readers (PDF/UA-1).
///
/// The fonts have Latin and nine Indian scripts: Devanagari, Bengali, Gujarati, Gurmukhi, Kannada, Malayalam,
/// Odia, Tamil, Telugu. Any other character prints as an empty box. [`can_print`] checks in advance whether a
/// text has such characters.
///
/// # Errors
/// [`RenderError`] if the URL for checking the certificate is too long for a QR code, or if the PDF cannot be
/// written.
pub fn render(certificate: &Certificate) -> Result<Vec<u8>, RenderError> {
    let sheet = compose::compose(certificate)?;
    let Certificate { number, insurer, specimen, .. } = certificate;
    let imprint =
        paint::Imprint { title: compose::TITLE, number, author: &insurer.name, specimen: *specimen };
    paint::paint(sheet, &imprint)
}
