//! The certificate of insurance: a policy's facts in, the bytes of its PDF out.
//!
//! The bytes follow from the [`Certificate`] alone: there is no clock, no randomness and no I/O here, so the
//! same policy always makes the same document. Money and dates arrive as text, ready to be shown.
//!
//! The way through the crate: `compose` says what stands on the certificate, `text` and `block` make
//! rows of it, `pages` stacks the rows on pages, and `paint` draws them.

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

/// Makes the PDF of a certificate: tagged for screen readers (PDF/UA-1), on as few A4 pages as hold it.
///
/// It prints Latin and nine scripts of India: Devanagari, Bengali, Gujarati, Gurmukhi, Kannada, Malayalam, Odia, Tamil and Telugu. Other
/// characters print as an empty box; [`can_print`] says so before.
///
/// # Errors
/// [`RenderError`], when the address for the QR code is too long for one, or the PDF cannot be written.
pub fn render(certificate: &Certificate) -> Result<Vec<u8>, RenderError> {
    let sheet = compose::compose(certificate)?;
    let Certificate { number, insurer, specimen, .. } = certificate;
    let imprint =
        paint::Imprint { title: compose::TITLE, number, author: &insurer.name, specimen: *specimen };
    paint::paint(sheet, &imprint)
}
