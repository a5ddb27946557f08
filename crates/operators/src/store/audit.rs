//! Actions on the audit trail: list, export, verify.

use std::collections::BTreeMap;

use axum::body::{Body, Bytes};
use domain::date::{Date, Timestamp, days_later, start_of_day};
use domain::text::one_line;
use futures_util::stream;
use serde_json::{Value, json};
use service::storage::audit::{AuditEntry, AuditFilter, AuditQuery};
use web::error::{Code, Problem};
use web::sight::{Masked, Sight};

use crate::act::answer::{Done, Download};
use crate::act::arguments::bad;
use crate::act::fields::OperatorName;
use crate::act::input::input;
use crate::act::listing::{Listed, PageAsked};
use crate::act::record::policy_id;
use crate::act::shown::{Shown, answer};
use crate::act::trail::{heads_in, is_id};
use crate::act::{About, Act, Needed, On, Result, Role, get, post};

/// Number of entries that an export reads at once.
const PAGE: usize = 2000;

/// Most characters of a text in an entry.
const LONGEST_TEXT: usize = 300;

input! {
    /// List entries of the audit trail, newest first. With --operator, --act or a day and without --of, only what
    /// operators did
    struct ListAudit {
        /// Only entries about the record with this id or policy number
        #[flag(value = "ID")]
        of: Option<String>,
        /// Only what this operator did: name or id
        operator: Option<OperatorName>,
        /// Only this act, such as claim.paid
        act: Option<String>,
        /// Only entries of this day or later, in Asia/Kolkata, YYYY-MM-DD
        from: Option<Date>,
        /// Only entries of this day or earlier, in Asia/Kolkata, YYYY-MM-DD
        to: Option<Date>,
        /// Show the operators' reasons, which may name persons
        #[flag(requires = &["reason"])]
        personal: bool,
        /// Why you need the reasons; recorded in the audit trail
        #[flag(requires = &["personal"])]
        reason: Option<String>,
    } with {
        page: PageAsked,
    }
}

impl ListAudit {
    async fn query(&self, on: &On) -> Result<AuditQuery> {
        let subject = match &self.of {
            // The number of a policy stands for its id.
            Some(named) if !is_id(named) => {
                Some(policy_id(on, named).await.map_or_else(|_| named.clone(), |id| id.to_string()))
            }
            of => of.clone(),
        };
        let is_filtered =
            self.operator.is_some() || self.act.is_some() || self.from.is_some() || self.to.is_some();
        let start = |day| start_of_day(day).ok_or_else(|| bad("This day is outside the supported calendar."));
        let actor = match &self.operator {
            Some(operator) => Some(on.service.team.find(&operator.0).await?.id.to_string()),
            None => None,
        };
        Ok(match (subject, is_filtered) {
            (None, false) => AuditQuery::Newest,
            (Some(subject), false) => AuditQuery::Subject(subject),
            (subject, true) => AuditQuery::Filtered(AuditFilter {
                subject,
                actor,
                action: self.act.clone(),
                from: self.from.map(start).transpose()?.unwrap_or(Timestamp::UNIX_EPOCH),
                until: match self.to {
                    Some(day) => start(days_later(day, 1).unwrap_or(day))?,
                    None => Timestamp::MAX,
                },
            }),
        })
    }
}

impl Act for ListAudit {
    const ABOUT: About = get("audit.list", "/audit", &[Role::Compliance]);

    type Answer = Done<Entries>;

