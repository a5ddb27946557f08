//! A report: headed lists of facts, for a person who asks what is known about them.

use crate::{error::RenderError, paint, sheet::Sheet, style};

/// Width of the labels of facts.
const LABEL_WIDTH: f32 = 170.0;

/// What a report says.
pub struct Report {
    /// What it is called, on its first page and on those that follow.
    pub title: &'static str,
    /// Who gives it.
    pub author: String,
    /// The day of the report, ready to be shown.
    pub made_on: String,
    pub sections: Vec<ReportSection>,
}

/// A section of a report.
pub struct ReportSection {
    pub heading: &'static str,
    /// Labels and texts. A fact without a text is left out.
    pub facts: Vec<(String, String)>,
}

/// Makes the PDF of a report, tagged for screen readers as a certificate is.
///
/// # Errors
/// [`RenderError`] if the PDF cannot be written.
pub fn render_report(report: &Report) -> Result<Vec<u8>, RenderError> {
    let mut sheet = Sheet::default();
    let texts = [
        (report.author.as_str(), &style::INSURER),
        (report.title, &style::TITLE),
        (report.made_on.as_str(), &style::BODY),
    ];
    sheet.letterhead(&texts, report.title, "")?;
    for ReportSection { heading, facts } in &report.sections {
        sheet.heading(heading);
        let facts: Vec<_> = facts.iter().map(|(label, text)| (label.as_str(), text.as_str())).collect();
        sheet.notes(&facts, LABEL_WIDTH);
    }
    let (number, author) = (&report.made_on, &report.author);
    paint::paint(sheet, &paint::Imprint { title: report.title, number, author, specimen: false })
}
