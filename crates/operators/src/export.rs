//! Exports of records as CSV files (RFC 4180). Only a few pages of records are in memory at a time.

use std::io::{self, Write};
use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use domain::cancellation::CancellationReason;
use domain::date::{Date, Timestamp, day_of, kolkata_time};
use domain::id::{InsurerId, PartnerId, PolicyId, ProposalId, made_at};
use domain::identifier::IdentifierKind;
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use domain::period::Period;
use domain::policy::PolicyNumber;
use domain::policy_state::PolicyState;
use futures_util::stream;
use serde_json::Value;
use service::Service;
use service::person::breach::{OpenedPages, OpenedRecord};
use service::policy::PolicyShown;
use service::proposal::read::{Payment, ProposalShown};
use spreadsheet::{Cell, CsvRows};
use tokio::sync::mpsc;
use web::sight::{Masked, Sight};

use crate::act::answer::Download;
use crate::act::arguments::fault;
use crate::act::fields::PartnerName;
use crate::act::input::input;
use crate::act::shown::{Schemas, Shown, answer, properties_of, words};
use crate::act::{On, Result};

/// Start of an export without a first day: earlier than every record.
const FIRST_DAY: Date = Date::constant(1900, 1, 1);

input! {
    /// Records to export, and the file to write
    struct ExportAsk {
        /// Only records of this partner: partner_id or client_id
        partner: Option<PartnerName>,
        /// Only records made on this day or later, in Asia/Kolkata, YYYY-MM-DD
        from: Option<Date>,
        /// Only records made on this day or earlier, in Asia/Kolkata, YYYY-MM-DD [default: today]
        to: Option<Date>,
    }
}

impl ExportAsk {
    /// Days (`None`: all days) and partners whose records are exported.
    pub(crate) async fn read(&self, on: &On) -> Result<(Option<Period>, Vec<PartnerId>)> {
        let days = self.days(on.service.policies.today())?;
        let of = match &self.partner {
            Some(named) => vec![named.find(on).await?],
            None => on.service.partners.live().await?.into_iter().map(|record| record.partner.id).collect(),
        };
        Ok((days, of))
    }

