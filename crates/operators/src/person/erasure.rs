//! Erasure of a person's data (DPDP Act, section 12).

use domain::id::{ComplaintId, JourneyId, PartnerId, PolicyId, ProposalId, QuoteId, SessionId};
use service::person::erasure::KeptRecord;
use service::storage::personal_data::{Removed, RemovedKind};

use crate::act::answer::Done;
use crate::act::input::input;
use crate::act::shown::answer;
use crate::act::{About, Act, Needed, On, Result, Role, post};
use crate::person::{KnownBy, OneOf, chosen};

input! {
    /// Erase a person's data, except what the law requires you to keep; this cannot be undone
    struct ErasePerson {
        /// Reason of the erasure, such as the person's request; recorded in the audit trail
        reason: String,
        /// Erase nothing; print which records would be erased and which would stay
        #[flag(is_preview = true)]
        plan: bool,
    } with {
        known_by: KnownBy,
        one_of: OneOf,
    }
}

impl Act for ErasePerson {
    const ABOUT: About =
        post("person.erase", "/persons/erasure", &[Role::Compliance]).irreversible().with_effects_outside();

    type Answer = Done<PersonErased>;

    fn reveals(&self) -> Option<&str> {
        Some(&self.reason)
    }

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        if self.plan {
            return Ok(None);
        }
        let person = chosen(on, &self.known_by.identifier(), &self.one_of).await?;
        let plan = on.service.persons.plan_erasure(&person).await?;
        if plan.erased.is_empty() {
            return Ok(None);
        }
        let what = format!("erase a person: {} records; {} stay", plan.erased.len(), plan.kept.len());
        let version = plan.erased.iter().map(|record| record.id.to_string()).collect::<Vec<_>>().join(" ");
        let needed = Needed::new(what).version(version).fact("records_erased", plan.erased.len());
        Ok(Some(needed.fact("records_that_stay", plan.kept.len())))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let person = chosen(on, &self.known_by.identifier(), &self.one_of).await?;
        let plan = match self.plan {
            true => on.service.persons.plan_erasure(&person).await?,
            false => on.service.persons.erase(&person).await?,
        };
        let erased = |record: &Removed| ErasedRecord {
            kind: record.kind.word(),
            id: named(record),
            partner_id: record.of,
        };
        let kept =
            |record: &KeptRecord| RecordThatStays { id: record.record.clone(), why: record.why.to_string() };
        let done = Done::of(PersonErased {
            is_done: !self.plan,
            is_in_log: plan.is_in_log,
            erased: plan.erased.iter().map(erased).collect(),
            kept: plan.kept.iter().map(kept).collect(),
        });
        let done = match self.plan {
            true => done,
            false => {
                done.saying(format!("{} records are erased; {} stay", plan.erased.len(), plan.kept.len()))
            }
        };
        Ok(match plan.is_in_log {
            true => done.saying(
                "The store's log still has the erased data, because a backup or another reader uses the log. When that has ended, run 'covernote retention run'.",
            ),
            false => done,
        })
    }
}

/// Public id of an erased record, with its prefix.
fn named(record: &Removed) -> String {
    match record.kind {
        RemovedKind::HealthQuote => QuoteId::from_uuid(record.id).to_string(),
        RemovedKind::UnsoldProposal => ProposalId::from_uuid(record.id).to_string(),
        RemovedKind::Policy => PolicyId::from_uuid(record.id).to_string(),
        RemovedKind::Complaint => ComplaintId::from_uuid(record.id).to_string(),
        RemovedKind::Journey => JourneyId::from_uuid(record.id).to_string(),
        RemovedKind::Session => SessionId::from_uuid(record.id).to_string(),
    }
}

answer! {
    /// An erasure of a person's data
    struct PersonErased {
        /// Whether the records are erased; false: only a plan
        is_done: bool,
        /// Whether the store's log still has the erased data
        #[shown(hidden = true)]
        is_in_log: bool,
        /// Records that are erased
        erased: Vec<ErasedRecord>,
        /// Records that stay
        kept: Vec<RecordThatStays>,
    }
}

answer! {
    /// A record that is erased
    struct ErasedRecord {
        /// Kind of record
        kind: &'static str,
        /// Id of the record
        id: String,
        /// Partner
        partner_id: PartnerId,
    }
}

answer! {
    /// A record that stays
    struct RecordThatStays {
        /// Id of the record
        id: String,
        /// Why it stays
        why: String,
    }
}