    fn reveals(&self) -> Option<&str> {
        self.personal.then_some(self.reason.as_deref().unwrap_or_default())
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let found = on.service.audit.entries(&self.query(on).await?, self.page.reach()).await?;
        if let (true, Some(of)) = (found.is_empty(), &self.of) {
            let detail = format!("The audit trail has no such entry about {of}.");
            return Err(Problem::new(Code::R4040, detail));
        }
        let place = |entry: &AuditEntry| format!("{}-{}", entry.slot, entry.number);
        let Listed { records: found, page } = self.page.of(found, place)?;
        let names = on.names().await?;
        let sight = if self.personal { Sight::Revealed(&["reason"]) } else { Sight::Masked };
        let mut deciders: BTreeMap<&str, (Option<String>, Option<String>)> = BTreeMap::new();
        let mut entries = Vec::new();
        for entry in &found {
            let by = match entry.approval.as_deref() {
                Some(id) if !deciders.contains_key(id) => {
                    let by = on.service.audit.deciders(id).await?;
                    deciders.entry(id).or_insert(by)
                }
                Some(id) => &deciders[id],
                None => &(None, None),
            };
            entries.push(EntryNamed {
                actor_name: names.of(&entry.actor),
                requester: by.0.as_deref().map(|by| names.of(by)),
                approver: by.1.as_deref().map(|by| names.of(by)),
                reason: entry.reason.as_deref().map(|reason| sight.any("reason", reason)),
                entry: EntryShown::of(entry),
            });
        }
        Ok(Done::of(Entries { entries }).listing(page, found.len()))
    }
}

input! {
    /// Write the whole audit trail into a file, one entry as JSON on each line, ordered by slot (chain of
    /// entries) and number
    struct ExportAudit {
        /// Include the operators' reasons, which may name persons
        reasons: bool,
    }
}

impl Act for ExportAudit {
    const ABOUT: About = post("audit.export", "/audit/export", &[Role::Compliance]).giving_file();

    type Answer = Download;

    async fn needs_approval(&self, _: &On) -> Result<Option<Needed>> {
        Ok(self.reasons.then(|| Needed::new("the audit trail with reasons, which may name persons")))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let slots = on.service.audit.heads().await?.into_iter().map(|head| head.slot);
        let (service, reasons, until) = (on.service.clone(), self.reasons, on.exports_until());
        let first = (slots.collect::<Vec<_>>().into_iter(), None);
        let lines = stream::try_unfold(first, move |(mut slots, begun)| {
            let service = service.clone();
            async move {
                let mut next: Option<(i16, i64)> = begun.or_else(|| slots.next().map(|slot| (slot, 0)));
                while let Some((slot, after)) = next {
                    let read = service.audit.entries(&AuditQuery::Slot(slot, after), PAGE).await;
                    let page = read.map_err(|fault| std::io::Error::other(fault.to_string()))?;
                    if let Some(last) = page.last() {
                        let is_in = |entry: &&AuditEntry| until.is_none_or(|at| entry.at <= at);
                        let lines = page.iter().filter(is_in);
                        let lines: String =
                            lines.map(|entry| format!("{}\n", line_of(entry, reasons))).collect();
                        let begun = Some((slot, last.number));
                        return Ok(Some((Bytes::from(lines), (slots, begun))));
                    }
                    next = slots.next().map(|slot| (slot, 0));
                }
                Ok::<_, std::io::Error>(None)
            }
        });
        Ok(Download::of("application/jsonl", None, Body::from_stream(lines)))
    }
}

input! {
    /// Verify that no entry of the audit trail was removed, changed, moved or inserted, by comparison with the
    /// signed heads that the server writes outside the store
    struct VerifyAudit {
        /// Content of a file with signed heads of the audit trail; default: the server's own file
        #[flag(is_text_of_file = true)]
        head_lines: Option<String>,
    }
}

impl Act for VerifyAudit {
    const ABOUT: About =
        post("audit.verify", "/audit/verification", &[Role::Compliance]).taking_megabytes(16);

