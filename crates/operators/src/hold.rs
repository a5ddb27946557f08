//! Legal holds, which protect records from erasure and removal.

use clap::Args;
use domain::id::Uuid;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::storage::personal_data::Hold;
use utoipa::ToSchema;

use crate::act::{About, Act, On, Result, Role, get, post, verbs};
use crate::answer::Answer;
use crate::arguments::{bad, read, read_id};
use crate::record::minute;

verbs! {
    /// Verbs of `covernote hold`
    HoldVerb {
        Set(SetHold),
        List(ListHolds),
        Release(ReleaseHold),
    }
}

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

/// Protect a record from erasure and removal, for example for a court case; a hold on a policy also protects
/// everything that belongs to the policy
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetHold {
    /// Id of the record: pol_…, pro_…, clm_…, cmp_… or quo_…
    id: String,
    /// Reason of the hold, such as the number of the court case
    #[arg(long)]
    reason: String,
}

impl Act for SetHold {
    const ABOUT: About = post("hold.set", "/records/{id}/hold", &[Role::Compliance]);

    async fn run(self, on: &On) -> Result<Answer> {
        let reason = read("--reason", &self.reason)?;
        let hold = on.service.retention.hold(&self.id, held(on, &self.id).await?, reason).await?;
        Ok(Answer::of(to_json(&hold))
            .saying(format!("{} has a legal hold: it will not be erased or removed", self.id)))
    }
}

/// List the legal holds, newest first
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListHolds {}

impl Act for ListHolds {
    const ABOUT: About = get("hold.list", "/holds", &[Role::Compliance]);

    async fn run(self, on: &On) -> Result<Answer> {
        let all = on.service.retention.holds().await?;
        let row = |hold: &Hold| {
            vec![
                hold.record.clone(),
                minute(hold.held_at),
                hold.held_by.clone(),
                hold.reason.reveal().to_owned(),
            ]
        };
        let json = json!({ "holds": all.iter().map(to_json).collect::<Vec<_>>() });
        Ok(Answer::of(json).table(&["record", "since", "by", "reason"], all.iter().map(row)))
    }
}

/// End a legal hold
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseHold {
    /// Id of the record, as `hold list` shows it
    id: String,
}

impl Act for ReleaseHold {
    const ABOUT: About = post("hold.release", "/records/{id}/hold-release", &[Role::Compliance]);

    async fn run(self, on: &On) -> Result<Answer> {
        on.service.retention.release(&self.id, held(on, &self.id).await?).await?;
        Ok(Answer::of(json!({ "record": self.id })).saying(format!("{} no longer has a legal hold", self.id)))
    }
}

fn to_json(hold: &Hold) -> Value {
    json!({
        "record": hold.record, "held_at": hold.held_at.to_string(), "held_by": hold.held_by, "reason": hold.reason.reveal(),
    })
}
