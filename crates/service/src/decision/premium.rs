//! Premium before cover: no policy is issued before its premium is received (Insurance Act 1938, s. 64VB).
//!
//! If the proposal is accepted earlier, the acceptance waits. The receipt of the premium then issues the
//! policy (D63 to D65).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use domain::credit_life::CreditLife;
use domain::date::{Date, Timestamp, day_of, days_later, in_words};
use domain::health_proposal::Health;
use domain::id::{InsurerId, PartnerId, ProposalId};
use domain::identifier::Reference;
use domain::line::{LineOfBusiness, ProposalState};
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::premium::{
    BooksAct, KeptDecision, Payee, PaymentReference, PremiumRoute, PremiumState, ProposalPremium, Receipt,
    ReceiptOutcome,
};
use domain::proposal::Actor;

use crate::error::{ConflictReason, Error, Fault, Faults, Result};
use crate::line::SoldLine;
use crate::proposal::{Decided, Mover, ProposalService, note_referred, unknown_proposal};
use crate::shared::Shared;
use crate::storage::NewEvent;
use crate::storage::jobs::{Lease, PutOff};
use crate::storage::premiums::{AccountBalance, LedgerLine, ReceiptKept, ReceiptLine, ReceiptReversed};

/// Most open premiums that are read to find unpaid acceptances.
const MOST_OPEN: usize = 100_000;

/// Most proposals whose premiums one payment may pay.
pub const MOST_LINES: usize = 1000;

/// Seconds until a proposal that waits for money in its deposit is tried again, by attempt. The last value
/// repeats. A payment into the deposit makes the proposal due at once.
const WAITS: &[u64] = &[2, 10, 60, 300, 600];

/// Who reports a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Teller {
    /// A partner, for its own proposals.
    Partner(PartnerId),
    /// An insurer, for its own products.
    Insurer(InsurerId),
    Operator,
}

impl Teller {
    const fn actor(self) -> Actor {
        match self {
            Teller::Partner(_) => Actor::Partner,
            Teller::Insurer(_) => Actor::Insurer,
            Teller::Operator => Actor::Operator,
        }
    }

    /// Whether this party reports premiums that are paid by this route, such as by a payment link.
    const fn reports(self, route: PremiumRoute) -> bool {
        match (self, route) {
            (_, PremiumRoute::Deposit) => false,
            (Teller::Operator, _) => true,
            (Teller::Partner(_), route) => matches!(route, PremiumRoute::Partner),
            (Teller::Insurer(_), route) => matches!(route, PremiumRoute::Partner | PremiumRoute::Link),
        }
    }
}

/// Reported payment.
#[derive(Debug, Clone)]
pub struct Payment {
    /// Reference that the bank or the gateway gave to the payment, such as a UTR.
    pub reference: PaymentReference,
    /// Whole amount of the payment, the sum of `lines`.
    pub amount: Rupees,
    /// Day on which the money was received, in Asia/Kolkata.
    pub received_on: Date,
    /// Part of the amount for each proposal.
    pub lines: Vec<(ProposalId, Rupees)>,
}

/// Receipt of a payment. For each line of the receipt, `sales` has the partner's reference of the paid sale.
pub(crate) struct SoldReceipt {
    pub(crate) receipt: Receipt,
    pub(crate) sales: Vec<Option<Reference>>,
}

/// Result of a payment for one of its proposals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineOutcome {
    pub proposal: ProposalId,
    /// Part of the payment for this proposal.
    pub amount: Rupees,
    pub outcome: ReceiptOutcome,
}

/// Result of a reported payment.
#[derive(Debug, Clone)]
pub struct Told {
    /// Whether the payment was reported for the first time.
    pub is_new: bool,
    /// Result for each proposal, in the order of the payment's lines.
    pub lines: Vec<LineOutcome>,
}

/// Records receipts of premiums, and issues the policies that waited for them.
pub struct PremiumService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) proposals: Arc<ProposalService>,
}

