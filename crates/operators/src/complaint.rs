//! The register of complaints, with their deadlines (D88).

use clap::{Args, ValueEnum};
use domain::complaint::{Complaint, ComplaintKind};
use domain::id::ComplaintId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::complaint::{ComplaintShown, NewComplaint};
use utoipa::ToSchema;

use crate::act::{About, Act, On, Result, Role, get, post, verbs};
use crate::answer::Answer;
use crate::arguments::{read, read_day, read_id};
use crate::record::policy_id;

verbs! {
    /// Verbs of `covernote complaint`
    ComplaintVerb {
        Add(AddComplaint),
        List(ListComplaints),
        Show(ShowComplaint),
        Answer(AnswerComplaint),
    }
}

/// Add a complaint to the register; its deadline counts from the day of receipt
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddComplaint {
    /// Subject of the complaint
    #[arg(long, value_enum, ignore_case = true)]
    kind: Grievance,
    /// Name and contact of the person who complains, on one line
    #[arg(long)]
    from: String,
    /// Text of the complaint, on one line
    #[arg(long)]
    text: String,
    /// Policy that the complaint concerns: policy id (pol_…) or policy number
    #[arg(long, value_name = "POLICY")]
    policy: Option<String>,
    /// Day of receipt, YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DAY")]
    received_on: Option<String>,
}

impl Act for AddComplaint {
    const ABOUT: About = post("complaint.add", "/complaints", &[Role::Support, Role::Compliance]);

    async fn run(self, on: &On) -> Result<Answer> {
        let new = NewComplaint {
            policy: match &self.policy {
                Some(named) => Some(policy_id(on, named).await?),
                None => None,
            },
            kind: kind_of(self.kind),
            received_on: self.received_on.as_deref().map(|day| read_day("--received-on", day)).transpose()?,
            from: read("--from", &self.from)?,
            text: read("--text", &self.text)?,
        };
        let complaint = on.service.complaints.add(new).await?;
        let shown = on.service.complaints.find(complaint.id).await?;
        let said = format!("{} must be answered by {}", complaint.id, complaint.answer_by);
        Ok(Answer::of(to_json(&shown, false)).saying(said))
    }
}

/// List complaints that are not answered, earliest due date first
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListComplaints {
    /// Also list answered complaints; the newest complaint comes first
    #[arg(long)]
    #[serde(default)]
    all: bool,
    /// Most complaints to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for ListComplaints {
    const ABOUT: About = get("complaint.list", "/complaints", &[Role::Read, Role::Support, Role::Compliance]);

    async fn run(self, on: &On) -> Result<Answer> {
        let found = match self.all {
            true => on.service.complaints.all(self.most).await?,
            false => on.service.complaints.open(self.most).await?,
        };
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
        let complaints: Vec<Value> = found.iter().map(|shown| to_json(shown, false)).collect();
        let head = ["complaint_id", "kind", "policy_id", "received", "answer by", "outcome"];
        Ok(Answer::of(json!({ "complaints": complaints })).table(&head, found.iter().map(row)))
    }
}

/// Show a complaint; --personal adds the person, the complaint and the answer
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowComplaint {
    /// Complaint id, cmp_…
    id: String,
    /// Also show the person, the text of the complaint, and the answer
    #[arg(long, requires = "reason")]
    #[serde(default)]
    personal: bool,
    /// Why you need to see the personal data; recorded in the audit trail
    #[arg(long, requires = "personal")]
    reason: Option<String>,
}

impl ShowComplaint {
    /// Action that shows a complaint with all personal data, for the export of a person's data.
    pub(crate) fn in_full(id: &ComplaintId) -> Self {
        ShowComplaint { id: id.to_string(), personal: true, reason: None }
    }
}

impl Act for ShowComplaint {
    const ABOUT: About =
        get("complaint.show", "/complaints/{id}", &[Role::Read, Role::Support, Role::Compliance]);

    fn reveals(&self) -> Option<&str> {
        self.personal.then_some(self.reason.as_deref().unwrap_or_default())
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let shown = on.service.complaints.find(read_id("a complaint", &self.id)?).await?;
        let complaint = &shown.complaint;
        let mut answer = Answer::of(to_json(&shown, self.personal));
        let late = if shown.is_late() { ": LATE" } else { "" };
        answer.data(format!("{}  {}, {}", complaint.id, complaint.kind, outcome(complaint)));
        answer.data(format!(
            "received on {}, must be answered by {}{late}",
            complaint.received_on, complaint.answer_by
        ));
        if let Some(policy) = complaint.policy {
            answer.data(format!("policy {policy}"));
        }
        if self.personal {
            answer.data(format!("{}: {}", complaint.from.reveal(), complaint.text.reveal()));
        }
        if let Some(said) = &complaint.answer {
            let text = if self.personal { format!(": {}", said.text.reveal()) } else { String::new() };
            answer.data(format!("answered on {}{text}", said.answered_on));
        }
        Ok(answer)
    }
}

/// Record the answer to a complaint; a recorded answer cannot be changed
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerComplaint {
    /// Complaint id, cmp_…
    id: String,
    /// Whether the complaint is upheld
    #[arg(long, value_enum)]
    outcome: ComplaintOutcome,
    /// Text of the answer, on one line
    #[arg(long)]
    text: String,
    /// Day of the answer, YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DAY")]
    answered_on: Option<String>,
}

impl Act for AnswerComplaint {
    const ABOUT: About =
        post("complaint.answer", "/complaints/{id}/answer", &[Role::Support, Role::Compliance]);

    async fn run(self, on: &On) -> Result<Answer> {
        let (upheld, text) = (self.outcome == ComplaintOutcome::Upheld, read("--text", &self.text)?);
        let answered_on =
            self.answered_on.as_deref().map(|day| read_day("--answered-on", day)).transpose()?;
        let id = read_id("a complaint", &self.id)?;
        let (shown, next) = on.service.complaints.answer(id, upheld, text, answered_on).await?;
        let mut printed = to_json(&shown, false);
        printed["next"] = next.clone().into();
        let late = if shown.is_late() { ", late" } else { "" };
        let mut answer = Answer::of(printed).saying(format!("{id} is answered{late}"));
        if let Some(next) = next {
            answer.message(format!("tell the customer: {next}"));
        }
        Ok(answer)
    }
}

fn outcome(complaint: &Complaint) -> &'static str {
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

/// Subject of a complaint
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, ToSchema)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Grievance {
    /// The sale of a policy
    Sale,
    /// A policy or its certificate
    Policy,
    /// A premium or a payment
    Premium,
    /// A refund that was not paid
    Refund,
    /// A claim
    Claim,
    /// Treatment of the customer
    Service,
    /// Anything else
    Other,
}

/// Outcome of a complaint
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ComplaintOutcome {
    /// The complaint is justified
    Upheld,
    /// The complaint is not justified
    NotUpheld,
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
