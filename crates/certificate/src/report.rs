//! PDF report for a person who asks which personal data is stored about them.

use crate::{error::RenderError, paint, sheet::Sheet, style};

/// Width of the column with the labels of facts, in points.
const LABEL_WIDTH: f32 = 170.0;

pub struct Report {
    /// Title of the report, printed on every page.
    pub title: &'static str,
    /// Author of the report.
    pub author: String,
    /// Day of the report, ready to print.
    pub made_on: String,
    pub sections: Vec<ReportSection>,
}

pub struct ReportSection {
    pub heading: &'static str,
    /// Facts: label and text of each. A fact with an empty text is omitted.
    pub facts: Vec<(String, String)>,
}

/// Renders a report as PDF, tagged for screen readers like a certificate.
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
