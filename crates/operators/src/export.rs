//! Exports of records as CSV files (RFC 4180). Only a few pages of records are in memory at a time.

use std::io::{self, Write};
use std::mem::take;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use clap::Args;
use domain::date::{Date, day_of, kolkata_time};
use domain::id::PartnerId;
use domain::identifier::IdentifierKind;
use domain::period::Period;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use service::person::breach::{OpenedPages, OpenedRecord};
use service::policy::PolicyShown;
use service::proposal::read::{Payment, ProposalShown};
use service::{Service, on_any_policy};
use spreadsheet::{Cell, CsvRows};
use tokio::sync::mpsc;
use utoipa::ToSchema;

use crate::act::{On, Result};
use crate::answer::Answer;
use crate::arguments::{bad, read_day};

/// Start of an export without a first day: earlier than every record.
const FIRST_DAY: Date = Date::constant(1900, 1, 1);

const POLICY_COLUMNS: &[&str] = &[
    "policy_id",
    "policy_number",
    "insurer_policy_number",
    "line",
    "status",
    "status_since",
    "partner_id",
    "reference",
    "insurer_id",
    "insurer",
    "master_policy_number",
    "product",
    "product_uin",
    "variant",
    "issue_date",
    "cover_start",
    "cover_end",
    "sum_assured",
    "base_premium",
    "gst",
    "total",
    "paid_by",
    "cancelled_on",
    "cancel_reason",
    "refund_base",
    "refund_gst",
    "refund_total",
    "refund_due_on",
    "refund_paid_on",
    "refund_reference",
    "claims",
    "endorsements",
];

const PERSONAL_COLUMNS: &[&str] = &["member_names", "dates_of_birth"];

const PROPOSAL_COLUMNS: &[&str] = &[
    "proposal_id",
    "line",
    "status",
    "status_since",
    "awaits",
    "partner_id",
    "reference",
    "insurer",
    "product",
    "variant_id",
    "quote_id",
    "created_on",
    "base_premium",
    "gst",
    "total",
    "paid_by",
    "premium_state",
    "policy_id",
];

/// Records to export, and the file to write
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub(crate) struct ExportAsk {
    /// File to write; it must not exist
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub(crate) out: PathBuf,
    /// Only records of this partner: partner_id or client_id
    #[arg(long, value_name = "PARTNER")]
    partner: Option<String>,
    /// Only records made on this day or later, in Asia/Kolkata, YYYY-MM-DD
    #[arg(long, value_name = "DAY")]
    from: Option<String>,
    /// Only records made on this day or earlier, in Asia/Kolkata, YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DAY")]
    to: Option<String>,
}

impl ExportAsk {
    /// Days (`None`: all days) and partners whose records are exported.
    pub(crate) async fn read(&self, on: &On) -> Result<(Option<Period>, Vec<PartnerId>)> {
        let days = self.days(on.service.policies.today())?;
        let of = match &self.partner {
            Some(named) => vec![on.service.partners.find(named).await?.partner.id],
            None => on.service.partners.live().await?.into_iter().map(|record| record.partner.id).collect(),
        };
        Ok((days, of))
    }

    fn days(&self, today: Date) -> Result<Option<Period>> {
        let read = |flag, day: &Option<String>| day.as_deref().map(|day| read_day(flag, day)).transpose();
        let (from, to) = (read("--from", &self.from)?, read("--to", &self.to)?);
        if from.is_none() && to.is_none() {
            return Ok(None);
        }
        let (first, last) = (from.unwrap_or(FIRST_DAY), to.unwrap_or(today));
        match first <= last {
            true => Ok(Some(Period { first, last })),
            false if to.is_none() => Err(bad("--from: must not be after today, unless --to is given")),
            false => Err(bad("--to: must not be before --from")),
        }
    }
}

/// Most pages of records that are written and wait to be sent.
const WAITING: usize = 2;

/// Bytes of a file that are written and not yet sent.
#[derive(Clone, Default)]
struct Unsent(Arc<Mutex<Vec<u8>>>);

impl Unsent {
    fn take(&self) -> Bytes {
        take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).into()
    }
}

