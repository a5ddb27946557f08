//! The approval of a second operator that an action needs (D121, D144).
//!
//! Before an approval is requested, the action is rehearsed: it runs in full, and the store undoes it. So nobody
//! is asked to approve what cannot be done.

use std::fmt::Display;
use std::sync::Arc;

use domain::approval::{Approval, ApprovalFact};
use domain::date::Timestamp;
use domain::money::Rupees;
use domain::team::Role;
use domain::text::one_line;
use serde_json::Value;
use service::acting::{self, act_as};
use service::team::approval::NewApproval;
use web::error::{Code, Problem};
use web::sight::{Masked, Sight};

use crate::act::answer::{Answer, Done, Returned};
use crate::act::approval_shown::{ApprovalShown, FACTS};
use crate::act::input::Field;
use crate::act::{About, Act, Asked, On, Result};

/// Most characters of an approval's description.
const LONGEST_WHAT: usize = 300;

/// Most characters of the value of a fact. A longer value, such as a file, is cut.
const LONGEST_VALUE: usize = 500;

/// Sight of personal facts. They are stored in full, and masked when they are shown.
pub(crate) const IN_FULL: Sight<'static> = Sight::Revealed(&[FACTS, "account"]);

/// What a second operator must approve before an operator's action runs.
pub(crate) struct Needed {
    /// Id of the record that the action changes. Empty if it changes no single record.
    subject: String,
    /// Version of the record that the action changes. If the record has another version at the time of the
    /// approval, the action is refused.
    version: String,
    /// Description of the action for the second operator.
    what: String,
    /// What the second operator must know, besides the fields of the action.
    facts: Vec<ApprovalFact>,
}

impl Needed {
    /// Needed approval of an action that changes no single record.
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Needed { subject: String::new(), version: String::new(), what: what.into(), facts: Vec::new() }
    }

    /// Sets the record that the action changes, with its version.
    pub(crate) fn of(self, record: impl ToString, version: impl ToString) -> Self {
        Needed { subject: record.to_string(), version: version.to_string(), ..self }
    }

    /// Sets the version of the records that the action changes.
    pub(crate) fn version(self, version: impl ToString) -> Self {
        Needed { version: version.to_string(), ..self }
    }

    /// Adds a fact that every operator may see.
    pub(crate) fn fact(self, name: &str, value: impl Display) -> Self {
        self.with(name, value, false)
    }

    /// Adds a fact about a person, if there is one.
    pub(crate) fn personal(self, name: &str, value: Option<Masked>) -> Self {
        match value {
            Some(value) => self.with(name, value.as_str(), true),
            None => self,
        }
    }

    fn with(mut self, name: &str, value: impl Display, is_personal: bool) -> Self {
        self.facts.extend(fact(name, &value.to_string(), is_personal));
        self
    }
}

/// A fact on one line. `None` if the value is empty.
fn fact(name: &str, value: &str, is_personal: bool) -> Option<ApprovalFact> {
    let value = one_line(value, LONGEST_VALUE)?;
    Some(ApprovalFact { name: name.to_owned(), value, is_personal })
}

/// The fields of a request as facts.
fn facts_of(asked: &Asked, about: &About, fields: &[Field]) -> Result<Vec<ApprovalFact>> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let given = asked.object(about.method, fields)?;
    let of = |field: &Field| {
        let value = match given.get(field.name)? {
            Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join("; "),
            value => text(value),
        };
        fact(field.name, &value, field.is_personal())
    };
    Ok(fields.iter().filter(|field| !field.is_file()).filter_map(of).collect())
}

/// Whether an action may run now.
pub(crate) enum Permission {
    Free,
    /// Its requester repeats it with this approval.
    Granted(Arc<Approval>),
    /// This approval must be requested first.
    Missing(NewApproval),
}

impl On {
    /// Approval that money needs if it moves. `None` if there is no amount, or if it is not above the limit.
    pub(crate) async fn money(&self, amount: Option<Rupees>, what: impl Display) -> Result<Option<Needed>> {
        let limit = self.approval_limit().await?;
        Ok(amount.filter(|amount| *amount > limit).map(|amount| {
            let amount = amount.grouped_with_paise();
            Needed::new(format!("{what}: {amount}")).fact("amount_moved", amount)
        }))
    }

    /// When the approval was requested that allows this export. Records that were made later are left out.
    pub(crate) fn exports_until(&self) -> Option<Timestamp> {
        self.approved.as_ref().map(|approval| approval.asked_at)
    }

