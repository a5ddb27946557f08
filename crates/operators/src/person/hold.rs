//! Legal holds, which protect records from erasure and removal.

use domain::date::Timestamp;
use domain::id::Uuid;
use domain::person::PersonalLine;
use service::storage::personal_data::Hold;
use web::sight::{Masked, Sight};

use crate::act::answer::Done;
use crate::act::arguments::{bad, read_id};
use crate::act::input::input;
use crate::act::shown::answer;
use crate::act::{About, Act, On, Result, Role, get, post};

/// Parses the id of a record that can have a hold, and checks that the record exists.
async fn held(on: &On, record: &str) -> Result<Uuid> {
    let service = &on.service;
    Ok(match record.split('_').next().unwrap_or_default() {
        "pol" => {
            let id = read_id("a policy", record)?;
            service.policies.owner(id).await?;
            id.uuid()
        }
        "pro" => {
            let id = read_id("a proposal", record)?;
            service.operator_proposals.owner(id).await?;
            id.uuid()
        }
        "clm" => {
            let id = read_id("a claim", record)?;
            service.claims.owner(id).await?;
            id.uuid()
        }
        "cmp" => {
            let id = read_id("a complaint", record)?;
            service.complaints.find(id).await?;
            id.uuid()
        }
        "quo" => {
            let id = read_id("a quote", record)?;
            service.explanations.health_quote(id).await?;
            id.uuid()
        }
        _ => {
            return Err(bad(
                "A legal hold needs the id of a policy, a proposal, a claim, a complaint or a health quote.",
            ));
        }
    })
}

input! {
    /// Protect a record from erasure and removal, for example for a court case; a hold on a policy also protects
    /// everything that belongs to the policy
    struct SetHold {
        /// Id of the record: pol_…, pro_…, clm_…, cmp_… or quo_…
        id: String,
        /// Reason of the hold, such as the number of the court case
        reason: PersonalLine,
    }
}

impl Act for SetHold {
    const ABOUT: About = post("hold.set", "/records/{id}/hold", &[Role::Compliance]);

    type Answer = Done<HoldShown>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let hold = on.service.retention.hold(&self.id, held(on, &self.id).await?, self.reason).await?;
        let note = format!("{} has a legal hold: it will not be erased or removed", self.id);
        Ok(Done::of(HoldShown::of(&hold)).saying(note))
    }
}

input! {
    /// List the legal holds, newest first
    struct ListHolds {}
}

impl Act for ListHolds {
    const ABOUT: About = get("hold.list", "/holds", &[Role::Compliance]);

    type Answer = Done<Holds>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let all = on.service.retention.holds().await?;
        Ok(Done::of(Holds { holds: all.iter().map(HoldShown::of).collect() }))
    }
}

input! {
    /// End a legal hold
    struct ReleaseHold {
        /// Id of the record, as `hold list` shows it
        id: String,
    }
}

impl Act for ReleaseHold {
    const ABOUT: About = post("hold.release", "/records/{id}/hold-release", &[Role::Compliance]);

    type Answer = Done<HoldReleased>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        on.service.retention.release(&self.id, held(on, &self.id).await?).await?;
        let note = format!("{} no longer has a legal hold", self.id);
        Ok(Done::of(HoldReleased { record: self.id }).saying(note))
    }
}

answer! {
    /// The legal holds
    struct Holds {
        /// Holds, newest first
        holds: Vec<HoldShown>,
    }
}

answer! {
    /// A legal hold
    struct HoldShown {
        /// Record that is protected
        record: String,
        /// When the hold was set
        #[shown(label = "since")]
        held_at: Timestamp,
        /// Who set it
        #[shown(label = "by")]
        held_by: String,
        /// Reason of the hold
        reason: Masked,
    }
}

impl HoldShown {
    fn of(hold: &Hold) -> Self {
        HoldShown {
            record: hold.record.clone(),
            held_at: hold.held_at,
            held_by: hold.held_by.clone(),
            // Only the role compliance may list holds, and their reasons are about courts, not customers.
            reason: Sight::Revealed(&["reason"]).text("reason", &hold.reason),
        }
    }
}

answer! {
    /// A released hold
    struct HoldReleased {
        /// Record that is no longer protected
        record: String,
    }
}
