//! End of claims: the insurer decides and pays, or the partner withdraws (D81 to D83, D113).

use domain::claim::{Claim, ClaimPayment, ClaimState, ClaimTransfer, PapersAsked, RefundsAfter, WaivedPaper};
use domain::date::{Date, Timestamp, day_of};
use domain::event::EventType;
use domain::id::{ClaimId, PartnerId};
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::premium::PaymentReference;
use domain::proposal::{Actor, Move, Underway};

use crate::claim::paper::takes_papers;
use crate::claim::{ATTEMPTS, ClaimService, ClaimShown, ClaimView, unknown_claim};
use crate::error::{ConflictReason, Error, Result};
use crate::policy::cancellation::refuse_open_endorsement;
use crate::policy::claim_cover::CoverOnDay;
use crate::policy::refund::paid_before;
use crate::shared::idempotency::{Draft, KeptResponse, Outcome};
use crate::storage::Kept;
use crate::storage::claims::ClaimAct;
use crate::storage::policies::{NotedPayment, PolicyAct, PolicyChanged, TransferPart};

/// Decision of the insurer about a claim.
#[derive(Debug, Clone)]
pub struct ClaimVerdict {
    /// New state of the claim.
    pub state: ClaimState,
    /// Amount that the insurer pays. APPROVED requires it; no other state has it.
    pub approved: Option<Rupees>,
    /// What becomes of premium that was refunded for days after the event. APPROVED requires it if there is such a
    /// refund; no other state has it.
    pub refunds: Option<RefundsAfter>,
    /// Reason, which REJECTED and REPUDIATED require.
    pub reason: Option<PersonalLine>,
}

/// Payment of a claim by the insurer.
#[derive(Debug, Clone)]
pub struct ClaimPaid {
    pub reference: PaymentReference,
    /// Day of the payment, in Asia/Kolkata.
    pub paid_on: Date,
    /// Paid amount, including interest for late payment. Less than what is left is a part. `None`: all that is left.
    pub amount: Option<Rupees>,
    /// Who received it, if known.
    pub payee: Option<PersonalLine>,
    /// Total of the bank transfer, if it also pays other claims.
    pub transfer_total: Option<Rupees>,
    /// Missing required documents, each waived with a reason.
    pub waived: Vec<WaivedPaper>,
}

/// Step of the insurer on a claim: its decision or its payment.
#[derive(Debug, Clone)]
enum ClaimStep {
    Decide(Actor, ClaimVerdict),
    Pay(Actor, ClaimPaid),
    AskPapers(PersonalLine, Date),
}

/// Withdrawn claim that is not saved yet.
pub struct ClaimWithdrawal {
    /// Claim after the withdrawal.
    pub view: ClaimView,
    change: ClaimChange,
}

impl Draft for ClaimWithdrawal {
    fn at(&self) -> Timestamp {
        self.view.shown.claim.changed_at
    }
}

/// Claim after a status change, with its policy as it was read before.
struct ClaimChange {
    policy: Policy,
    claim: Claim,
    moves: Vec<Move<ClaimState>>,
    /// Event for a change that leaves the status, with its time.
    unmoved: Option<(EventType, Timestamp)>,
    /// Actor of the payment, if it ended the policy.
    ended_by: Option<Actor>,
    /// The payment that the change records, with its part of a transfer for several claims.
    paid_with: Option<(PaymentReference, Option<TransferPart>)>,
}

impl ClaimService {
    /// Records the insurer's decision about a claim. The operator or the insurer reports the decision.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`] if the claim's state does not allow this status change;
    /// [`Error::Conflict`] if an approval has no amount, exceeds the remaining cover or does not say whether refunds
    /// are deducted, a decision other than an approval has an amount, or a refusal has no reason.
    pub async fn decide(&self, id: ClaimId, by: Actor, verdict: ClaimVerdict) -> Result<Claim> {
        self.change(id, &ClaimStep::Decide(by, verdict)).await
    }

    /// Asks for documents of a claim, by a day. A later request replaces an earlier one.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] if the claim takes no documents, or the day is over.
    pub async fn ask_papers(&self, id: ClaimId, text: PersonalLine, by: Date) -> Result<Claim> {
        self.change(id, &ClaimStep::AskPapers(text, by)).await
    }

    fn asked(&self, claim: Claim, text: PersonalLine, by: Date) -> Result<Underway<Claim>> {
        let at = self.shared.partner_clock.now(claim.partner);
        takes_papers(&claim)?;
        if by < day_of(at) {
            return Err(Error::conflict("The day must be today or later.".into()));
        }
        let asked = Some(PapersAsked { text, by, asked_at: at });
        Ok(Underway::resumed(Claim { asked, ..claim }, at))
    }