    type Answer = Done<TrailVerified>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let lines = match self.head_lines {
            Some(lines) => lines,
            None => on.trail.heads().map_err(|cause| Problem::new(Code::E5030, cause))?,
        };
        let (heads, torn) = heads_in(&lines);
        let mut verified = on.service.audit.verify(&heads).await?;
        verified.faults.extend(
            torn.iter().map(|line| format!("line {line} of the file with signed heads is not a signed head")),
        );
        let proven = verified.proven.iter();
        let proven = proven.map(|(slot, number, at)| ProvenHead {
            slot: (*slot).into(),
            number: *number,
            signed_at: *at,
        });
        let done = Done::of(TrailVerified {
            entries: verified.entries,
            heads: heads.len(),
            faults: verified.faults.clone(),
            proven: proven.collect(),
            unproven: verified.unproven,
        });
        let newest = verified.proven.iter().map(|(_, _, at)| at).max();
        let done = done.saying(format!("{} entries were read", verified.entries));
        let done = done.saying(match newest {
            Some(at) => format!(
                "all entries up to the last signed heads of {at} are proven; {} are newer and not proven yet",
                verified.unproven
            ),
            None => "there is no signed head: if entries at the end were removed, this cannot be detected"
                .to_owned(),
        });
        Ok(done.refusing(verified.faults))
    }
}

/// An entry as a line of an export.
fn line_of(entry: &AuditEntry, with_reason: bool) -> Value {
    let mut json = EntryShown::of(entry).json();
    if with_reason {
        json["reason"] = json!(entry.reason);
    }
    json
}

answer! {
    /// Entries of the audit trail
    struct Entries {
        /// Entries, newest first
        #[shown(columns = ["at", "actor_name", "requester", "approver", "action", "change", "subject", "reason"])]
        entries: Vec<EntryNamed>,
    }
}

answer! {
    /// An entry of the audit trail with names
    struct EntryNamed {
        /// Name of who acted
        #[shown(label = "by")]
        actor_name: String,
        /// Who requested the action, if it needed approval
        #[shown(label = "requested by")]
        requester: Option<String>,
        /// Who approved the action, if it needed approval
        #[shown(label = "approved by")]
        approver: Option<String>,
        /// The operator's reason
        reason: Option<Masked>,
    } with {
        entry: EntryShown,
    }
}

answer! {
    /// An entry of the audit trail, without its reason, which may name persons
    struct EntryShown {
        /// Chain of entries
        slot: i64,
        /// Number of the entry in its chain
        number: i64,
        /// When it was written
        at: Timestamp,
        /// Who acted
        actor: String,
        /// By what: console, command, API or process
        via: String,
        /// Action
        action: String,
        /// What changed
        change: String,
        /// Records that changed
        #[shown(label = "record")]
        subject: String,
        /// Session or token of the operator
        session: Option<String>,
        /// Request of a partner
        request_id: Option<String>,
        /// Approval that allowed the action
        approval_id: Option<String>,
        /// Whether the operator gave a reason
        has_reason: bool,
    }
}

impl EntryShown {
    fn of(entry: &AuditEntry) -> Self {
        let text = |text: &str| one_line(text, LONGEST_TEXT).unwrap_or_default();
        EntryShown {
            slot: entry.slot.into(),
            number: entry.number,
            at: entry.at,
            actor: text(&entry.actor),
            via: text(&entry.via),
            action: text(&entry.action),
            change: text(&entry.change),
            subject: text(&entry.subject),
            session: entry.session.clone(),
            request_id: entry.request.map(|id| id.simple().to_string()),
            approval_id: entry.approval.clone(),
            has_reason: entry.reason.is_some(),
        }
    }
}

answer! {
    /// Result of a verification of the audit trail
    struct TrailVerified {
        /// Number of entries that were read
        entries: u64,
        /// Number of signed heads
        heads: usize,
        /// Faults
        #[shown(hidden = true)]
        faults: Vec<String>,
        /// Last proven entry of each chain
        proven: Vec<ProvenHead>,
        /// Number of entries that are newer than the last signed heads
        unproven: u64,
    }
}

answer! {
    /// Newest entry of a chain whose signed head was found
    struct ProvenHead {
        /// Chain of entries
        slot: i64,
        /// Number of the entry
        number: i64,
        /// When its head was signed
        signed_at: Timestamp,
    }
}