impl PremiumService {
    /// Takes a reported payment. The same report again changes nothing. If one payment of an insurer or the
    /// operator is for several partners, a receipt is stored for each partner.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every fault by its path; [`Error::Conflict`] if another payment has the same
    /// reference.
    pub async fn receive(&self, teller: Teller, payment: Payment) -> Result<Told> {
        let premiums = self.check(teller, &payment).await?;
        let payee = match premiums.iter().all(|premium| premium.route == PremiumRoute::Here) {
            true => Payee::Here,
            false => Payee::Insurer,
        };
        let mut receipts: BTreeMap<PartnerId, SoldReceipt> = BTreeMap::new();
        for (premium, (proposal, amount)) in premiums.iter().zip(&payment.lines) {
            let partner = premium.partner;
            let sold = receipts.entry(partner).or_insert_with(|| SoldReceipt {
                receipt: Receipt {
                    partner,
                    reference: payment.reference.clone(),
                    amount: Rupees::ZERO,
                    received_on: payment.received_on,
                    by: teller.actor(),
                    at: self.shared.partner_clock.now(partner),
                    payee,
                    late: false,
                    is_live: !self.shared.partner_clock.is_test(partner),
                    tolerance: self.tolerance(premium),
                    lines: Vec::new(),
                },
                sales: Vec::new(),
            });
            sold.receipt.amount = sold.receipt.amount + *amount;
            sold.receipt.lines.push((*proposal, *amount));
            sold.receipt.tolerance = sold.receipt.tolerance.min(self.tolerance(premium));
            let (reference, made_at) = self.sale_of(premium).await?;
            // A payment before the proposal was made is suspicious: mark it, so that a person checks the day.
            sold.receipt.late |= payment.received_on < day_of(made_at);
            sold.sales.push(reference);
        }
        let receipts: Vec<SoldReceipt> = receipts.into_values().collect();
        let (is_new, outcomes) = self.keep(&receipts).await?;
        let outcomes: BTreeMap<ProposalId, ReceiptOutcome> = outcomes.into_iter().collect();
        let mut told = Told { is_new, lines: Vec::new() };
        let line = |(proposal, amount): &(ProposalId, Rupees)| LineOutcome {
            proposal: *proposal,
            amount: *amount,
            outcome: outcomes.get(proposal).copied().unwrap_or(ReceiptOutcome::Mismatch),
        };
        told.lines = payment.lines.iter().map(line).collect();
        Ok(told)
    }

