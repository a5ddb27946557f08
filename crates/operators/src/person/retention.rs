//! Actions on the retention periods of records.

use std::time::Duration;

use domain::date::Timestamp;
use service::retention::{Pace, RemovalReport, Retention};

use crate::act::answer::Done;
use crate::act::input::input;
use crate::act::record::minute;
use crate::act::shown::answer;
use crate::act::{About, Act, On, Result, Role, get, post};

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

input! {
    /// Show the retention period and purpose of each kind of record, and the result of the last removal
    struct ShowRetention {}
}

impl Act for ShowRetention {
    const ABOUT: About = get("retention.show", "/retention", &[Role::Read, Role::Compliance]);

    type Answer = Done<RetentionShown>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (kept, report) = (on.service.retention.settings(), on.service.retention.last_report().await?);
        let kind = |(record, setting, purpose, counted_from, of): Kept| KeptKind {
            kind: record,
            days: of(&kept).map(|kept| kept.as_secs() / 86_400),
            counted_from,
            purpose,
            setting,
        };
        let note = in_words(&report);
        Ok(Done::of(RetentionShown { kinds: KINDS.map(kind).into(), last_removal: Removal::of(&report) })
            .saying(note))
    }
}

input! {
    /// Remove records whose retention period is over, as the server does once a day
    struct RunRetention {}
}

impl Act for RunRetention {
    const ABOUT: About =
        post("retention.run", "/retention/removal", &[Role::Compliance]).irreversible().in_steps();

    type Answer = Done<Removal>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let report = on.service.retention.remove_old(Pace::Now).await?;
        Ok(Done::of(Removal::of(&report)).saying(in_words(&report)))
    }
}

answer! {
    /// The retention periods
    struct RetentionShown {
        /// Kinds of records
        kinds: Vec<KeptKind>,
        /// Result of the last removal
        #[shown(hidden = true)]
        last_removal: Removal,
    }
}

answer! {
    /// A kind of record, and how long it is kept
    struct KeptKind {
        /// Kind of record
        #[shown(label = "record")]
        kind: &'static str,
        /// Days for which it is kept; null: for ever
        days: Option<u64>,
        /// Event from which the days count
        counted_from: &'static str,
        /// Purpose of the retention
        purpose: &'static str,
        /// Setting with the number of days
        setting: &'static str,
    }
}

answer! {
    /// Result of a removal of old records
    struct Removal {
        /// When it was; null: there was none yet
        at: Option<Timestamp>,
        /// Removed records
        removed: Vec<RemovedRecords>,
    }
}

answer! {
    /// Number of removed records of a kind
    struct RemovedRecords {
        /// Kind of record
        kind: &'static str,
        /// Number of records
        records: u64,
    }
}

impl Removal {
    fn of(report: &RemovalReport) -> Self {
        let removed = report.removed.iter();
        Removal {
            at: report.at,
            removed: removed
                .map(|(kind, records)| RemovedRecords { kind: kind.word(), records: *records })
                .collect(),
        }
    }
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
