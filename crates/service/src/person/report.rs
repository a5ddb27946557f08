//! Report for a person about the data that the store has.

use certificate::{Report, ReportSection, render_report};
use domain::date::{Timestamp, day_of, in_words};

use super::PersonService;
use crate::error::{Error, Result};

/// A heading with labels and texts below it.
pub type Section = (&'static str, Vec<(String, String)>);

impl PersonService {
    /// PDF of the report about a person. Sections without facts are left out.
    ///
    /// # Errors
    /// [`Error::Internal`] if the PDF cannot be made.
    pub fn report(&self, sections: Vec<Section>, at: Timestamp) -> Result<Vec<u8>> {
        let operator = self.shared.settings.operator.as_ref();
        let sections = sections.into_iter().filter(|(_, facts)| !facts.is_empty());
        let report = Report {
            title: "What we have about you",
            author: operator.map_or_else(String::new, |operator| operator.name.english().to_owned()),
            made_on: in_words(day_of(at)),
            sections: sections.map(|(heading, facts)| ReportSection { heading, facts }).collect(),
        };
        render_report(&report).map_err(|fault| Error::Internal(fault.to_string()))
    }
}
