//! `covernote policy export` and `covernote proposal export`: records as lines of a CSV file (RFC 4180), a page after another,
//! so that a million take no more memory than a page.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use domain::date::{Date, day_of, kolkata_time};
use domain::id::PartnerId;
use domain::period::Period;
use indicatif::ProgressBar;
use service::policy::PolicyShown;
use service::proposal::read::{Payment, ProposalShown};
use service::{Error, Service, on_any_policy};
use spreadsheet::{Cell, CsvRows};
use storage::AtomicFile;

use super::arguments::read_day;
use super::new_file;
use crate::cli::ExportAsk;
use crate::failure::{Failure, Result};
use crate::output;
use crate::progress;

/// A day before every record.
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

/// The lines of an export, on their way into its file.
struct Lines<'a> {
    lines: CsvRows<BufWriter<&'a File>>,
    bar: ProgressBar,
    written: u64,
    /// Those that there will be, as far as it is known.
    known: u64,
}

impl<'a> Lines<'a> {
    fn begin(file: &'a AtomicFile, columns: &[&str], what: &'static str) -> Result<Self, Error> {
        let lines = CsvRows::begin(BufWriter::new(file.file()), columns).map_err(|cause| broken(&cause))?;
        Ok(Lines { lines, bar: progress::rows(what), written: 0, known: 0 })
    }

    /// Writes a page of the records of a partner, who has `count`.
    fn add(&mut self, page: impl Iterator<Item = Vec<String>>, before: u64, count: u64) -> Result<(), Error> {
        self.known = self.known.max(before + count);
        self.bar.set_length(self.known);
        for cells in page {
            let cells: Vec<Cell> = cells.into_iter().map(Cell::Text).collect();
            self.lines.add(&cells).map_err(|cause| broken(&cause))?;
            self.written += 1;
        }
        self.bar.set_position(self.written);
        Ok(())
    }

    /// Hands over the last of them; their number.
    fn finish(self) -> Result<u64, Error> {
        self.bar.finish_and_clear();
        let mut buffered = self.lines.finish().map_err(|cause| broken(&cause))?;
        buffered.flush().map_err(|cause| broken(&cause))?;
        Ok(self.written)
    }
}

fn broken(cause: &dyn std::fmt::Display) -> Error {
    Error::Internal(format!("the file cannot be written: {cause}"))
}

/// The days that are asked for. `None`: all.
fn days(export: &ExportAsk, today: Date) -> Result<Option<Period>> {
    let read = |flag, day: &Option<String>| day.as_deref().map(|day| read_day(flag, day)).transpose();
    let (from, to) = (read("--from", &export.from)?, read("--to", &export.to)?);
    if from.is_none() && to.is_none() {
        return Ok(None);
    }
    let (first, last) = (from.unwrap_or(FIRST_DAY), to.unwrap_or(today));
    match first <= last {
        true => Ok(Some(Period { first, last })),
        false => Err(Failure::BadData("--to: must be the day of --from or a later one".into())),
    }
}

/// The partners whose records are written.
async fn partners(service: &Service, named: Option<&str>) -> Result<Vec<PartnerId>> {
    Ok(match named {
        Some(named) => vec![service.partners.find(named).await?.partner.id],
        None => service.partners.live().await?.into_iter().map(|record| record.partner.id).collect(),
    })
}

/// Writes policies.
pub(super) async fn policies(service: &Service, export: &ExportAsk, personal: bool) -> Result<()> {
    let days = days(export, service.policies.today())?;
    let of = partners(service, export.partner.as_deref()).await?;
    let columns: Vec<&str> =
        POLICY_COLUMNS.iter().chain(PERSONAL_COLUMNS.iter().filter(|_| personal)).copied().collect();
    let file = new_file::begin(&export.out)?;
    let mut lines = Lines::begin(&file, &columns, "policies")?;
    for partner in of {
        let before = lines.written;
        let mut pages = service.policies.pages(partner, days, personal);
        while let Some((page, count)) = pages.next().await? {
            lines.add(page.iter().map(|shown| policy_cells(shown, personal)), before, count)?;
        }
    }
    let written = lines.finish()?;
    end(file, &export.out, &format!("{written} policies"))
}

/// Writes proposals.
pub(super) async fn proposals(service: &Service, export: &ExportAsk) -> Result<()> {
    let days = days(export, service.policies.today())?;
    let of = partners(service, export.partner.as_deref()).await?;
    let file = new_file::begin(&export.out)?;
    let mut lines = Lines::begin(&file, PROPOSAL_COLUMNS, "proposals")?;
    for partner in of {
        let before = lines.written;
        let mut take = |page: Vec<ProposalShown>, count| {
            lines.add(page.iter().map(|shown| proposal_cells(partner, shown)), before, count)
        };
        service.proposal_reads.each_page(partner, days, &mut take).await?;
    }
    let written = lines.finish()?;
    end(file, &export.out, &format!("{written} proposals"))
}

fn end(file: AtomicFile, out: &Path, what: &str) -> Result<()> {
    new_file::finish(file, out)?;
    output::message(&format!("{what} are in {}", out.display()));
    Ok(())
}

/// A policy as the cells of a line.
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

/// A proposal as the cells of a line.
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