    fn decided(
        &self,
        claim: Claim,
        cover: &CoverOnDay,
        by: Actor,
        verdict: ClaimVerdict,
    ) -> Result<Underway<Claim>> {
        let conflict = |why: &str| Err(Error::conflict(why.into()));
        let ClaimVerdict { state, approved, refunds, reason } = verdict;
        match state {
            ClaimState::Paid => {
                return conflict("To mark the claim PAID, record the insurer's payment with its reference.");
            }
            ClaimState::Withdrawn => return conflict("Withdraw the claim instead of deciding it."),
            _ => {}
        }
        claim.state.move_to(state).map_err(Error::Refused)?;
        let now = self.shared.partner_clock.now(claim.partner);
        let deducted = match (state == ClaimState::Approved, approved) {
            (true, Some(amount)) => {
                cover.judge_approval(&claim, amount, day_of(now))?;
                deducted(amount, cover.of_claim(&claim).refunded_after, refunds)?
            }
            (true, None) => return conflict("APPROVED requires an amount."),
            (false, Some(_)) => return conflict("Only APPROVED may have an amount."),
            (false, None) if refunds.is_some() => {
                return conflict("Only APPROVED may say whether refunds are deducted.");
            }
            (false, None) => None,
        };
        if matches!(state, ClaimState::Rejected | ClaimState::Repudiated) && reason.is_none() {
            return conflict("REJECTED and REPUDIATED require a reason, which the claimant reads.");
        }
        let mut underway = Underway::resumed(Claim { approved, deducted, ..claim }, now);
        underway.go(by, state, reason).map_err(Error::Refused)?;
        Ok(underway)
    }

    /// Records that the insurer paid an approved claim. A repeated call with the same payment reference
    /// changes nothing. If the payment leaves no insured person or nothing of the sum insured, the policy is
    /// terminated.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`]; [`Error::Conflict`] if another payment was recorded, the
    /// amount differs, or a required document is missing and was not waived.
    pub async fn paid(&self, id: ClaimId, by: Actor, payment: ClaimPaid) -> Result<Claim> {
        self.change(id, &ClaimStep::Pay(by, payment)).await
    }

    /// Adds a payment to a claim. `None` if the same payment is already recorded. A payment of less than what is left
    /// is a part, and the claim stays APPROVED until its parts add up.
    async fn with_payment(
        &self,
        claim: Claim,
        by: Actor,
        payment: ClaimPaid,
    ) -> Result<Option<Underway<Claim>>> {
        let ClaimPaid { reference, paid_on, amount, payee, transfer_total, waived } = payment;
        let conflict = |why: String| Err(Error::conflict(why));
        if claim.was_paid_with(reference.as_str()) {
            return Ok(None);
        }
        if let Some(earlier) = &claim.paid {
            return conflict(format!(
                "The claim was already paid, with reference {}.",
                earlier.reference.as_str()
            ));
        }
        claim.state.move_to(ClaimState::Paid).map_err(Error::Refused)?;
        let now = self.shared.partner_clock.now(claim.partner);
        let last = claim.transfers.last().map_or(day_of(claim.created_at), |last| last.paid_on);
        if paid_on > day_of(now) || paid_on < last {
            return conflict(format!(
                "The day of payment must be from {last}, when the claim was reported or last paid, until today."
            ));
        }
        let (left, interest) = (claim.unpaid(), claim.interest_on(paid_on));
        let owed = left + interest;
        let amount = amount.unwrap_or(owed);
        if amount != owed && amount >= left {
            return conflict(format!(
                "The amount must be {}, including {} of interest up to the day of payment, or a part of {}.",
                owed.grouped_with_paise(),
                interest.grouped_with_paise(),
                left.grouped_with_paise()
            ));
        }
        if let Some(total) = transfer_total.filter(|total| *total < amount) {
            return conflict(format!(
                "The transfer's total of {} is less than the {} that it pays of this claim.",
                total.grouped_with_paise(),
                amount.grouped_with_paise()
            ));
        }
        self.judge_papers(&claim, &waived).await?;
        let is_whole = amount == owed;
        let paid = is_whole.then(|| ClaimPayment { reference: reference.clone(), paid_on, interest });
        let mut transfers = claim.transfers.clone();
        if !is_whole || payee.is_some() || transfer_total.is_some() || !transfers.is_empty() {
            transfers.push(ClaimTransfer { payee, amount, reference, paid_on });
        }
        let mut underway = Underway::resumed(Claim { paid, transfers, waived, ..claim }, now);
        if is_whole {
            underway.go(by, ClaimState::Paid, None).map_err(Error::Refused)?;
        }
        Ok(Some(underway))
    }