impl Write for Unsent {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

type Chunks = mpsc::Sender<Bytes>;

/// Answer with a CSV file that `write` makes while the response is sent. If `write` fails, the response is
/// cut off, so that the file does not look complete.
fn file<Written>(write: impl FnOnce(Chunks) -> Written) -> Answer
where
    Written: Future<Output = io::Result<()>> + Send + 'static,
{
    let (chunks, written) = mpsc::channel(WAITING);
    let writing = tokio::spawn(write(chunks));
    let body = stream::try_unfold((written, Some(writing)), |(mut written, mut writing)| async move {
        if let Some(chunk) = written.recv().await {
            return Ok(Some((chunk, (written, writing))));
        }
        // No chunk is left. The file is complete if `write` succeeded.
        match writing.take() {
            Some(writing) => writing.await.map_err(io::Error::other)?.map(|()| None),
            None => Ok(None),
        }
    });
    Answer::file("text/csv; charset=utf-8", None, Body::from_stream(body))
}

/// Exports the policies of these partners as a CSV file.
pub(crate) fn policies(
    service: Arc<Service>,
    of: Vec<PartnerId>,
    days: Option<Period>,
    personal: bool,
) -> Answer {
    file(|chunks| async move {
        let columns: Vec<&str> =
            POLICY_COLUMNS.iter().chain(PERSONAL_COLUMNS.iter().filter(|_| personal)).copied().collect();
        let unsent = Unsent::default();
        let mut rows = CsvRows::begin(unsent.clone(), &columns)?;
        for partner in of {
            let mut pages = service.policies.pages(partner, days, personal);
            while let Some((page, _)) = pages.next().await.map_err(said)? {
                for shown in &page {
                    rows.add(&cells(policy_cells(shown, personal)))?;
                }
                send(&chunks, unsent.take()).await?;
            }
        }
        rows.finish()?;
        send(&chunks, unsent.take()).await
    })
}

/// Exports the proposals of these partners as a CSV file.
pub(crate) fn proposals(service: Arc<Service>, of: Vec<PartnerId>, days: Option<Period>) -> Answer {
    file(|chunks| async move {
        let unsent = Unsent::default();
        let mut rows = CsvRows::begin(unsent.clone(), PROPOSAL_COLUMNS)?;
        for partner in of {
            let mut pages = service.proposal_reads.pages(partner, days);
            while let Some(page) = pages.next().await.map_err(said)? {
                for shown in &page {
                    rows.add(&cells(proposal_cells(partner, shown)))?;
                }
                send(&chunks, unsent.take()).await?;
            }
        }
        rows.finish()?;
        send(&chunks, unsent.take()).await
    })
}

/// Kinds of identifiers and contact data of a person. Each kind is a column of the CSV file.
const KNOWN_BY: [IdentifierKind; 6] = [
    IdentifierKind::Mobile,
    IdentifierKind::Email,
    IdentifierKind::Pan,
    IdentifierKind::Reference,
    IdentifierKind::Lead,
    IdentifierKind::User,
];

/// Exports the records that a data breach may have exposed, with the identifiers of each person.
pub(crate) fn opened(mut pages: OpenedPages) -> Answer {
    file(|chunks| async move {
        let columns = ["record", "partner_id"].into_iter().chain(KNOWN_BY.map(IdentifierKind::word));
        let unsent = Unsent::default();
        let mut rows = CsvRows::begin(unsent.clone(), &columns.collect::<Vec<_>>())?;
        while let Some(page) = pages.next().await.map_err(said)? {
            for OpenedRecord { partner, record, known_by } in page {
                let known = |kind: IdentifierKind| {
                    let all = known_by.iter().filter(|by| by.kind == kind).map(|by| by.reveal());
                    all.collect::<Vec<_>>().join(" ")
                };
                let texts = [record, partner.to_string()].into_iter().chain(KNOWN_BY.map(known));
                rows.add(&cells(texts.collect()))?;
            }
            send(&chunks, unsent.take()).await?;
        }
        rows.finish()?;
        send(&chunks, unsent.take()).await
    })
}

fn cells(texts: Vec<String>) -> Vec<Cell> {
    texts.into_iter().map(Cell::Text).collect()
}

fn said(fault: impl std::fmt::Display) -> io::Error {
    io::Error::other(fault.to_string())
}

async fn send(chunks: &Chunks, chunk: Bytes) -> io::Result<()> {
    chunks.send(chunk).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
}

/// Cells of a policy's row, in the order of the columns.
fn policy_cells(shown: &PolicyShown, personal: bool) -> Vec<String> {
    let covered = &shown.covered;
    let product = covered.product.as_deref();
    let text = |value: Option<String>| value.unwrap_or_default();
    let mut cells = on_any_policy!(&shown.policy, policy => {
        let cancellation = policy.cancellation.as_ref();
        let confirmed = cancellation.filter(|cancellation| cancellation.confirmed_at.is_some());
        let paid = confirmed.and_then(|cancellation| cancellation.refund.paid.as_ref());
        vec![
            policy.id.to_string(),
            policy.number.to_string(),
            text(policy.insurer_number.as_ref().map(ToString::to_string)),
            shown.policy.line().word().to_owned(),
            shown.state().word().to_owned(),
            kolkata_time(shown.state_since()).strftime("%Y-%m-%d %H:%M").to_string(),
            policy.partner.to_string(),
            text(policy.reference.as_ref().map(|reference| reference.reveal().to_owned())),
            text(product.map(|product| product.insurer.id.to_string())),
            covered.insurer.clone(),
            text(product.and_then(|product| product.master_policy.as_ref()).map(|master| master.number.clone())),
            covered.product_name.clone(),
            text(product.map(|product| product.uin.clone())),
            covered.variant_name.clone(),
            day_of(policy.issued_at).to_string(),
            text(covered.starts.map(|day| day.to_string())),
            policy.last_day().to_string(),
            policy.sum_insured.to_string(),
            policy.premium.base().to_string(),
            policy.premium.gst().to_string(),
            policy.premium.total().to_string(),
            text(product.map(|product| product.premium.route().word().to_owned())),
            text(confirmed.map(|cancellation| day_of(cancellation.asked_at).to_string())),
            text(confirmed.map(|cancellation| cancellation.reason.word().to_owned())),
            text(confirmed.map(|cancellation| cancellation.refund.amount.base().to_string())),
            text(confirmed.map(|cancellation| cancellation.refund.amount.gst().to_string())),
            text(confirmed.map(|cancellation| cancellation.refund.amount.total().to_string())),
            text(confirmed.map(|cancellation| cancellation.refund.due_on.to_string())),
            text(paid.map(|paid| paid.paid_on.to_string())),
            text(paid.map(|paid| paid.reference.as_str().to_owned())),
            policy.claims.len().to_string(),
            policy.made_endorsements().count().to_string(),
        ]
    });
    if personal {
        let members = &covered.members;
        let names: Vec<&str> = members.iter().map(|member| member.name.reveal()).collect();
        let born: Vec<String> = members.iter().map(|member| member.born.reveal().to_string()).collect();
        cells.extend([names.join("; "), born.join("; ")]);
    }
    cells
}

/// Cells of a proposal's row, in the order of the columns.
fn proposal_cells(of: PartnerId, shown: &ProposalShown) -> Vec<String> {
    let text = |value: Option<String>| value.unwrap_or_default();
    let awaits: Vec<String> =
        shown.awaits.iter().map(|awaits| format!("{} of the {}", awaits.what, awaits.from)).collect();
    let state = shown.payment.and_then(|Payment { state, .. }| state);
    vec![
        shown.id.to_string(),
        shown.line.word().to_owned(),
        shown.status.to_owned(),
        kolkata_time(shown.status_since).strftime("%Y-%m-%d %H:%M").to_string(),
        awaits.join("; "),
        of.to_string(),
        text(shown.reference.as_ref().map(|reference| reference.reveal().to_owned())),
        text(shown.sold.as_ref().map(|sold| sold.insurer.clone())),
        text(shown.sold.as_ref().map(|sold| sold.product.clone())),
        shown.variant_id.clone(),
        shown.quote_id.clone(),
        day_of(shown.created_at).to_string(),
        shown.premium.base().to_string(),
        shown.premium.gst().to_string(),
        shown.premium.total().to_string(),
        text(shown.payment.map(|Payment { route, .. }| route.word().to_owned())),
        text(state.map(|state| state.word().to_owned())),
        text(shown.policy.map(|policy| policy.to_string())),
    ]
}
