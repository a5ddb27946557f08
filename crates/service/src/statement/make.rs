//! Making of a month's statements (D85).
//!
//! All sales, returned premiums and claims are read once, page by page. The month is then closed with all its
//! statements, or not at all.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use domain::date::{Timestamp, day_of};
use domain::event::EventType;
use domain::id::PartnerId;
use domain::money::{Premium, Rupees};
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::premium::PremiumRoute;
use domain::statement::{CommissionDue, Month, Recipient, RowKey, Statement, StatementKind, Transaction};
use rating::{Catalogue, Product};

use super::StatementService;
use super::commission::{self, CommissionBooks, CommissionRow, PartnerDue};
use super::gst::{self, GstSums};
use super::rows::{ClaimRow, Event, PremiumRow};
use super::sheet::{Destination, Sheet, SheetKey, Sheets, TakeDraft, overtaken};
use crate::error::{Error, Result};
use crate::policy::{EXPORTED_AT_ONCE, PolicyShown};
use crate::storage::StorageError;
use crate::storage::lists::{Beyond, ListPosition, Selection};
use crate::storage::statements::{CommissionPosting, MonthBegun, MonthRun, PolicyEndorsed, PolicyMoved};

/// Wait after the last day of a month before it can be closed. Requests and jobs that began before midnight
/// have ended by then.
const SETTLES_WITHIN: Duration = Duration::from_secs(15 * 60);

/// Name of the total that has the negative totals of earlier commission statements.
const CARRIED_FORWARD: &str = "carried_forward";

/// Most statements of a month that are shown.
const MOST: usize = 1_000_000;

/// Result of making the statements of a month.
#[derive(Debug)]
pub struct Made {
    /// When the month was closed.
    pub closed_at: Timestamp,
    /// Whether this call closed the month. If the month was closed before, nothing was made.
    pub is_new: bool,
    /// Statements of the month, ordered by their numbers.
    pub statements: Vec<Statement>,
}

/// Making of a month's statements, while it runs.
struct Making<'a> {
    service: &'a StatementService,
    month: Month,
    to: Destination<'a>,
    made_at: Timestamp,
    catalogue: Arc<Catalogue>,
    /// For each earlier month, the catalogue whose rates applied when that month was closed.
    earlier: BTreeMap<Month, Arc<Catalogue>>,
    /// Bordereaux and other statements whose rows are being written.
    sheets: Sheets,
    books: CommissionBooks,
    gst: GstSums,
    done: Vec<Statement>,
    read: u64,
}

impl StatementService {
    /// Makes the statements of a month and closes it. If the month is closed already, nothing changes.
    /// `progress` receives the number of records read so far.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the month is not over, or another run has begun to make its statements
    /// meanwhile; [`Error::Storage`] if the month is damaged. Then nothing is changed.
    pub async fn make(&self, month: Month, progress: &mut (dyn FnMut(u64) + Send)) -> Result<Made> {
        let now = self.shared.clock.now();
        let (_, over) = month.days().instants();
        if over.checked_add(SETTLES_WITHIN).is_ok_and(|settled| now < settled) || now < over {
            return Err(Error::conflict(format!(
                "{month} is not over: its statements can be made 15 minutes after the end of its last day, {}.",
                month.last_day()
            )));
        }
        // Read before the month: another run closes the month together with its statements.
        let has_statements = !self.of_months(Some(month), 1).await?.is_empty();
        if has_statements && self.shared.storage.month_closed(month).await?.is_none() {
            return Err(Error::Storage(StorageError::Damaged(format!(
                "{month} has statements but is not closed; nothing was changed: run covernote verify"
            ))));
        }
        let run = MonthRun {
            month,
            number: self.shared.ids.make_at::<domain::id::kind::Statement>(now).uuid().as_u128(),
        };
        if let MonthBegun::Closed(closed_at) = self.shared.storage.begin_month(run, now).await? {
            let statements = self.of_months(Some(month), MOST).await?;
            return Ok(Made { closed_at, is_new: false, statements });
        }
        let mut making = self.making(Destination::Kept(run), now);
        Box::pin(making.read_all(progress)).await?;
        let catalogue = making.catalogue.hash();
        let (statements, postings) = making.finish().await?;
        let events = self.shared.events().of_statements(&statements, now);
        if !self.shared.storage.close_month(run, catalogue, &statements, &postings, &events, now).await? {
            return Err(overtaken());
        }
        tracing::info!(month = %month, statements = statements.len(), "{month} is closed with {} statements", statements.len());
        Ok(Made { closed_at: now, is_new: true, statements })
    }