    /// Checks that every missing required document is waived, and that no other document is.
    async fn judge_papers(&self, claim: &Claim, waived: &[WaivedPaper]) -> Result<()> {
        let missing = self.missing_papers(claim).await?;
        if let Some(other) = waived.iter().find(|waived| !missing.contains(&waived.paper)) {
            return Err(Error::conflict(format!(
                "{} cannot be waived: it is not a missing required document.",
                other.paper
            )));
        }
        let is_waived = |paper: &String| waived.iter().any(|waived| waived.paper == *paper);
        let open: Vec<String> = missing.into_iter().filter(|paper| !is_waived(paper)).collect();
        match open.is_empty() {
            true => Ok(()),
            false => Err(Error::conflict(format!(
                "Required documents are missing: {}. Upload them, or waive each with a reason.",
                open.join(", ")
            ))),
        }
    }

    /// Withdraws a partner's claim without saving it.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`] if the claim is settled.
    pub async fn withdraw(
        &self,
        of: PartnerId,
        id: ClaimId,
        by: Actor,
        reason: PersonalLine,
    ) -> Result<ClaimWithdrawal> {
        let policy = self.policies.find(of, self.find(of, id).await?.policy).await?;
        // Read the claim after the policy. Every change of a claim also changes its policy. If the policy is
        // outdated, the write fails.
        let claim = self.find(of, id).await?;
        let mut history = self.shared.storage.claim_history(of, id).await?;
        if claim.has_payment() && claim.state.is_open() {
            return Err(Error::conflict(
                "A part of the claim was already paid, so it cannot be withdrawn.".into(),
            ));
        }
        let mut underway = Underway::resumed(claim, self.shared.partner_clock.now(of));
        underway.go(by, ClaimState::Withdrawn, Some(reason)).map_err(Error::Refused)?;
        let (claim, moves) = underway.into_parts();
        history.extend(moves.iter().cloned());
        let shown = ClaimShown { claim: claim.clone(), today: self.shared.partner_clock.today(of) };
        let change = ClaimChange { policy, claim, moves, unmoved: None, ended_by: None, paid_with: None };
        Ok(ClaimWithdrawal { view: ClaimView { shown, history }, change })
    }

    /// Saves the withdrawal of a claim, in one transaction with its response if the request has an
    /// idempotency key.
    ///
    /// # Errors
    /// [`Error::Refused`] if the claim was settled meanwhile; [`Error::Conflict`] if its policy changed
    /// meanwhile.
    pub async fn keep_withdrawal(
        &self,
        withdrawal: ClaimWithdrawal,
        response: Option<KeptResponse>,
    ) -> Result<Outcome<Claim>> {
        let claim = withdrawal.change.claim.clone();
        let kept = match self.keep_change(withdrawal.change, response.as_ref()).await? {
            PolicyChanged::Done => Kept::New,
            PolicyChanged::Twin => Kept::Twin,
            PolicyChanged::Lost | PolicyChanged::Paid(_) => {
                let now = self.find(claim.partner, claim.id).await?.state;
                now.move_to(ClaimState::Withdrawn).map_err(Error::Refused)?;
                return Err(Error::conflict_of(
                    ConflictReason::ChangedMeanwhile,
                    "The policy was changed by another request. Try again.".into(),
                ));
            }
        };
        self.shared.idempotency.outcome(kept, claim, response).await
    }