    /// Last day on which the premium of an accepted proposal can be paid. `None` if its product names no day, or no
    /// acceptance waits for the premium.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn pay_by(&self, premium: &ProposalPremium) -> Result<Option<Date>> {
        let is_due = premium.books.state() == PremiumState::Due && premium.deposit.is_none();
        let Some(accepted) = premium.decision.as_ref().filter(|_| is_due) else { return Ok(None) };
        let days = match premium.line {
            LineOfBusiness::CreditLife => self.days_to_pay::<CreditLife>(premium).await?,
            LineOfBusiness::Health => self.days_to_pay::<Health>(premium).await?,
        };
        Ok(days.and_then(|days| days_later(day_of(accepted.at), days)))
    }

    async fn days_to_pay<L: SoldLine>(&self, premium: &ProposalPremium) -> Result<Option<u16>> {
        let proposal = self.proposals.find::<L>(premium.partner, premium.proposal).await?;
        let Some(catalogue) = self.proposals.catalogue_of(&proposal).await? else { return Ok(None) };
        Ok(L::product(&catalogue, &proposal)?.pay_within_days)
    }

    /// Rejects accepted proposals whose premiums were not paid by the day that their products name. Returns how many.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn end_unpaid(&self) -> Result<u64> {
        let mut ended = 0;
        for premium in self.open(MOST_OPEN).await? {
            let (of, id) = (premium.partner, premium.proposal);
            let Some(last) = self.pay_by(&premium).await? else { continue };
            if self.shared.partner_clock.today(of) <= last {
                continue;
            }
            let why = format!("The premium was not paid by {}.", in_words(last));
            let mover = Mover { reason: PersonalLine::of_words(&why), ..Mover::silent(Actor::Service) };
            let decided = match premium.line {
                LineOfBusiness::CreditLife => {
                    self.proposals.decide::<CreditLife>(of, id, ProposalState::REJECTED, &mover).await
                }
                LineOfBusiness::Health => {
                    self.proposals.decide::<Health>(of, id, ProposalState::REJECTED, &mover).await
                }
            };
            match decided {
                Ok(_) => ended += 1,
                // It was decided or paid meanwhile.
                Err(Error::Refused(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(ended)
    }

    /// Difference from a premium that its insurer accepts.
    pub(crate) fn tolerance(&self, premium: &ProposalPremium) -> Rupees {
        let catalogue = self.shared.catalogues.running();
        catalogue.insurer(premium.insurer).map_or(Rupees::ZERO, |insurer| insurer.payment_tolerance)
    }

    /// Lines of the payment for a proposal that has this reference. Empty if there is none.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn payment(&self, id: ProposalId, reference: &str) -> Result<Vec<(ProposalId, Rupees)>> {
        let (of, _) = self.shared.storage.owner_of_proposal(id).await?.ok_or_else(|| unknown_proposal(id))?;
        Ok(self.shared.storage.receipt(of, reference).await?)
    }

    /// Reverses the payment for a proposal that has this reference, with all its lines. Returns the proposals with
    /// their parts, or `None` if the payment was reversed before.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] if the money of a line was used already.
    pub async fn reverse(
        &self,
        id: ProposalId,
        reference: &PaymentReference,
    ) -> Result<Option<Vec<(ProposalId, Rupees)>>> {
        let (of, _) = self.shared.storage.owner_of_proposal(id).await?.ok_or_else(|| unknown_proposal(id))?;
        let lines = self.shared.storage.receipt(of, reference.as_str()).await?;
        let at = self.shared.partner_clock.now(of);
        let mut events = Vec::new();
        for (proposal, amount) in &lines {
            if let Some(premium) = self.shared.storage.premium(of, *proposal).await? {
                let sale = self.sale_of(&premium).await?.0;
                events.push(self.shared.events().of_reversal(*proposal, *amount, sale, at));
            }
        }
        match self.shared.storage.reverse_receipt(of, reference.as_str(), at, &events).await? {
            ReceiptReversed::Done(lines) => {
                for (proposal, _) in &lines {
                    tracing::info!(partner.id = %of, proposal.id = %proposal, "a payment for {proposal} was reversed");
                }
                Ok(Some(lines))
            }
            ReceiptReversed::Already => Ok(None),
            ReceiptReversed::Unknown => {
                Err(Error::Unknown { what: "payment", id: reference.as_str().to_owned() })
            }
            ReceiptReversed::Refused(proposal, why) => Err(Error::conflict(format!("{proposal}: {why}"))),
        }
    }

    /// Saves the receipts of one payment, all or none. Returns whether any receipt is new, with the result
    /// for each proposal.
    pub(crate) async fn keep(
        &self,
        receipts: &[SoldReceipt],
    ) -> Result<(bool, Vec<(ProposalId, ReceiptOutcome)>)> {
        let (mut is_new, mut outcomes) = (false, Vec::new());
        let told = |SoldReceipt { receipt, sales }: &SoldReceipt| {
            (receipt.clone(), self.shared.events().of_receipt(receipt, sales))
        };
        let told: Vec<(Receipt, Vec<NewEvent>)> = receipts.iter().map(told).collect();
        for (kept, (Receipt { partner, lines, .. }, _)) in
            self.shared.storage.keep_receipts(&told).await?.into_iter().zip(&told)
        {
            match kept {
                ReceiptKept::New(outcomes_of_lines) => {
                    is_new = true;
                    for (proposal, outcome) in &outcomes_of_lines {
                        tracing::info!(partner.id = %partner, proposal.id = %proposal, receipt.outcome = %outcome, "a payment for {proposal} was received: {outcome}");
                    }
                    outcomes.extend(outcomes_of_lines);
                }
                ReceiptKept::Twin(outcomes_of_lines) => outcomes.extend(outcomes_of_lines),
                ReceiptKept::Different => {
                    let paid_for =
                        lines.first().map_or_else(String::new, |(proposal, _)| format!(" for {proposal}"));
                    return Err(Error::conflict_of(
                        ConflictReason::MadeBefore,
                        format!(
                            "A payment with this reference was already reported for other proposals or amounts. Nothing of this payment{paid_for} was recorded."
                        ),
                    ));
                }
                ReceiptKept::NotOwed(_) => {
                    let message = "A proposal of this payment no longer takes money, so nothing was recorded. Check each proposal, then report the payment again.";
                    return Err(Error::conflict(message.into()));
                }
            }
        }
        self.shared.job_signal.wake_workers();
        Ok((is_new, outcomes))
    }

    /// Partner's reference of the sale that owes a premium, with the time when its proposal was made.
    pub(crate) async fn sale_of(&self, premium: &ProposalPremium) -> Result<(Option<Reference>, Timestamp)> {
        let (of, id) = (premium.partner, premium.proposal);
        Ok(match premium.line {
            LineOfBusiness::CreditLife => {
                let proposal = self.proposals.find::<CreditLife>(of, id).await?;
                (proposal.reference, proposal.created_at)
            }
            LineOfBusiness::Health => {
                let proposal = self.proposals.find::<Health>(of, id).await?;
                (proposal.reference, proposal.created_at)
            }
        })
    }

    /// Premium of each proposal of a payment, in the order of the payment's lines.
    async fn check(&self, teller: Teller, payment: &Payment) -> Result<Vec<ProposalPremium>> {
        let mut faults = Faults::default();
        let mut fault = |field: String, message: String| faults.0.push(Fault { field, message });
        let sum: Rupees = payment.lines.iter().map(|(_, amount)| *amount).sum();
        if sum != payment.amount {
            fault(
                "amount".into(),
                format!(
                    "The amount {} differs from the sum of the items, {}.",
                    payment.amount.grouped_with_paise(),
                    sum.grouped_with_paise()
                ),
            );
        }
        let mut found = Vec::new();
        for (at, (id, _)) in payment.lines.iter().enumerate() {
            let field = format!("items[{at}].proposal_id");
            if payment.lines[..at].iter().any(|(before, _)| before == id) {
                fault(field, "Duplicate proposal: list each proposal once.".into());
                continue;
            }
            match self.payable(teller, *id).await? {
                Ok(premium) => found.push(premium),
                Err(message) => fault(field, message.into()),
            }
        }
        let here = |premium: &&ProposalPremium| premium.route == PremiumRoute::Here;
        let held_here = found.iter().filter(here).count();
        if held_here > 0 && held_here < found.len() {
            fault("items".into(), "Report premiums that are paid to this service and premiums that are paid to insurers as separate payments.".into());
        }
        match faults.0.is_empty() {
            true => Ok(found),
            false => Err(Error::Invalid(faults)),
        }
    }

    /// Premium of a proposal for which this party may report a payment. The inner `Err` says why it may not.
    async fn payable(&self, teller: Teller, id: ProposalId) -> Result<Result<ProposalPremium, &'static str>> {
        const UNKNOWN: &str = "Must be the id of one of your proposals.";
        let owner = self.shared.storage.owner_of_proposal(id).await?;
        let is_shown = |of: PartnerId| match teller {
            Teller::Partner(own) => own == of,
            Teller::Insurer(_) => !self.shared.partner_clock.is_test(of),
            Teller::Operator => true,
        };
        let Some((of, _)) = owner.filter(|(of, _)| is_shown(*of)) else {
            return Ok(Err(UNKNOWN));
        };
        Ok(match (self.shared.storage.premium(of, id).await?, teller) {
            (Some(premium), Teller::Insurer(insurer)) if premium.insurer != insurer => Err(UNKNOWN),
            (None, Teller::Insurer(_)) => Err(UNKNOWN),
            (None, _) => Err(
                "This proposal owes no premium: it is not submitted, or its premium comes from a deposit.",
            ),
            (Some(premium), teller) if teller.reports(premium.route) => Ok(premium),
            (Some(premium), _) => Err(match premium.route {
                PremiumRoute::Deposit => {
                    "The premium of this proposal comes from a deposit: top up the deposit instead."
                }
                PremiumRoute::Link => "The insurer collects the premium of this proposal and reports it.",
                PremiumRoute::Here => {
                    "The customer pays the premium of this proposal on a page of this service, so you cannot report the payment."
                }
                PremiumRoute::Partner => "The partner collects the premium of this proposal and reports it.",
            }),
        })
    }

    /// Premium of a partner's proposal. `None` if the proposal owes no premium, or if the premium comes from
    /// a deposit and the policy does not wait for it.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn of_proposal(&self, of: PartnerId, id: ProposalId) -> Result<Option<ProposalPremium>> {
        Ok(self.shared.storage.premium(of, id).await?)
    }

    /// Payments that were received for a partner's proposal, oldest first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn receipts_of(&self, of: PartnerId, id: ProposalId) -> Result<Vec<ReceiptLine>> {
        Ok(self.shared.storage.receipts_of(of, id).await?)
    }

    /// Ledger lines of a partner's proposal, oldest first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn ledger_of(&self, of: PartnerId, id: ProposalId) -> Result<Vec<LedgerLine>> {
        Ok(self.shared.storage.ledger_of(of, id).await?)
    }

    /// Premiums that a person must handle, oldest first, at most `most`.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn open(&self, most: usize) -> Result<Vec<ProposalPremium>> {
        Ok(self.shared.storage.open_premiums(most).await?)
    }

    /// Records what the operator did with the money of a proposal: settled a wrong amount, refunded it, or
    /// remitted it. `reference` names the payment.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] if the proposal has no such money.
    pub async fn act(&self, id: ProposalId, act: BooksAct, reference: &str) -> Result<ProposalPremium> {
        let (of, _) = self.shared.storage.owner_of_proposal(id).await?.ok_or_else(|| unknown_proposal(id))?;
        let act = match act {
            BooksAct::Settle(how, _) => {
                let premium = self.shared.storage.premium(of, id).await?;
                BooksAct::Settle(how, premium.map_or(Rupees::ZERO, |premium| self.tolerance(&premium)))
            }
            BooksAct::Refund(_) | BooksAct::Remit(_) => act,
        };
        let changed = self
            .shared
            .storage
            .change_books(of, id, act, reference, self.shared.partner_clock.now(of))
            .await?;
        self.shared.job_signal.wake_workers();
        match changed {
            None => Err(Error::conflict(format!(
                "{id} owes no premium: it was not submitted, or its premium comes from a deposit."
            ))),
            Some(Err(refused)) => Err(Error::conflict(refused.to_string())),
            Some(Ok(premium)) => Ok(premium),
        }
    }

    /// Records to which a bank reference belongs, each with its partner.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn paid_with(&self, reference: &str) -> Result<Vec<(Option<PartnerId>, String)>> {
        Ok(self.shared.storage.paid_with(&self.shared.directory.partner_ids(), reference).await?)
    }

    /// Balance of every account of the ledger. Their sum is zero.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn balances(&self) -> Result<Vec<AccountBalance>> {
        Ok(self.shared.storage.account_balances().await?)
    }

    /// Runs the job of a proposal whose acceptance waited for its premium: applies the stored acceptance, and
    /// issues the policy.
    ///
    /// # Errors
    /// [`Error`] of the store; the job continues later.
    pub(crate) async fn work_on(&self, line: LineOfBusiness, lease: &Lease) -> Result<()> {
        match line {
            LineOfBusiness::CreditLife => self.work_on_line::<CreditLife>(lease).await,
            LineOfBusiness::Health => self.work_on_line::<Health>(lease).await,
        }
    }

    async fn work_on_line<L: SoldLine>(&self, lease: &Lease) -> Result<()> {
        let (of, id) = (lease.job.of, ProposalId::from_uuid(lease.job.subject));
        let proposal = self.proposals.find_if_any::<L>(of, id).await?;
        let undecided = proposal.is_some_and(|proposal| !proposal.status.is_final());
        let premium = self.shared.storage.premium(of, id).await?;
        let waiting = premium.and_then(|premium| Some((premium.deposit.is_some(), premium.decision?)));
        let was_for_deposit = waiting.as_ref().is_some_and(|(from_deposit, _)| *from_deposit);
        let Some((from_deposit, KeptDecision { by, reason, insurer_number, .. })) =
            waiting.filter(|_| undecided)
        else {
            if was_for_deposit {
                // The proposal was decided while its acceptance was being stored: remove the stored
                // acceptance.
                self.shared.storage.forget_decision(of, id, self.shared.partner_clock.now(of)).await?;
            }
            self.shared.storage.end_job(lease).await?;
            return Ok(());
        };
        let mover = Mover { by, reason, insurer_number };
        match self.proposals.decide::<L>(of, id, L::Status::ISSUED, &mover).await {
            Ok(Decided::Done) => {}
            Ok(Decided::Waits { .. }) if from_deposit => {
                let at = (lease.attempt.saturating_sub(1) as usize).min(WAITS.len() - 1);
                let due = self.shared.partner_clock.real() + Duration::from_secs(WAITS[at]);
                let how = PutOff { due, step: lease.step, faults: lease.faults };
                self.shared.storage.put_off(lease, how).await?;
                return Ok(());
            }
            // The receipt that completes the premium starts a new job.
            Ok(Decided::Waits { .. }) => {}
            Err(Error::AgainstRules(broken)) => {
                // The premium was received, but the rules no longer allow the policy: the operator must
                // decide again.
                note_referred(id, &broken);
                self.shared.storage.forget_decision(of, id, self.shared.partner_clock.now(of)).await?;
            }
            Err(Error::Refused(_)) => {}
            Err(other) => return Err(other),
        }
        self.shared.storage.end_job(lease).await?;
        Ok(())
    }
}