    /// Negative totals of earlier commission statements, carried into the next statement. Stops at the newest
    /// statement with the total `carried_forward`, because that total already includes the earlier ones.
    /// Older versions never wrote it.
    async fn owed_before(&self, of: PartnerId, month: Month) -> Result<Vec<CommissionDue>> {
        let mut made = self.shared.storage.statements_of(of, MOST).await?;
        made.retain(|one| one.kind == StatementKind::Commission && one.month != month);
        made.sort_by_key(|one| Reverse((one.made_at, one.month)));
        let mut owed = PartnerDue::default();
        for statement in made {
            let is_last = statement.totals.iter().any(|(name, _)| name == CARRIED_FORWARD);
            if statement.payable() < Rupees::ZERO {
                owed.carry(statement.dues);
            }
            if is_last {
                break;
            }
        }
        Ok(owed.dues)
    }

    /// Makes the commission statement of a test partner for a month that is over by the partner's clock,
    /// once. No money moves, and only the test partner gets the statement (D97, D102). If nothing was sold or
    /// returned, no statement is made. Returns whether a statement was made.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub(crate) async fn make_for_test(&self, of: PartnerId, month: Month, now: Timestamp) -> Result<bool> {
        let changed = self.changed_in(month, Some(of)).await?.remove(&of).unwrap_or_default();
        let mut making = self.making(Destination::Test(month, Vec::new()), now);
        Box::pin(making.sell(of, changed, &mut |_| {})).await?;
        let (Some(mut statement), Destination::Test(_, parts)) = (making.done.pop(), making.to) else {
            return Ok(false);
        };
        let (prefix, id) = (statement.kind.prefix(), of.to_string());
        let whose = id.rsplit('_').next().unwrap_or_default();
        statement.number = format!("TEST-{prefix}-{}-{whose}", month.number());
        let ready = self.shared.events().of_statement(EventType::StatementReady, &statement, now);
        Ok(self.shared.storage.add_test_statement(&statement, &parts, (of, ready)).await?)
    }

    /// Makes drafts of a month's statements from the current data, and passes their files to `take`. Nothing
    /// is saved, and the drafts have no numbers.
    ///
    /// # Errors
    /// [`Error::Storage`], and the errors of `take`.
    pub async fn draft<'a>(
        &'a self,
        month: Month,
        progress: &mut (dyn FnMut(u64) + Send),
        take: &'a mut TakeDraft<'a>,
    ) -> Result<Vec<Statement>> {
        let now = self.shared.clock.now();
        let mut making = self.making(Destination::Draft(month, take), now);
        Box::pin(making.read_all(progress)).await?;
        Ok(making.finish().await?.0)
    }

    fn making<'a>(&'a self, to: Destination<'a>, now: Timestamp) -> Making<'a> {
        Making {
            service: self,
            month: to.month(),
            to,
            made_at: now,
            catalogue: self.shared.catalogues.running(),
            earlier: BTreeMap::new(),
            sheets: Sheets::new(),
            books: CommissionBooks::default(),
            gst: GstSums::default(),
            done: Vec::new(),
            read: 0,
        }
    }

    /// Policies that were endorsed or cancelled in a month, by partner, in the order of these changes. `of`
    /// limits the result to one partner.
    async fn changed_in(&self, month: Month, of: Option<PartnerId>) -> Result<BTreeMap<PartnerId, Changed>> {
        let mut by_partner: BTreeMap<PartnerId, Changed> = BTreeMap::new();
        let days = month.days().instants();
        let mut after = None;
        loop {
            let page = self
                .shared
                .storage
                .policies_moved(PolicyState::Cancelled, days, of, after, EXPORTED_AT_ONCE)
                .await?;
            after = page.last().copied();
            let is_last = page.len() < EXPORTED_AT_ONCE;
            for moved in page {
                by_partner.entry(moved.partner).or_default().cancelled.push(moved);
            }
            if is_last {
                break;
            }
        }
        let mut after = None;
        loop {
            let page = self.shared.storage.policies_endorsed(days, of, after, EXPORTED_AT_ONCE).await?;
            after = page.last().copied();
            let is_last = page.len() < EXPORTED_AT_ONCE;
            for endorsed in page {
                by_partner.entry(endorsed.moved.partner).or_default().endorsed.push(endorsed);
            }
            if is_last {
                return Ok(by_partner);
            }
        }
    }
}