    /// Amount above which a payment needs an approval.
    pub(crate) async fn approval_limit(&self) -> Result<Rupees> {
        let stored = self.service.installation.approval_above().await.map_err(service::Error::from)?;
        Ok(stored.unwrap_or(self.approval_above))
    }

    /// Roles of the operators who may approve an action that `asks` requests. `None` if nobody else could.
    pub(crate) async fn approvers(&self, about: &About, asks: &str) -> Result<Option<&'static [Role]>> {
        let approvals = &self.service.approvals;
        if approvals.has_second(asks, about.roles).await? {
            return Ok(Some(about.roles));
        }
        let may_anybody = about.gives_access && approvals.has_second(asks, Role::ALL).await?;
        Ok(may_anybody.then_some(Role::ALL))
    }

    /// Whether the action may run now. It may if it was approved and nothing changed since, or if no second operator
    /// could approve it.
    ///
    /// # Errors
    /// [`Code::S4090`] if the action was approved, but a value has changed since.
    pub(crate) async fn permission(
        &self,
        about: &About,
        asked: &Asked,
        fields: &[Field],
        needed: Needed,
    ) -> Result<Permission> {
        let approvals = &self.service.approvals;
        let Needed { subject, version, what, facts } = needed;
        let has_record = !subject.is_empty();
        // Actions without a record are distinguished by their requester.
        let subject = match has_record {
            true => subject,
            false => format!("{} by {}", about.name, acting::current().actor().person()),
        };
        let facts: Vec<ApprovalFact> = facts.into_iter().chain(facts_of(asked, about, fields)?).collect();
        if let Some(approved) = &self.approved {
            // The approver runs the action, so a subject that names the requester differs here. A fact that only
            // another version of this program has is not compared.
            let is_other = |before: &ApprovalFact| {
                let mut same = facts.iter().filter(|now| now.name == before.name).peekable();
                same.peek().is_some() && same.all(|now| now.value != before.value)
            };
            let is_same = approved.subject_version == version
                && !approved.facts.iter().any(is_other)
                && (!has_record || approved.subject == subject);
            return match is_same {
                true => Ok(Permission::Free),
                false => {
                    let changed = approved.facts.iter().filter(|before| is_other(before));
                    let names: Vec<&str> = changed.map(|fact| fact.name.as_str()).collect();
                    let names =
                        if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
                    let detail = format!("Changed meanwhile{names}. Request the approval again.");
                    Err(Problem::new(Code::S4090, detail))
                }
            };
        }
        if self.approvers(about, &acting::current().actor().person()).await?.is_none() {
            return Ok(Permission::Free);
        }
        let new = NewApproval {
            act: about.name,
            path: asked.path.clone(),
            body: asked.fields(),
            subject,
            has_record,
            subject_version: version,
            what: one_line(&what, LONGEST_WHAT).unwrap_or_default(),
            facts,
        };
        let granted = if about.is_fetched() { approvals.granted(&new).await? } else { None };
        if let Some(granted) = granted {
            let acting = acting::current();
            let _ = acting.approval.set(granted.id.to_string());
            acting.go_with(self.companions(Some(&granted))?);
            return Ok(Permission::Granted(Arc::new(granted)));
        }
        Ok(Permission::Missing(new))
    }

    /// Runs an action in full, but the store undoes it.
    ///
    /// # Errors
    /// The refusal that the action would get.
    pub(crate) async fn rehearse<A: Act>(&self, asked: &Asked, fields: &[Field]) -> Result<()> {
        if !A::ABOUT.can_be_rehearsed() {
            return Ok(());
        }
        let act: A = asked.read(A::ABOUT.method, fields)?;
        let on = On { response: None, ..self.clone() };
        let acting = Arc::new(acting::current().rehearsal());
        match act_as(acting.clone(), act.run(&on)).await {
            Err(refused) if !acting.is_rehearsed() => Err(refused),
            _ => Ok(()),
        }
    }

    /// Requests an approval, and returns the answer that says so.
    pub(crate) async fn request_approval(&self, new: NewApproval) -> Result<Answer> {
        let waits = self.service.approvals.ask(new).await?;
        let note = format!(
            "{}: another operator must approve this within 72 hours: covernote approval approve {}",
            waits.what, waits.id
        );
        let shown = ApprovalShown::of(&waits, &self.names().await?);
        let mut answer = Done::of(shown).saying(note).into_answer();
        answer.waits = true;
        Ok(answer)
    }
}
