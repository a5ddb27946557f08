//! The customer whose journey a request continues.

use std::sync::Arc;

use domain::journey::Journey;
use domain::language::Language;
use domain::operator::Operator;
use domain::partner::Partner;

use super::words::Words;
use crate::app::App;
use crate::error::Result;

/// A customer with a journey that is open.
#[derive(Clone)]
pub(crate) struct Visitor {
    pub(crate) journey: Journey,
    pub(crate) partner: Partner,
    /// Who sells the insurance, where that is known.
    pub(crate) operator: Option<Arc<Operator>>,
    pub(crate) words: &'static Words,
    /// The token that each form carries, so that no other site can send it.
    pub(crate) csrf_token: String,
}

impl Visitor {
    /// Keeps another language for the journey.
    pub(crate) async fn switch_language(mut self, app: &App, language: Language) -> Result<Visitor> {
        self.journey =
            app.service.journeys.change(self.journey, |journey| journey.language = language).await?;
        self.words = Words::of(language);
        Ok(self)
    }
}