/// A month's changes of policies that a partner sold at any time.
#[derive(Default)]
struct Changed {
    endorsed: Vec<PolicyEndorsed>,
    cancelled: Vec<PolicyMoved>,
}

/// Transaction that reports an endorsement of a policy, with the time when the endorsement was made. `nth`
/// counts the endorsements from 1.
fn endorsed(policy: &Policy, nth: u16) -> Option<(Timestamp, Event)> {
    let made = policy.made_endorsements().nth(usize::from(nth).checked_sub(1)?)?;
    let event = Event {
        key: RowKey { policy: policy.id, transaction: Transaction::Endorse, nth },
        effective_on: day_of(made.asked_at),
        premium: made.difference(),
        reason: Some(made.change.kind().word()),
        payment: made.payment.clone().map(|payment| (payment.reference, payment.received_on)),
    };
    Some((made.decided_at?, event))
}

/// Transaction that reports the cancellation of a policy.
fn cancelled(policy: &Policy) -> Option<Event> {
    let cancellation = policy.cancellation.as_ref()?;
    let refund = cancellation.refund.amount;
    Some(Event {
        key: RowKey { policy: policy.id, transaction: Transaction::Cancel, nth: 0 },
        effective_on: day_of(cancellation.asked_at),
        // The premium charged at the sale is in range, so its negative is in range too.
        premium: Premium::of_parts(Rupees::ZERO - refund.base(), Rupees::ZERO - refund.gst())?,
        reason: Some(cancellation.reason.word()),
        payment: None,
    })
}

