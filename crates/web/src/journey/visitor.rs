//! Customer who sent a request with the cookie of an open journey.

use std::sync::Arc;

use domain::journey::Journey;
use domain::language::Language;
use domain::operator::Operator;
use domain::partner::Partner;

use super::words::Words;
use crate::app::App;
use crate::error::Result;

/// A customer with an open journey.
#[derive(Clone)]
pub(crate) struct Visitor {
    pub(crate) journey: Journey,
    pub(crate) partner: Partner,
    /// Operator that sells the insurance, if known.
    pub(crate) operator: Option<Arc<Operator>>,
    pub(crate) words: &'static Words,
    /// Token in each form, so that no other website can submit a form.
    pub(crate) csrf_token: String,
}

impl Visitor {
    /// Changes the language of the journey and stores it.
    pub(crate) async fn switch_language(mut self, app: &App, language: Language) -> Result<Visitor> {
        self.journey =
            app.service.journeys.change(self.journey, |journey| journey.language = language).await?;
        self.words = Words::of(language);
        Ok(self)
    }
}
