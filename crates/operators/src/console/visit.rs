//! What a page does for the operator who opened it: runs actions, and reads their answers.

use axum::http::{HeaderMap, HeaderValue};
use serde_json::Value;
use service::team::SignedIn;
use std::fs::File;
use std::sync::Arc;
use web::error::{Code, Problem};

use super::Console;
use super::form::{ActForm, Begun, FORM_KEY, Pairs, asked, first, pairs_of};
use super::held;
use super::record::{ActLink, RecordPages, Section, action_of, record_field};
use crate::act::answer::Answer;
use crate::act::decide::{Who, decide, permits};
use crate::act::print::parts;
use crate::act::shown::Schemas;
use crate::act::{Action, Allowed, On};
use crate::serve::acts::ACTIONS;
use crate::serve::idempotency::Keyed;
use crate::serve::{How, carry_out};

/// Field with the encrypted identifier of a person, and what it holds.
pub(super) const WHO: &str = "who";

/// A page that an operator opened.
pub(super) struct Visit<'c> {
    pub(super) console: &'c Console,
    pub(super) signed_in: SignedIn,
    pub(super) pages: RecordPages,
    pub(super) headers: &'c HeaderMap,
}

/// An answer of an action, with the sections that print it.
pub(super) struct Read {
    pub(super) json: Value,
    pub(super) sections: Vec<Section>,
}

impl<'c> Visit<'c> {
    pub(super) fn of(console: &'c Console, signed_in: SignedIn, headers: &'c HeaderMap) -> Self {
        let pages = RecordPages::of(&signed_in);
        Visit { console, signed_in, pages, headers }
    }

    /// Whether the operator may use the action of this name.
    pub(super) fn may(&self, act: &str) -> bool {
        action_of(act).is_some_and(|action| permits(&self.signed_in, &action.about))
    }

    fn on(&self) -> On {
        self.console.api.on(Who::Operator(Box::new(self.signed_in.clone())))
    }

    /// Runs an action with the fields of a form. If it needs an approval and `asks_first` is set, the answer only says so.
    ///
    /// # Errors
    /// The refusal of the action.
    pub(super) async fn run(
        &self,
        action: &'static Action,
        given: &Pairs,
        upload: Option<Arc<File>>,
        asks_first: bool,
    ) -> Result<Answer, Problem> {
        let service = self.console.service();
        let given = &self.with_person(given);
        let (asked, who) = (asked(action, given), Who::Operator(Box::new(self.signed_in.clone())));
        decide(&who, &action.about, service.team.now())?;
        let mut headers = HeaderMap::new();
        let key = first(given, FORM_KEY).filter(|_| !action.about.gives_file);
        if let Some(key) = key.and_then(|key| HeaderValue::try_from(key).ok()) {
            headers.insert("idempotency-key", key);
        }
        let keyed = Keyed::of(service, action.about.name, &who, (&headers, &asked))?;
        carry_out(&self.console.api, action, who, asked, How { upload, keyed, asks_first }).await
    }

    /// The sections that print an answer.
    pub(super) fn sections(
        &self,
        action: &Action,
        answer: &Value,
        title: &str,
        level: usize,
    ) -> Vec<Section> {
        let mut schemas = Schemas::new();
        let schema = action.answer_schema(&mut schemas).unwrap_or_default();
        self.pages.sections(title, level, parts(answer, &schema, &schemas))
    }

    /// The answer of an action that only reads, for a page that shows more than one. With the personal data that the
    /// operator asked for on this page. `None` if the operator's roles do not allow the action.
    ///
    /// # Errors
    /// The refusal of the action.
    pub(super) async fn read(&self, act: &str, given: &[(&str, &str)]) -> Result<Option<Value>, Problem> {
        let Some(action) = action_of(act).filter(|action| permits(&self.signed_in, &action.about)) else {
            return Ok(None);
        };
        let given = self.with_sight(action, pairs_of(given));
        match self.run(action, &given, None, true).await? {
            Answer { needs: Some(needs), .. } => {
                let detail = format!("This needs the approval of another operator: {}.", needs.what);
                Err(Problem::new(Code::A4030, detail))
            }
            answer => Ok(Some(answer.json)),
        }
    }

    /// The answer of an action that only reads, with its sections below a heading.
    ///
    /// # Errors
    /// The refusal of the action.
    pub(super) async fn shown(
        &self,
        act: &str,
        given: &[(&str, &str)],
        title: &str,
    ) -> Result<Option<Read>, Problem> {
        let Some(json) = self.read(act, given).await? else { return Ok(None) };
        let Some(action) = action_of(act) else { return Ok(None) };
        let sections = self.sections(action, &json, title, 2);
        Ok(Some(Read { json, sections }))
    }

