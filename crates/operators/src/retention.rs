//! Actions on the retention periods of records.

use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::retention::{Pace, RemovalReport, Retention};
use utoipa::ToSchema;

use crate::act::{About, Act, On, Result, Role, get, post, verbs};
use crate::answer::Answer;
use crate::record::minute;

verbs! {
    /// Verbs of `covernote retention`
    RetentionVerb {
        Show(ShowRetention),
        Run(RunRetention),
    }
}

/// A kind of record: its name, its setting, the purpose of its retention, from when its days count, and how
/// to read its period.
type Kept = (&'static str, &'static str, &'static str, &'static str, fn(&Retention) -> Option<Duration>);

const KINDS: [Kept; 5] = [
    ("quotes of credit protection", "quotes_kept_days", "sale at the quoted price", "the quote", |kept| {
        kept.quotes
    }),
    ("health quotes", "health_quotes_kept_days", "sale at the quoted price", "the quote", |kept| {
        kept.health_quotes
    }),
    (
        "proposals without a policy",
        "unsold_proposals_kept_days",
        "records of an intermediary",
        "the last change",
        |kept| kept.unsold_proposals,
    ),
    (
        "policies, claims, papers",
        "policies_kept_days",
        "records of an intermediary",
        "the end or the last payment",
        |kept| kept.policies,
    ),
    ("complaints", "complaints_kept_days", "records of an intermediary", "the answer", |kept| {
        kept.complaints
    }),
];

/// Show the retention period and purpose of each kind of record, and the result of the last removal
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowRetention {}

impl Act for ShowRetention {
    const ABOUT: About = get("retention.show", "/retention", &[Role::Read, Role::Compliance]);

    async fn run(self, on: &On) -> Result<Answer> {
        let (kept, report) = (on.service.retention.settings(), on.service.retention.last_report().await?);
        let days = |of: fn(&Retention) -> Option<Duration>| of(&kept).map(|kept| kept.as_secs() / 86_400);
        let json = KINDS.map(|(kind, setting, purpose, from, of)| {
            json!({ "kind": kind, "setting": setting, "purpose": purpose, "counted_from": from, "days": days(of) })
        });
        let row = |(kind, setting, purpose, from, of): Kept| {
            let days = days(of).map_or_else(|| "for ever".to_owned(), |days| days.to_string());
            [kind, &days, from, purpose, setting].map(str::to_owned).to_vec()
        };
        let head = ["record", "days", "counted from", "purpose", "setting"];
        let answer = Answer::of(json!({ "kinds": json, "last_removal": to_json(&report) }));
        Ok(answer.table(&head, KINDS.map(row)).saying(in_words(&report)))
    }
}

/// Remove records whose retention period is over, as the server does once a day
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRetention {}

impl Act for RunRetention {
    const ABOUT: About =
        post("retention.run", "/retention/removal", &[Role::Compliance]).irreversible().in_steps();

    async fn run(self, on: &On) -> Result<Answer> {
        let report = on.service.retention.remove_old(Pace::Now).await?;
        Ok(Answer::of(to_json(&report)).saying(in_words(&report)))
    }
}

fn to_json(report: &RemovalReport) -> Value {
    let removed =
        report.removed.iter().map(|(kind, number)| json!({ "kind": kind.word(), "records": number }));
    json!({ "at": report.at.map(|at| at.to_string()), "removed": removed.collect::<Vec<_>>() })
}

fn in_words(report: &RemovalReport) -> String {
    let Some(at) = report.at else { return "Nothing was removed yet.".to_owned() };
    let removed: Vec<String> =
        report.removed.iter().map(|(kind, number)| format!("{kind}: {number}")).collect();
    match removed.is_empty() {
        true => format!("The last removal, {}, found nothing to remove.", minute(at)),
        false => format!("The last removal, {}, removed {}.", minute(at), removed.join(", ")),
    }
}
