//! `covernote complaint`: the register of complaints with its clock (D88).

use domain::complaint::{Complaint as Kept, ComplaintKind};
use serde_json::{Value, json};
use service::complaint::{ComplaintShown, NewComplaint};

use super::arguments::{read, read_day, read_id};
use super::on_service;
use crate::cli::{Complaint, ComplaintOutcome, ComplaintVerb, Grievance};
use crate::failure::Result;
use crate::output;

pub(super) fn run(Complaint { verb, flags }: Complaint) -> Result<()> {
    on_service(&flags, async |service| match verb {
        ComplaintVerb::Add { kind, from, text, policy, received_on, json } => {
            let new = NewComplaint {
                policy: policy.as_deref().map(|id| read_id("a policy", id)).transpose()?,
                kind: kind_of(kind),
                received_on: received_on.as_deref().map(|day| read_day("--received-on", day)).transpose()?,
                from: read("--from", &from)?,
                text: read("--text", &text)?,
            };
            let complaint = service.complaints.add(new).await?;
            if json {
                let shown = service.complaints.find(complaint.id).await?;
                output::json(&to_json(&shown, false));
            }
            output::message(&format!("{} is to be answered by {}", complaint.id, complaint.answer_by));
            Ok(())
        }
        ComplaintVerb::List { all, most, json } => {
            let found = match all {
                true => service.complaints.all(most).await?,
                false => service.complaints.open(most).await?,
            };
            list(&found, json);
            Ok(())
        }
        ComplaintVerb::Show { id, personal, json } => {
            let shown = service.complaints.find(read_id("a complaint", &id)?).await?;
            if json {
                output::json(&to_json(&shown, personal));
            } else {
                show(&shown, personal);
            }
            Ok(())
        }
        ComplaintVerb::Answer { id, outcome, text, answered_on, json } => {
            let (upheld, text) = (outcome == ComplaintOutcome::Upheld, read("--text", &text)?);
            let answered_on = answered_on.as_deref().map(|day| read_day("--answered-on", day)).transpose()?;
            let answered =
                service.complaints.answer(read_id("a complaint", &id)?, upheld, text, answered_on).await?;
            let (shown, next) = answered;
            if json {
                let mut printed = to_json(&shown, false);
                printed["next"] = next.clone().into();
                output::json(&printed);
            }
            let late = if shown.is_late() { ", late" } else { "" };
            output::message(&format!("{id} is answered{late}"));
            if let Some(next) = next {
                output::message(&format!("tell the customer: {next}"));
            }
            Ok(())
        }
    })
}

fn list(complaints: &[ComplaintShown], as_json: bool) {
    if as_json {
        let complaints: Vec<Value> = complaints.iter().map(|shown| to_json(shown, false)).collect();
        output::json(&json!({ "complaints": complaints }));
        return;
    }
    let row = |shown: &ComplaintShown| {
        let complaint = &shown.complaint;
        let late = if shown.is_late() { " LATE" } else { "" };
        vec![
            complaint.id.to_string(),
            complaint.kind.to_string(),
            complaint.policy.map_or(String::new(), |policy| policy.to_string()),
            complaint.received_on.to_string(),
            format!("{}{late}", complaint.answer_by),
            outcome(complaint).to_owned(),
        ]
    };
    output::table(
        &["complaint_id", "kind", "policy_id", "received", "answer by", "outcome"],
        complaints.iter().map(row).collect(),
    );
}

fn outcome(complaint: &Kept) -> &'static str {
    match complaint.answer.as_ref().map(|answer| answer.upheld) {
        None => "open",
        Some(true) => "upheld",
        Some(false) => "not upheld",
    }
}

fn to_json(shown: &ComplaintShown, personal: bool) -> Value {
    let complaint = &shown.complaint;
    let answer = complaint.answer.as_ref();
    let mut printed = json!({
        "complaint_id": complaint.id.to_string(), "kind": complaint.kind.word(),
        "partner_id": complaint.partner.map(|partner| partner.to_string()),
        "policy_id": complaint.policy.map(|policy| policy.to_string()),
        "received_on": complaint.received_on.to_string(), "created_at": complaint.created_at.to_string(),
        "answer_by": complaint.answer_by.to_string(), "is_late": shown.is_late(), "outcome": outcome(complaint),
        "answered_on": answer.map(|answer| answer.answered_on.to_string()),
    });
    if personal {
        printed["from"] = complaint.from.reveal().into();
        printed["text"] = complaint.text.reveal().into();
        printed["answer"] = answer.map(|answer| answer.text.reveal()).into();
    }
    printed
}

fn show(shown: &ComplaintShown, personal: bool) {
    let complaint = &shown.complaint;
    let late = if shown.is_late() { ": LATE" } else { "" };
    output::data(&format!("{}  {}, {}", complaint.id, complaint.kind, outcome(complaint)));
    output::data(&format!(
        "came on {}, to be answered by {}{late}",
        complaint.received_on, complaint.answer_by
    ));
    if let Some(policy) = complaint.policy {
        output::data(&format!("policy {policy}"));
    }
    if personal {
        output::data(&format!("{}: {}", complaint.from.reveal(), complaint.text.reveal()));
    }
    if let Some(answer) = &complaint.answer {
        let text = if personal { format!(": {}", answer.text.reveal()) } else { String::new() };
        output::data(&format!("answered on {}{text}", answer.answered_on));
    }
}

const fn kind_of(kind: Grievance) -> ComplaintKind {
    match kind {
        Grievance::Sale => ComplaintKind::Sale,
        Grievance::Policy => ComplaintKind::Policy,
        Grievance::Premium => ComplaintKind::Premium,
        Grievance::Refund => ComplaintKind::Refund,
        Grievance::Claim => ComplaintKind::Claim,
        Grievance::Service => ComplaintKind::Service,
        Grievance::Other => ComplaintKind::Other,
    }
}
