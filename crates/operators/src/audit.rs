//! Actions on the audit trail: list, export, verify.

use std::path::PathBuf;

use axum::body::{Body, Bytes};
use clap::Args;
use domain::text::one_line;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::storage::audit::{AuditEntry, AuditQuery};
use utoipa::ToSchema;
use web::error::{Code, Problem};

use crate::act::{About, Act, Needed, On, Result, Role, get, post, verbs};
use crate::answer::Answer;
use crate::record::minute;
use crate::trail::heads_in;

/// Number of entries that an export reads at once.
const PAGE: usize = 2000;

verbs! {
    /// Verbs of `covernote audit`
    AuditVerb {
        List(ListAudit),
        Export(ExportAudit),
        Verify(VerifyAudit),
    }
}

/// List entries of the audit trail, newest first
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListAudit {
    /// Only entries about the record with this id
    #[arg(long, value_name = "ID")]
    of: Option<String>,
    /// Most entries to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for ListAudit {
    const ABOUT: About = get("audit.list", "/audit", &[Role::Compliance]);

    async fn run(self, on: &On) -> Result<Answer> {
        let query = self.of.map_or(AuditQuery::Newest, AuditQuery::Subject);
        let entries = on.service.audit.entries(&query, self.most).await?;
        let all: Vec<Value> = entries.iter().map(|entry| to_json(entry, false)).collect();
        let row = |entry: &AuditEntry| {
            let AuditEntry { actor, via, action, change, subject, .. } = entry;
            let shown =
                [actor, via, action, change, subject].map(|text| one_line(text, 80).unwrap_or_default());
            [vec![minute(entry.at)], shown.to_vec()].concat()
        };
        let head = ["at", "actor", "via", "action", "change", "record"];
        Ok(Answer::of(json!({ "entries": all })).table(&head, entries.iter().map(row)))
    }
}

/// Write the whole audit trail into a file, one entry as JSON on each line, ordered by slot (chain of
/// entries) and number
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportAudit {
    /// Include the operators' reasons, which may name persons
    #[arg(long)]
    #[serde(default)]
    reasons: bool,
    /// File to write; it must not exist
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    #[schema(ignore)]
    out: PathBuf,
}

impl Act for ExportAudit {
    const ABOUT: About = post("audit.export", "/audit/export", &[Role::Compliance]).giving_file();

    fn out(&self) -> Option<&std::path::Path> {
        Some(&self.out)
    }

    async fn needs_approval(&self, _: &On) -> Result<Option<Needed>> {
        Ok(self.reasons.then(|| Needed::new("the audit trail with reasons, which may name persons")))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let slots = on.service.audit.heads().await?.into_iter().map(|head| head.slot);
        let (service, reasons) = (on.service.clone(), self.reasons);
        let first = (slots.collect::<Vec<_>>().into_iter(), None);
        let lines = stream::try_unfold(first, move |(mut slots, begun)| {
            let service = service.clone();
            async move {
                let mut next: Option<(i16, i64)> = begun.or_else(|| slots.next().map(|slot| (slot, 0)));
                while let Some((slot, after)) = next {
                    let read = service.audit.entries(&AuditQuery::Slot(slot, after), PAGE).await;
                    let page = read.map_err(|fault| std::io::Error::other(fault.to_string()))?;
                    if let Some(last) = page.last() {
                        let lines: String =
                            page.iter().map(|entry| format!("{}\n", to_json(entry, reasons))).collect();
                        let begun = Some((slot, last.number));
                        return Ok(Some((Bytes::from(lines), (slots, begun))));
                    }
                    next = slots.next().map(|slot| (slot, 0));
                }
                Ok::<_, std::io::Error>(None)
            }
        });
        Ok(Answer::file("application/jsonl", None, Body::from_stream(lines)))
    }
}

/// Verify that no entry of the audit trail was removed, changed, moved or inserted, by comparison with the
/// signed heads that the server writes outside the store
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyAudit {
    /// File with signed heads of the audit trail, such as a copy of audit-heads.jsonl [default: the file that
    /// the server writes]
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    #[schema(ignore)]
    heads: Option<PathBuf>,
    /// Content of a file with signed heads of the audit trail; default: the server's own file
    #[arg(skip)]
    head_lines: Option<String>,
}

impl Act for VerifyAudit {
    const ABOUT: About =
        post("audit.verify", "/audit/verification", &[Role::Compliance]).taking_megabytes(16);

    fn read_files(&mut self) -> Result<(), String> {
        let Some(file) = &self.heads else { return Ok(()) };
        let text = std::fs::read_to_string(file);
        self.head_lines = Some(text.map_err(|cause| format!("{}: {cause}", file.display()))?);
        Ok(())
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let lines = match self.head_lines {
            Some(lines) => lines,
            None => on.trail.heads().map_err(|cause| Problem::new(Code::E5030, cause))?,
        };
        let (heads, torn) = heads_in(&lines);
        let mut verified = on.service.audit.verify(&heads).await?;
        verified.faults.extend(
            torn.iter().map(|line| format!("line {line} of the file with signed heads is not a signed head")),
        );
        let proven: Vec<Value> = verified
            .proven
            .iter()
            .map(|(slot, number, at)| json!({ "slot": slot, "number": number, "signed_at": at.to_string() }))
            .collect();
        let json = json!({
            "entries": verified.entries, "heads": heads.len(), "faults": verified.faults, "proven": proven,
            "unproven": verified.unproven,
        });
        let newest = verified.proven.iter().map(|(_, _, at)| at).max();
        let answer = Answer::of(json).saying(format!("{} entries were read", verified.entries));
        let answer = answer.saying(match newest {
            Some(at) => format!(
                "all entries up to the last signed heads of {at} are proven; {} are newer and not proven yet",
                verified.unproven
            ),
            None => "there is no signed head: if entries at the end were removed, this cannot be detected"
                .to_owned(),
        });
        Ok(if verified.faults.is_empty() { answer } else { answer.refusing(verified.faults) })
    }
}

fn to_json(entry: &AuditEntry, with_reason: bool) -> Value {
    let mut json = json!({
        "slot": entry.slot, "number": entry.number, "at": entry.at.to_string(), "actor": entry.actor, "via": entry.via,
        "action": entry.action, "change": entry.change, "subject": entry.subject, "session": entry.session,
        "request_id": entry.request.map(|id| id.simple().to_string()), "approval_id": entry.approval,
        "has_reason": entry.reason.is_some(),
    });
    if with_reason {
        json["reason"] = json!(entry.reason);
    }
    json
}
