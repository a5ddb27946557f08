//! The work that waits for a person today.

use clap::Args;
use domain::id::PartnerId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::waiting::{Waiting, WaitingKind};
use utoipa::ToSchema;

use crate::act::{About, Act, On, Result, Role, get};
use crate::answer::Answer;
use crate::decide::decide;
use crate::record::{minute, partner_name};

/// List all work that waits for a person, oldest first
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListWaiting {
    /// Most entries to list
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[serde(default = "thousand")]
    most: usize,
}

const fn thousand() -> usize {
    1000
}

impl Act for ListWaiting {
    const ABOUT: About = get("waiting.list", "/waiting", Role::ALL);

    async fn run(self, on: &On) -> Result<Answer> {
        let (mut waiting, now) = (on.service.waiting.all().await?, on.service.installation.now());
        let may_list = |act: &str| {
            let action = on.actions.iter().find(|action| action.about.name == act);
            action.is_some_and(|action| decide(&on.who, &action.about, now).is_ok())
        };
        waiting.retain(|one| may_list(listing(one.kind)));
        let (count, late) = (waiting.len(), waiting.iter().filter(|one| one.is_late(now)).count());
        waiting.truncate(self.most);
        let name = |of: Option<PartnerId>| of.map(|of| partner_name(on, of));
        let one = |one: &Waiting| {
            json!({
                "kind": one.kind.word(), "record": one.record, "since": one.since.to_string(),
                "due_on": one.due.map(|due| due.to_string()), "is_late": one.is_late(now), "about": one.about,
                "partner_id": one.partner.map(|of| of.to_string()), "partner_name": name(one.partner),
                "command": command(one),
            })
        };
        let row = |one: &Waiting| {
            let due = one.due.map_or_else(String::new, |due| due.to_string());
            let late = if one.is_late(now) { " LATE" } else { "" };
            let whose = name(one.partner).unwrap_or_default();
            vec![
                minute(one.since),
                format!("{due}{late}"),
                one.record.clone(),
                one.about.clone(),
                whose,
                command(one),
            ]
        };
        let listed: Vec<Value> = waiting.iter().map(one).collect();
        let answer = Answer::of(json!({ "waiting": listed, "count": count, "late": late }));
        if count == 0 {
            return Ok(answer.saying("Nothing waits for a person."));
        }
        let head = ["since", "due", "record", "what", "partner", "command"];
        Ok(answer.table(&head, waiting.iter().map(row)).saying(in_words(count, late)))
    }
}

/// Sentence with the number of waiting and of late entries.
pub(crate) fn in_words(count: usize, late: usize) -> String {
    let waits = if count == 1 { "waits" } else { "wait" };
    format!("{count} {waits} for a person, {late} of them late.")
}

/// Name of the action that lists this kind of work. A caller who may not use that action does not see
/// the kind here.
fn listing(kind: WaitingKind) -> &'static str {
    match kind {
        WaitingKind::Proposal => "proposal.list",
        WaitingKind::Cancellation => "policy.list",
        WaitingKind::Endorsement | WaitingKind::EndorsementPayment => "policy.endorsements",
        WaitingKind::Claim | WaitingKind::ClaimPayment => "claim.list",
        WaitingKind::Complaint => "complaint.list",
        WaitingKind::Premium
        | WaitingKind::Mismatch
        | WaitingKind::Remittance
        | WaitingKind::PremiumRefund => "premium.list",
        WaitingKind::Refund => "refund.list",
        WaitingKind::Deposit => "deposit.list",
        WaitingKind::Month | WaitingKind::Commission => "statement.list",
        WaitingKind::Approval | WaitingKind::Recovery => "approval.list",
        WaitingKind::Endpoint => "webhook.list",
        WaitingKind::Job | WaitingKind::Licence | WaitingKind::Catalogue => "store.examine",
    }
}

/// Command that does the waiting work, or shows more about it.
fn command(Waiting { kind, record, partner, .. }: &Waiting) -> String {
    match kind {
        WaitingKind::Proposal => format!("proposal decide {record}"),
        WaitingKind::Cancellation => format!("policy decide {record}"),
        WaitingKind::Endorsement => format!("policy decide-endorsement {record}"),
        WaitingKind::EndorsementPayment => format!("policy show {record}"),
        WaitingKind::Claim => format!("claim decide {record}"),
        WaitingKind::ClaimPayment => format!("claim paid {record}"),
        WaitingKind::Complaint => format!("complaint answer {record}"),
        WaitingKind::Premium => format!("premium show {record}"),
        WaitingKind::Mismatch => format!("premium settle {record}"),
        WaitingKind::Remittance => format!("premium remit {record}"),
        WaitingKind::PremiumRefund => format!("premium refund {record}"),
        WaitingKind::Refund => format!("refund paid {record}"),
        WaitingKind::Deposit if record.contains(' ') => format!("deposit top-up '{record}'"),
        WaitingKind::Deposit => format!("deposit top-up {record}"),
        WaitingKind::Month => format!("statement make --month {record}"),
        WaitingKind::Commission => format!("statement paid {record}"),
        WaitingKind::Approval => format!("approval show {record}"),
        WaitingKind::Endpoint => format!("webhook show {record}"),
        WaitingKind::Job => "doctor".to_owned(),
        // The partner's licence is in commission.toml.
        WaitingKind::Licence if partner.is_some() => "catalogue reload".to_owned(),
        WaitingKind::Licence => "operator show".to_owned(),
        WaitingKind::Catalogue => "catalogue reload".to_owned(),
        WaitingKind::Recovery => format!("audit list --of {record}"),
    }
}