impl Making<'_> {
    /// Reads all sales, changes and claims of the month, partner by partner.
    async fn read_all(&mut self, progress: &mut (dyn FnMut(u64) + Send)) -> Result<()> {
        let mut changed = self.service.changed_in(self.month, None).await?;
        for record in self.service.partners.all().await? {
            let of = record.partner.id;
            if record.partner.is_test() {
                // Test partners' sales are in no statement (D97).
                changed.remove(&of);
                continue;
            }
            Box::pin(self.sell(of, changed.remove(&of).unwrap_or_default(), progress)).await?;
            self.claim(of, progress).await?;
        }
        match changed.into_keys().next() {
            None => Ok(()),
            // The list omits a partner that cannot be read. Without its policies the month would be
            // incomplete.
            Some(partner) => Err(Error::Internal(format!("the partner {partner} cannot be read"))),
        }
    }

    /// Catalogue by whose rates a policy earned its commission: the one with which the month of its sale was
    /// closed. So a returned commission equals the earned one. If that catalogue lacks the product, the
    /// policy's own catalogue version.
    async fn rated_by(&mut self, shown: &PolicyShown, product: &Product) -> Result<Arc<Catalogue>> {
        let sold_in = Month::of(day_of(shown.policy.issued_at));
        let catalogue = match (self.earlier.get(&sold_in), sold_in == self.month) {
            (_, true) => self.catalogue.clone(),
            (Some(known), false) => known.clone(),
            (None, false) => {
                let catalogue = match self.service.shared.storage.month_closed(sold_in).await? {
                    Some(closed) => self.service.shared.catalogues.version(closed.catalogue).await?,
                    None if !matches!(self.to, Destination::Kept(_)) => self.catalogue.clone(),
                    None => {
                        return Err(Error::conflict(format!(
                            "A policy that was sold in {sold_in} was cancelled or endorsed in {}, and {sold_in} is not closed: make the statements of {sold_in} first.",
                            self.month
                        )));
                    }
                };
                self.earlier.insert(sold_in, catalogue.clone());
                catalogue
            }
        };
        match catalogue.product(product.id) {
            Some(_) => Ok(catalogue),
            None => Ok(self.service.policies.own_catalogue(&shown.policy).await?.unwrap_or(catalogue)),
        }
    }

    /// Policy as it was after its first `endorsements` endorsements. `None` if it has had no later
    /// endorsement.
    async fn as_of_endorsement(
        &self,
        shown: &PolicyShown,
        endorsements: usize,
    ) -> Result<Option<PolicyShown>> {
        let made = match shown.policy.proposal {
            Some(_) => shown.policy.made_endorsements().count(),
            None => 0,
        };
        if made <= endorsements {
            return Ok(None);
        }
        let policies = &self.service.policies;
        Ok(Some(policies.as_of_endorsement(&shown.policy, endorsements, shown.today).await?))
    }

    /// Adds a partner's sales of the month, then the month's endorsements and cancellations of all policies
    /// of the partner.
    async fn sell(
        &mut self,
        of: PartnerId,
        changed: Changed,
        progress: &mut (dyn FnMut(u64) + Send),
    ) -> Result<()> {
        let mut own: Option<Sheet> = None;
        let mut pages = self.service.policies.pages(of, Some(self.month.days()), true);
        while let Some((page, _)) = pages.next().await? {
            for shown in &page {
                let before = self.as_of_endorsement(shown, 0).await?;
                let shown = before.as_ref().unwrap_or(shown);
                let event = Event {
                    key: RowKey { policy: shown.policy.id, transaction: Transaction::New, nth: 0 },
                    effective_on: day_of(shown.policy.issued_at),
                    premium: shown.policy.premium,
                    reason: None,
                    payment: None,
                };
                self.add(of, shown, event, &mut own).await?;
            }
            self.count(page.len(), progress);
        }
        let today = self.month.last_day();
        let policies = &self.service.policies;
        for PolicyEndorsed { moved, nth } in changed.endorsed {
            let shown = policies.shown(policies.find(of, moved.policy).await?, today).await?;
            let event = endorsed(&shown.policy, nth)
                .filter(|(at, _)| *at == moved.at)
                .map(|(_, event)| event)
                .ok_or_else(|| Error::Internal(format!("an endorsement of {} is missing", moved.policy)))?;
            let before = self.as_of_endorsement(&shown, nth.into()).await?;
            self.add(of, before.as_ref().unwrap_or(&shown), event, &mut own).await?;
            self.count(1, progress);
        }
        for moved in changed.cancelled {
            let shown = policies.shown(policies.find(of, moved.policy).await?, today).await?;
            let Some(event) = cancelled(&shown.policy) else { continue };
            self.add(of, &shown, event, &mut own).await?;
            self.count(1, progress);
        }
        if let Some(mut sheet) = own {
            let mut due = self.books.due(of, self.catalogue.commission(), self.month.last_day());
            let carried = self.service.owed_before(of, self.month).await?;
            sheet.count("gst_on_commission", due.gst);
            sheet.count("tax_deducted_at_source", due.tds);
            if !carried.is_empty() {
                sheet.count(CARRIED_FORWARD, carried.iter().map(|due| due.amount).sum());
            }
            due.carry(carried);
            let PartnerDue { dues, .. } = due;
            sheet.count("payable", dues.iter().map(|due| due.amount).sum());
            let key = commission_key(of);
            let made = self.service.finish_sheet(&mut self.to, key, sheet, self.made_at).await?;
            self.done.push(Statement { dues, ..made });
        }
        Ok(())
    }

    fn count(&mut self, more: usize, progress: &mut (dyn FnMut(u64) + Send)) {
        self.read += more as u64;
        progress(self.read);
    }

    /// Adds a transaction to the sums and sheets of every statement that reports it. Imported policies are
    /// left out, because their seller has already reported them.
    async fn add(
        &mut self,
        of: PartnerId,
        shown: &PolicyShown,
        event: Event,
        own: &mut Option<Sheet>,
    ) -> Result<()> {
        let proposal = shown.policy.proposal;
        let (Some(proposal), Some(product)) = (proposal, shown.covered.product.clone()) else {
            return Ok(());
        };
        let issued_at = shown.policy.issued_at;
        let sold_on = day_of(issued_at);
        let mut receipts = match (product.premium.route(), event.key.transaction) {
            (PremiumRoute::Deposit, _) | (_, Transaction::Endorse) => Vec::new(),
            _ => self.service.shared.storage.receipts_of(of, proposal).await?,
        };
        // A receipt after the issue of the policy did not pay for the cover.
        receipts.retain(|receipt| receipt.at <= issued_at);
        let rated_by = self.rated_by(shown, &product).await?;
        let terms = rated_by.commission();
        let commission_rate = terms.earned(&product, sold_on);
        let starts = shown.covered.starts.unwrap_or(sold_on);
        let gst_rate = self.catalogue.tax(product.tax_class(), starts);
        let row = PremiumRow {
            month: self.month,
            shown,
            product: &product,
            gst_rate,
            commission_rate,
            commission: commission_rate.of(event.premium.base()),
            receipts,
            event,
        };
        let earned = CommissionRow { sold: &row, share: terms.share(of, &product, sold_on) };
        self.books.add(&earned, self.month.last_day());
        if own.is_none() {
            let id = self.service.shared.ids.make_at(self.made_at);
            let title = format!("Commission statement {}", self.month);
            *own = Some(Sheet::begin(id, &title, commission::COLUMNS, self.made_at)?);
        }
        if let Some(own) = own {
            own.add(&earned.cells())?;
            own.count("base_premium", row.event.premium.base());
            own.count("gst", row.event.premium.gst());
            own.count("total", row.event.premium.total());
            own.count("commission", earned.commission());
        }
        if matches!(self.to, Destination::Test(..)) {
            return Ok(());
        }
        self.gst.add(&row);
        let catalogue = self.catalogue.clone();
        let columns = catalogue.bordereaux().premium(product.insurer.id);
        let sheet = self.sheet(StatementKind::Premium, &product, columns)?;
        let cells: Vec<_> = columns.iter().map(|(_, column)| row.cell(*column)).collect();
        sheet.add(&cells)?;
        sheet.count("base_premium", row.event.premium.base());
        sheet.count("gst", row.event.premium.gst());
        sheet.count("total", row.event.premium.total());
        sheet.count("commission", row.commission);
        sheet.count("net_due", row.event.premium.total() - row.commission);
        Ok(())
    }

    /// Adds a partner's claims that were open in the month, or were settled in it.
    async fn claim(&mut self, of: PartnerId, progress: &mut (dyn FnMut(u64) + Send)) -> Result<()> {
        let (month, mut from) = (self.month, None);
        let catalogue = self.catalogue.clone();
        loop {
            let page = self.service.shared.storage.claims(of, Selection::All, from, EXPORTED_AT_ONCE).await?;
            let Some(last) = page.records.last() else { return Ok(()) };
            from = Some(Beyond::After(ListPosition { created_at: last.created_at, id: last.id.uuid() }));
            for claim in &page.records {
                let policies = &self.service.policies;
                let shown = policies.shown(policies.find(of, claim.policy).await?, month.last_day()).await?;
                let Some(product) = shown.covered.product.clone() else { continue };
                let history = self.service.shared.storage.claim_history(of, claim.id).await?;
                let Some(row) = ClaimRow::at_the_end(month, claim, &history, &shown, &product) else {
                    continue;
                };
                let columns = catalogue.bordereaux().claims(product.insurer.id);
                let sheet = self.sheet(StatementKind::Claims, &product, columns)?;
                let cells: Vec<_> = columns.iter().map(|(_, column)| row.cell(*column)).collect();
                sheet.add(&cells)?;
                let (paid, outstanding) = row.amounts();
                sheet.count("paid_to_date", paid);
                sheet.count("outstanding", outstanding);
            }
            self.count(page.records.len(), progress);
            if !page.has_older {
                return Ok(());
            }
        }
    }

    /// Bordereau of a kind in which a product's policies are reported.
    fn sheet<C>(
        &mut self,
        kind: StatementKind,
        product: &Product,
        columns: &[(String, C)],
    ) -> Result<&mut Sheet> {
        let master = product.master_policy.as_ref().map_or(String::new(), |master| master.number.clone());
        let key = SheetKey { kind, recipient: Recipient::Insurer(product.insurer.id), subject: master };
        if !self.sheets.contains_key(&key) {
            let names: Vec<&String> = columns.iter().map(|(name, _)| name).collect();
            let title = format!("{} {kind} bordereau {}", product.insurer.name, self.month);
            let id = self.service.shared.ids.make_at(self.made_at);
            self.sheets.insert(key.clone(), Sheet::begin(id, &title, &names, self.made_at)?);
        }
        self.sheets
            .get_mut(&key)
            .ok_or_else(|| Error::Internal("a sheet that was just begun is missing".into()))
    }

    /// Ends every sheet and numbers the statements. Returns the statements, with the ledger postings.
    async fn finish(mut self) -> Result<(Vec<Statement>, Vec<CommissionPosting>)> {
        let (month, made_at, service) = (self.month, self.made_at, self.service);
        for (key, sheet) in std::mem::take(&mut self.sheets) {
            self.done.push(service.finish_sheet(&mut self.to, key, sheet, made_at).await?);
        }
        if !self.gst.is_empty() {
            let title = format!("Tax on premiums {month}");
            let mut sheet = Sheet::begin(service.shared.ids.make_at(made_at), &title, gst::COLUMNS, made_at)?;
            self.gst.write(&mut sheet)?;
            let (kind, recipient) = (StatementKind::Gst, Recipient::Operator);
            let key = SheetKey { kind, recipient, subject: String::new() };
            self.done.push(service.finish_sheet(&mut self.to, key, sheet, made_at).await?);
        }
        let mut statements = self.done;
        number(&mut statements);
        let reference = |partner| {
            let own = |statement: &&Statement| {
                (statement.kind, statement.recipient)
                    == (StatementKind::Commission, Recipient::Partner(partner))
            };
            statements.iter().find(own).map_or(String::new(), |statement| statement.number.clone())
        };
        let postings = self.books.postings(self.catalogue.commission(), month.last_day(), reference);
        Ok((statements, postings))
    }
}

fn commission_key(of: PartnerId) -> SheetKey {
    let (kind, recipient) = (StatementKind::Commission, Recipient::Partner(of));
    SheetKey { kind, recipient, subject: String::new() }
}

/// Numbers the statements of a month. Each kind of statement counts from 1.
fn number(statements: &mut [Statement]) {
    statements
        .sort_by_cached_key(|statement| (statement.kind, statement.recipient, statement.subject.clone()));
    let mut before = None;
    let mut nth = 0;
    for statement in statements {
        nth = if before == Some(statement.kind) { nth + 1 } else { 1 };
        before = Some(statement.kind);
        statement.number = format!("{}-{}-{nth:04}", statement.kind.prefix(), statement.month.number());
    }
}