    fn days(&self, today: Date) -> Result<Option<Period>> {
        let (from, to) = (self.from, self.to);
        if from.is_none() && to.is_none() {
            return Ok(None);
        }
        let (first, last) = (from.unwrap_or(FIRST_DAY), to.unwrap_or(today));
        match first <= last {
            true => Ok(Some(Period { first, last })),
            false if to.is_none() => Err(fault("from", "Must not be after today, unless to is given.")),
            false => Err(fault("to", "Must not be before from.")),
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
fn file<Written>(write: impl FnOnce(Chunks) -> Written) -> Download
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
    Download::of("text/csv; charset=utf-8", None, Body::from_stream(body))
}

/// Number of policies of an export that were made after an instant.
pub(crate) async fn policies_after(
    service: &Service,
    of: &[PartnerId],
    days: Option<Period>,
    at: Timestamp,
) -> Result<usize> {
    let mut found = 0;
    for partner in of {
        // The newest policies come first.
        let mut pages = service.policies.pages(*partner, days, false);
        while let Some((page, _)) = pages.next().await? {
            let later = page.iter().filter(|shown| is_later(shown, at)).count();
            found += later;
            if later < page.len() {
                break;
            }
        }
    }
    Ok(found)
}

fn is_later(shown: &PolicyShown, at: Timestamp) -> bool {
    made_at(shown.policy.id.uuid()).is_some_and(|made| made > at)
}

/// Exports the policies of these partners as a CSV file, without those that were made after `until`.
pub(crate) fn policies(
    service: Arc<Service>,
    of: Vec<PartnerId>,
    days: Option<Period>,
    until: Option<Timestamp>,
    personal: bool,
) -> Download {
    file(move |chunks| async move {
        let mut file = Csv::begin::<PolicyRow>(if personal { &[] } else { PERSONAL_COLUMNS })?;
        for partner in of {
            let mut pages = service.policies.pages(partner, days, personal);
            while let Some((page, _)) = pages.next().await.map_err(said)? {
                let is_in = |shown: &&PolicyShown| until.is_none_or(|at| !is_later(shown, at));
                file.add(page.iter().filter(is_in).map(|shown| PolicyRow::of(shown, personal)))?;
                send(&chunks, file.unsent.take()).await?;
            }
        }
        file.end(&chunks).await
    })
}

/// Exports the proposals of these partners as a CSV file.
pub(crate) fn proposals(service: Arc<Service>, of: Vec<PartnerId>, days: Option<Period>) -> Download {
    file(move |chunks| async move {
        let mut file = Csv::begin::<ProposalRow>(&[])?;
        for partner in of {
            let mut pages = service.proposal_reads.pages(partner, days);
            while let Some(page) = pages.next().await.map_err(said)? {
                file.add(page.iter().map(|shown| ProposalRow::of(partner, shown)))?;
                send(&chunks, file.unsent.take()).await?;
            }
        }
        file.end(&chunks).await
    })
}

/// A CSV file whose columns are the fields of the schema of its rows.
struct Csv {
    unsent: Unsent,
    rows: CsvRows<Unsent>,
    columns: Vec<String>,
}

impl Csv {
    /// Begins a file without the columns `left_out`.
    fn begin<R: Shown>(left_out: &[&str]) -> io::Result<Self> {
        let mut schemas = Schemas::new();
        let schema = R::schema(&mut schemas);
        let names = properties_of(&schema, &schemas).into_iter().map(|(name, _)| name.to_owned());
        let columns: Vec<String> = names.filter(|name| !left_out.contains(&name.as_str())).collect();
        let unsent = Unsent::default();
        let head: Vec<&str> = columns.iter().map(String::as_str).collect();
        Ok(Csv { rows: CsvRows::begin(unsent.clone(), &head)?, unsent, columns })
    }

    fn add<R: Shown>(&mut self, rows: impl Iterator<Item = R>) -> io::Result<()> {
        for row in rows {
            let json = row.json();
            let texts = self.columns.iter().map(|name| text_of(&json[name.as_str()]));
            self.rows.add(&texts.map(Cell::Text).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    async fn end(self, chunks: &Chunks) -> io::Result<()> {
        self.rows.finish()?;
        send(chunks, self.unsent.take()).await
    }
}

/// A value as programs read it. Items of a list have a semicolon between them.
fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text_of).collect::<Vec<_>>().join("; "),
        other => other.to_string(),
    }
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
pub(crate) fn opened(mut pages: OpenedPages) -> Download {
    file(|chunks| async move {
        let columns = ["record", "partner_id"].into_iter().chain(KNOWN_BY.map(IdentifierKind::word));
        let unsent = Unsent::default();
        let mut rows = CsvRows::begin(unsent.clone(), &columns.collect::<Vec<_>>())?;
        let sight = Sight::Revealed(&["identifiers"]);
        while let Some(page) = pages.next().await.map_err(said)? {
            for OpenedRecord { partner, record, known_by } in page {
                let known = |kind: IdentifierKind| {
                    let all = known_by.iter().filter(|by| by.kind == kind);
                    let all: Vec<String> =
                        all.map(|by| sight.identifier("identifiers", by).as_str().to_owned()).collect();
                    all.join(" ")
                };
                let texts = [record, partner.to_string()].into_iter().chain(KNOWN_BY.map(known));
                rows.add(&texts.map(Cell::Text).collect::<Vec<_>>())?;
            }
            send(&chunks, unsent.take()).await?;
        }
        rows.finish()?;
        send(&chunks, unsent.take()).await
    })
}

fn said(fault: impl std::fmt::Display) -> io::Error {
    io::Error::other(fault.to_string())
}

async fn send(chunks: &Chunks, chunk: Bytes) -> io::Result<()> {
    chunks.send(chunk).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
}

/// Columns with personal data.
const PERSONAL_COLUMNS: &[&str] = &["member_names", "dates_of_birth"];

/// Personal fields of an export that an operator asked for.
const PERSONAL: &[&str] = &["reference", "members"];

/// An instant to the minute, without an offset.
fn minute_of(at: Timestamp) -> String {
    kolkata_time(at).strftime("%Y-%m-%d %H:%M").to_string()
}

answer! {
    /// A policy in a CSV file
    struct PolicyRow {
        /// Id
        policy_id: PolicyId,
        /// Number of this service
        policy_number: PolicyNumber,
        /// Number of the insurer
        insurer_policy_number: Option<PolicyNumber>,
        /// Line of business
        line: LineOfBusiness,
        /// Status today
        status: PolicyState,
        /// Time since which it has the status
        status_since: String,
        /// Partner
        partner_id: PartnerId,
        /// Partner's reference of the sale
        reference: Option<Masked>,
        /// Id of the insurer
        insurer_id: Option<InsurerId>,
        /// Insurer
        insurer: String,
        /// Number of the master policy
        master_policy_number: Option<String>,
        /// Product
        product: String,
        /// UIN of the product
        product_uin: Option<String>,
        /// Variant
        variant: String,
        /// Day of issue
        issue_date: Date,
        /// First day of cover
        cover_start: Option<Date>,
        /// Last day of cover
        cover_end: Date,
        /// Sum insured
        sum_assured: Rupees,
        /// Premium without tax
        base_premium: Rupees,
        /// Tax
        gst: Rupees,
        /// Premium
        total: Rupees,
        /// How the premium reached the insurer
        paid_by: Option<&'static str>,
        /// Day of the cancellation
        cancelled_on: Option<Date>,
        /// Reason of the cancellation
        cancel_reason: Option<CancellationReason>,
        /// Refund without tax
        refund_base: Option<Rupees>,
        /// Tax of the refund
        refund_gst: Option<Rupees>,
        /// Refund
        refund_total: Option<Rupees>,
        /// Day by which it must be paid
        refund_due_on: Option<Date>,
        /// Day on which it was paid
        refund_paid_on: Option<Date>,
        /// Reference of its payment
        refund_reference: Option<String>,
        /// Number of claims
        claims: usize,
        /// Number of endorsements that were made
        endorsements: usize,
        /// Names of the insured persons
        member_names: Vec<Masked>,
        /// Their dates of birth
        dates_of_birth: Vec<Masked>,
    }
}

impl PolicyRow {
    fn of(shown: &PolicyShown, personal: bool) -> Self {
        let sight = if personal { Sight::Revealed(PERSONAL) } else { Sight::Masked };
        let covered = &shown.covered;
        let product = covered.product.as_deref();
        let policy = &shown.policy;
        let cancellation = policy.cancellation.as_ref();
        let confirmed = cancellation.filter(|cancellation| cancellation.confirmed_at.is_some());
        let refund = confirmed.map(|cancellation| &cancellation.refund);
        let paid = refund.and_then(|refund| refund.paid.as_ref());
        PolicyRow {
            policy_id: policy.id,
            policy_number: policy.number.clone(),
            insurer_policy_number: policy.insurer_number.clone(),
            line: policy.line(),
            status: shown.state(),
            status_since: minute_of(shown.state_since()),
            partner_id: policy.partner,
            reference: policy.reference.as_ref().map(|reference| sight.reference(reference)),
            insurer_id: product.map(|product| product.insurer.id),
            insurer: covered.insurer.clone(),
            master_policy_number: product
                .and_then(|product| product.master_policy.as_ref())
                .map(|master| master.number.clone()),
            product: covered.product_name.clone(),
            product_uin: product.map(|product| product.uin.clone()),
            variant: covered.variant_name.clone(),
            issue_date: day_of(policy.issued_at),
            cover_start: covered.starts,
            cover_end: policy.last_day(),
            sum_assured: policy.sum_insured,
            base_premium: policy.premium.base(),
            gst: policy.premium.gst(),
            total: policy.premium.total(),
            paid_by: product.map(|product| product.premium.route().word()),
            cancelled_on: confirmed.map(|cancellation| day_of(cancellation.asked_at)),
            cancel_reason: confirmed.map(|cancellation| cancellation.reason),
            refund_base: refund.map(|refund| refund.amount.base()),
            refund_gst: refund.map(|refund| refund.amount.gst()),
            refund_total: refund.map(|refund| refund.amount.total()),
            refund_due_on: refund.map(|refund| refund.due_on),
            refund_paid_on: paid.map(|paid| paid.paid_on),
            refund_reference: paid.map(|paid| paid.reference.as_str().to_owned()),
            claims: policy.claims.len(),
            endorsements: policy.made_endorsements().count(),
            member_names: covered.members.iter().map(|member| sight.name("members", &member.name)).collect(),
            dates_of_birth: covered.members.iter().map(|member| sight.born("members", member.born)).collect(),
        }
    }
}

answer! {
    /// A proposal in a CSV file
    struct ProposalRow {
        /// Id
        proposal_id: ProposalId,
        /// Line of business
        line: LineOfBusiness,
        /// Status
        status: &'static str,
        /// Time since which it has the status
        status_since: String,
        /// What it waits for
        awaits: Vec<String>,
        /// Partner
        partner_id: PartnerId,
        /// Partner's reference of the sale
        reference: Option<Masked>,
        /// Insurer
        insurer: Option<String>,
        /// Product
        product: Option<String>,
        /// Id of the variant
        variant_id: String,
        /// Id of the quote
        quote_id: String,
        /// Day on which it was made
        created_on: Date,
        /// Premium without tax
        base_premium: Rupees,
        /// Tax
        gst: Rupees,
        /// Premium
        total: Rupees,
        /// How the premium reaches the insurer
        paid_by: Option<&'static str>,
        /// State of the premium
        premium_state: Option<&'static str>,
        /// Policy of the proposal
        policy_id: Option<PolicyId>,
    }
}

impl ProposalRow {
    fn of(of: PartnerId, shown: &ProposalShown) -> Self {
        let awaits = shown.awaits.iter().map(|awaits| format!("{} of the {}", awaits.what, awaits.from));
        let state = shown.payment.and_then(|Payment { state, .. }| state);
        ProposalRow {
            proposal_id: shown.id,
            line: shown.line,
            status: shown.status,
            status_since: minute_of(shown.status_since),
            awaits: awaits.collect(),
            partner_id: of,
            reference: shown.reference.as_ref().map(|reference| Sight::Masked.reference(reference)),
            insurer: shown.sold.as_ref().map(|sold| sold.insurer.clone()),
            product: shown.sold.as_ref().map(|sold| sold.product.clone()),
            variant_id: shown.variant_id.clone(),
            quote_id: shown.quote_id.clone(),
            created_on: day_of(shown.created_at),
            base_premium: shown.premium.base(),
            gst: shown.premium.gst(),
            total: shown.premium.total(),
            paid_by: shown.payment.map(|Payment { route, .. }| route.word()),
            premium_state: state.map(|state| state.word()),
            policy_id: shown.policy,
        }
    }
}

words!(CancellationReason);