    /// Changes a claim together with its policy. If the policy changes meanwhile, the change is tried again.
    async fn change(&self, id: ClaimId, step: &ClaimStep) -> Result<Claim> {
        let of = self.owner(id).await?;
        let Claim { policy, notice, .. } = self.find(of, id).await?;
        for _ in 0..ATTEMPTS {
            let policy = self.policies.find(of, policy).await?;
            let cover = self.policies.cover_on(&policy, notice.event_on).await?;
            let claim = cover.claims().iter().find(|claim| claim.id == id).cloned();
            let claim = claim.ok_or_else(|| unknown_claim(id))?;
            let (underway, ended_by, paid_with) = match step.clone() {
                ClaimStep::AskPapers(text, by) => (self.asked(claim, text, by)?, None, None),
                ClaimStep::Decide(by, verdict) => (self.decided(claim, &cover, by, verdict)?, None, None),
                ClaimStep::Pay(by, payment) => {
                    let (reference, total) = (payment.reference.clone(), payment.transfer_total);
                    let Some(paid) = self.with_payment(claim.clone(), by, payment).await? else {
                        return Ok(claim);
                    };
                    cover.judge_payment(&claim)?;
                    let today = self.shared.partner_clock.today(of);
                    let ends = paid.subject().state == ClaimState::Paid && cover.ends_with(&claim, today);
                    let part = paid.subject().transfers.last().zip(total);
                    let part = part.map(|(transfer, total)| TransferPart { amount: transfer.amount, total });
                    (paid, ends.then_some(by), Some((reference, part)))
                }
            };
            let at = underway.at();
            let (claim, moves) = underway.into_parts();
            let kind =
                if paid_with.is_some() { EventType::ClaimPartPaid } else { EventType::ClaimPapersAsked };
            let change = ClaimChange {
                policy,
                claim: claim.clone(),
                unmoved: moves.is_empty().then_some((kind, at)),
                moves,
                ended_by,
                paid_with: paid_with.clone(),
            };
            match self.keep_change(change, None).await? {
                PolicyChanged::Done => return Ok(claim),
                PolicyChanged::Paid(other) => {
                    return Err(
                        paid_with.map_or_else(|| unknown_claim(id), |(paid, _)| paid_before(&paid, &other))
                    );
                }
                PolicyChanged::Lost | PolicyChanged::Twin => {}
            }
        }
        Err(Error::conflict_of(
            ConflictReason::ChangedMeanwhile,
            "The policy is being changed by another request. Try again.".into(),
        ))
    }

    async fn keep_change(
        &self,
        change: ClaimChange,
        response: Option<&KeptResponse>,
    ) -> Result<PolicyChanged> {
        let ClaimChange { policy, claim, moves, unmoved, ended_by, paid_with } = change;
        let (id, state) = (claim.id, claim.state);
        let at = claim.changed_at;
        let claim = Claim { version: claim.version + 1, ..claim };
        let claim_act = ClaimAct { claim: &claim, is_new: false, moves: &moves };
        let paid_for = id.to_string();
        let paid_with = paid_with.filter(|_| !self.shared.partner_clock.is_test(claim.partner));
        let payment = paid_with.as_ref();
        let payment =
            payment.map(|(reference, part)| NotedPayment { reference, paid_for: &paid_for, part: *part });
        let (after, policy_moves) = match ended_by {
            Some(by) => terminated(&policy, by, at)?,
            None => (policy.clone(), Vec::new()),
        };
        let mut events = self.shared.events().of_claim(&policy, &claim, &moves, unmoved);
        events.extend(self.shared.events().of_policy(&policy, &after, &policy_moves, at));
        let act = PolicyAct {
            moves: &policy_moves,
            claim: Some(claim_act),
            payment,
            events: &events,
            tell: self.policies.tell(&after, at).await?.filter(|_| state == ClaimState::Withdrawn),
            response: response.map(KeptResponse::keyed),
            ..PolicyAct::default()
        };
        let changed = self.shared.storage.change_policy(&after, act).await?;
        if changed == PolicyChanged::Done {
            tracing::info!(partner.id = %claim.partner, claim.id = %id, claim.state = %state, "claim {id} moved to {state}");
        }
        Ok(changed)
    }
}

/// What the payment of an approved amount deducts of the refunds of premium for days after the event.
fn deducted(approved: Rupees, refunded: Rupees, refunds: Option<RefundsAfter>) -> Result<Option<Rupees>> {
    let conflict = |why: String| Err(Error::conflict(why));
    let words = refunded.grouped_with_paise();
    match refunds {
        None if refunded > Rupees::ZERO => conflict(format!(
            "{words} of premium was refunded for days after the event. Say whether the payment deducts this refund."
        )),
        Some(RefundsAfter::Deduct) if refunded == Rupees::ZERO => {
            conflict("No premium was refunded for days after the event, so nothing can be deducted.".into())
        }
        Some(RefundsAfter::Deduct) if refunded >= approved => {
            conflict(format!("The refund of {words} cannot be deducted: the approved amount is not more."))
        }
        Some(RefundsAfter::Deduct) => Ok(Some(refunded)),
        Some(RefundsAfter::Keep) | None => Ok(None),
    }
}

/// Terminates a policy because its last insured person has lost cover, or nothing is left of the sum insured. A cancelled or renewed policy keeps
/// its state.
fn terminated(policy: &Policy, by: Actor, at: Timestamp) -> Result<(Policy, Vec<Move<PolicyState>>)> {
    let mut policy = policy.clone();
    if policy.state.move_to(PolicyState::Terminated).is_err() {
        return Ok((policy, Vec::new()));
    }
    refuse_open_endorsement(&mut policy, at);
    let mut underway = Underway::resumed(policy, at);
    underway.go(by, PolicyState::Terminated, None).map_err(Error::Refused)?;
    Ok(underway.into_parts())
}