    /// The fields of a form, with the identifier of the person whom the page names by an encrypted text.
    fn with_person(&self, given: &Pairs) -> Pairs {
        let mut all = given.clone();
        let held = first(given, WHO).and_then(|who| self.console.service().team.held(WHO, who));
        if let Some((field, value)) = held.as_deref().and_then(|held| held.split_once(' ')) {
            all.push((field.to_owned(), value.to_owned()));
        }
        all
    }

    /// The fields of a page, with those of the personal data that the operator asked for in the last minutes.
    pub(super) fn with_sight(&self, action: &Action, mut given: Pairs) -> Pairs {
        let record = record_field(action).and_then(|(field, _)| first(&given, field)).unwrap_or_default();
        if let Some(sight) = held::sight(self.console, &self.signed_in, self.headers, action, record) {
            given.push(("personal".to_owned(), "true".to_owned()));
            given.push(("reason".to_owned(), sight.reason));
            given.extend(sight.only.into_iter().map(|only| ("only".to_owned(), only)));
        }
        given
    }

    /// Form of an action that concerns no record, or a record in any state, with some of its fields fixed. `None` if the
    /// operator's roles do not allow the action.
    pub(super) fn simple_form(&self, act: &str, fixed: &[(&str, &str)]) -> Option<ActForm> {
        let action = action_of(act).filter(|action| permits(&self.signed_in, &action.about))?;
        Some(self.form_of(action, fixed, None))
    }

    fn form_of(&self, action: &Action, fixed: &[(&str, &str)], allowed: Option<Allowed>) -> ActForm {
        let names: Vec<&str> = fixed.iter().map(|(name, _)| *name).collect();
        let (given, form_key) = (pairs_of(fixed), self.console.service().team.form_key());
        ActForm::of(action, &Begun { given, fixed: &names, allowed, form_key, ..Begun::default() })
    }

    /// Form of an action with some of its fields fixed. `None` if the operator's roles or the record's state do not allow
    /// the action.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub(super) async fn form(&self, act: &str, fixed: &[(&str, &str)]) -> Result<Option<ActForm>, Problem> {
        let Some(action) = action_of(act).filter(|action| permits(&self.signed_in, &action.about)) else {
            return Ok(None);
        };
        let given = pairs_of(fixed);
        let allowed = self.allowed(action, &given).await?;
        if matches!(allowed, Some(Allowed::Nothing)) {
            return Ok(None);
        }
        Ok(Some(self.form_of(action, fixed, allowed)))
    }

    /// What the state of the record that the fields name allows of an action. `None` if they name none.
    ///
    /// # Errors
    /// If the record cannot be read.
    pub(super) async fn allowed(&self, action: &Action, given: &Pairs) -> Result<Option<Allowed>, Problem> {
        let named = record_field(action).and_then(|(field, _)| first(given, field));
        let Some(record) = named.map(str::trim).filter(|record| !record.is_empty()) else { return Ok(None) };
        match action.allowed(&self.on(), record).await {
            Ok(allowed) => Ok(Some(allowed)),
            // The action itself says what is wrong with the record's name.
            Err(problem) if matches!(problem.code, Code::V4000 | Code::R4040) => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    /// Actions that take a record of the kind that an action takes, except the one that is shown.
    pub(super) async fn offers(&self, action: &Action, given: &Pairs) -> Result<Vec<ActLink>, Problem> {
        let Some((own, kind)) = record_field(action) else { return Ok(Vec::new()) };
        let Some(id) = first(given, own) else { return Ok(Vec::new()) };
        self.offers_of(kind, id, action.about.name).await
    }

    /// Actions that take this record and that its state and the operator's roles allow, except one.
    pub(super) async fn offers_of(&self, kind: &str, id: &str, but: &str) -> Result<Vec<ActLink>, Problem> {
        let mut offers = Vec::new();
        for action in ACTIONS.iter().filter(|other| permits(&self.signed_in, &other.about)) {
            let Some((field, _)) = record_field(action).filter(|(_, of)| *of == kind) else { continue };
            let given = pairs_of(&[(field, id)]);
            let is_offered = action.about.name != but
                && !matches!(self.allowed(action, &given).await?, Some(Allowed::Nothing));
            if is_offered {
                let given = [(field, id)];
                offers.push(ActLink {
                    address: self.pages.place(action, &given),
                    ..ActLink::of(action, &given)
                });
            }
        }
        Ok(offers)
    }
}
