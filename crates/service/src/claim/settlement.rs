//! How claims end: the insurer decides and pays them through the operator, and a partner withdraws them (D81 to D83, D113).

use domain::claim::{Claim, ClaimPayment, ClaimState, WaivedPaper};
use domain::date::{Date, Timestamp, day_of};
use domain::id::{ClaimId, PartnerId};
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::premium::PaymentReference;
use domain::proposal::{Actor, Move, Underway};

use crate::claim::{ATTEMPTS, ClaimService, ClaimShown, ClaimView, unknown_claim};
use crate::error::{ConflictReason, Error, Result};
use crate::line::SoldLine;
use crate::on_any_policy;
use crate::policy::cancellation::refuse_open_endorsement;
use crate::policy::claim_cover::CoverOnDay;
use crate::policy::refund::paid_before;
use crate::shared::idempotency::{Draft, KeptResponse, Outcome};
use crate::storage::claims::ClaimAct;
use crate::storage::policies::{NotedPayment, PolicyAct, PolicyChanged};
use crate::storage::{AnyPolicy, Kept};

/// What the insurer decided, as the operator notes it.
#[derive(Debug, Clone)]
pub struct ClaimVerdict {
    /// Where the claim stands now.
    pub state: ClaimState,
    /// Amount that the insurer pays. APPROVED requires it; no other state has it.
    pub approved: Option<Rupees>,
    /// Why. Needed where nothing is paid.
    pub reason: Option<PersonalLine>,
}

/// The payment of a claim.
#[derive(Debug, Clone)]
pub struct ClaimPaid {
    /// What the payment is called.
    pub reference: PaymentReference,
    /// Its day, in Asia/Kolkata.
    pub paid_on: Date,
    /// Amount that was paid, with the interest for paying late, if it is known.
    pub amount: Option<Rupees>,
    /// The required papers that are missing and without which it was paid.
    pub waived: Vec<WaivedPaper>,
}

/// What the insurer does about a claim.
#[derive(Debug, Clone)]
enum ClaimStep {
    Decide(Actor, ClaimVerdict),
    Pay(Actor, ClaimPaid),
}

/// A claim that is withdrawn, and is not kept yet.
pub struct ClaimWithdrawal {
    /// The claim as it stands then.
    pub view: ClaimView,
    change: ClaimChange,
}

impl Draft for ClaimWithdrawal {
    fn at(&self) -> Timestamp {
        self.view.shown.claim.changed_at
    }
}

/// A claim as it stands after a move, with its policy as it was read.
struct ClaimChange {
    policy: AnyPolicy,
    claim: Claim,
    moves: Vec<Move<ClaimState>>,
    /// Who moved it, if that ended the cover of the policy's last life.
    ended_by: Option<Actor>,
}

impl ClaimService {
    /// Notes what the insurer decided about a claim, as the operator or the insurer itself tells it.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`] for a move that its states do not have; [`Error::Conflict`] for an approval without
    /// an amount or above what is left of the cover, an amount beside another decision, and a refusal without a reason.
    pub async fn decide(&self, id: ClaimId, by: Actor, verdict: ClaimVerdict) -> Result<Claim> {
        self.change(id, &ClaimStep::Decide(by, verdict)).await
    }

    fn decided(
        &self,
        claim: Claim,
        cover: &CoverOnDay,
        by: Actor,
        verdict: ClaimVerdict,
    ) -> Result<Underway<Claim>> {
        let conflict = |why: &str| Err(Error::conflict(why.into()));
        let ClaimVerdict { state, approved, reason } = verdict;
        match state {
            ClaimState::Paid => return conflict("A payment is noted with its reference."),
            ClaimState::Withdrawn => return conflict("Withdraw the claim instead of deciding it."),
            _ => {}
        }
        claim.state.move_to(state).map_err(Error::Refused)?;
        let now = self.shared.partner_clock.now(claim.partner);
        match (state == ClaimState::Approved, approved) {
            (true, Some(amount)) => cover.judge_approval(&claim, amount, day_of(now))?,
            (true, None) => return conflict("APPROVED requires an amount."),
            (false, Some(_)) => return conflict("Only APPROVED has an amount."),
            (false, None) => {}
        }
        if matches!(state, ClaimState::Rejected | ClaimState::Repudiated) && reason.is_none() {
            return conflict("REJECTED and REPUDIATED require a reason, which the claimant reads.");
        }
        let mut underway = Underway::resumed(Claim { approved, ..claim }, now);
        underway.go(by, state, reason).map_err(Error::Refused)?;
        Ok(underway)
    }

    /// Notes that the insurer paid an approved claim. The same reference again changes nothing. If it ends the cover of the last
    /// life, the policy is terminated.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`]; [`Error::Conflict`] if another payment was noted, the amount is another, or a
    /// required paper is missing and was not waived.
    pub async fn paid(&self, id: ClaimId, by: Actor, payment: ClaimPaid) -> Result<Claim> {
        self.change(id, &ClaimStep::Pay(by, payment)).await
    }

    /// A claim with its payment. `None` if that is noted already.
    async fn with_payment(
        &self,
        claim: Claim,
        by: Actor,
        payment: ClaimPaid,
    ) -> Result<Option<Underway<Claim>>> {
        let ClaimPaid { reference, paid_on, amount, waived } = payment;
        let conflict = |why: String| Err(Error::conflict(why));
        if let Some(earlier) = &claim.paid {
            return match earlier.reference == reference {
                true => Ok(None),
                false => conflict(format!("The claim was paid before, by {}.", earlier.reference.as_str())),
            };
        }
        claim.state.move_to(ClaimState::Paid).map_err(Error::Refused)?;
        let now = self.shared.partner_clock.now(claim.partner);
        if paid_on > day_of(now) || paid_on < day_of(claim.created_at) {
            return conflict("A claim is paid on a day from its notice until today.".into());
        }
        let interest = claim.interest_on(paid_on);
        let owed = claim.approved.unwrap_or(Rupees::ZERO) + interest;
        if amount.is_some_and(|amount| amount != owed) {
            return conflict(format!(
                "{} is owed on that day, {} of it interest, and another amount was named.",
                owed.grouped_with_paise(),
                interest.grouped_with_paise()
            ));
        }
        self.judge_papers(&claim, &waived).await?;
        let paid = Some(ClaimPayment { reference, paid_on, interest });
        let mut underway = Underway::resumed(Claim { paid, waived, ..claim }, now);
        underway.go(by, ClaimState::Paid, None).map_err(Error::Refused)?;
        Ok(Some(underway))
    }

    /// Judges whether every required paper of a claim came or is waived, and nothing else is.
    async fn judge_papers(&self, claim: &Claim, waived: &[WaivedPaper]) -> Result<()> {
        let missing = self.missing_papers(claim).await?;
        if let Some(other) = waived.iter().find(|waived| !missing.contains(&waived.paper)) {
            return Err(Error::conflict(format!("{} is not a required paper that is missing.", other.paper)));
        }
        let is_waived = |paper: &String| waived.iter().any(|waived| waived.paper == *paper);
        let open: Vec<String> = missing.into_iter().filter(|paper| !is_waived(paper)).collect();
        match open.is_empty() {
            true => Ok(()),
            false => Err(Error::conflict(format!(
                "Required papers are missing: {}. Upload them, or waive each with a reason.",
                open.join(", ")
            ))),
        }
    }

    /// A claim of a partner that is withdrawn. It is not kept yet.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`] if it is settled.
    pub async fn withdraw(
        &self,
        of: PartnerId,
        id: ClaimId,
        by: Actor,
        reason: PersonalLine,
    ) -> Result<ClaimWithdrawal> {
        let policy = self.policies.find(of, self.find(of, id).await?.policy).await?;
        // Whoever changes the claim changes the policy, so that this is the claim of that policy's version or the act is lost.
        let claim = self.find(of, id).await?;
        let mut history = self.shared.storage.claim_history(of, id).await?;
        let mut underway = Underway::resumed(claim, self.shared.partner_clock.now(of));
        underway.go(by, ClaimState::Withdrawn, Some(reason)).map_err(Error::Refused)?;
        let (claim, moves) = underway.into_parts();
        history.extend(moves.iter().cloned());
        let shown = ClaimShown { claim: claim.clone(), today: self.shared.partner_clock.today(of) };
        let change = ClaimChange { policy, claim, moves, ended_by: None };
        Ok(ClaimWithdrawal { view: ClaimView { shown, history }, change })
    }

    /// Keeps a withdrawal, in one transaction with its response if an idempotency key came.
    ///
    /// # Errors
    /// [`Error::Refused`] if the claim was settled meanwhile; [`Error::Conflict`] if something else of its policy was changed.
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
                    "The policy was changed at the same time. Try again.".into(),
                ));
            }
        };
        self.shared.idempotency.outcome(kept, claim, response).await
    }

    /// Changes a claim in the version of its policy in which both were read. What comes in between is waited out.
    async fn change(&self, id: ClaimId, step: &ClaimStep) -> Result<Claim> {
        let of = self.owner(id).await?;
        let Claim { policy, notice, .. } = self.find(of, id).await?;
        for _ in 0..ATTEMPTS {
            let policy = self.policies.find(of, policy).await?;
            let cover = self.policies.cover_on(&policy, notice.event_on).await?;
            let claim = cover.claims().iter().find(|claim| claim.id == id).cloned();
            let claim = claim.ok_or_else(|| unknown_claim(id))?;
            let (underway, ended_by) = match step.clone() {
                ClaimStep::Decide(by, verdict) => (self.decided(claim, &cover, by, verdict)?, None),
                ClaimStep::Pay(by, payment) => match self.with_payment(claim.clone(), by, payment).await? {
                    Some(paid) => {
                        cover.judge_life(&claim)?;
                        (paid, cover.ends_with(&claim).then_some(by))
                    }
                    None => return Ok(claim),
                },
            };
            let (claim, moves) = underway.into_parts();
            let change = ClaimChange { policy, claim: claim.clone(), moves, ended_by };
            match self.keep_change(change, None).await? {
                PolicyChanged::Done => return Ok(claim),
                PolicyChanged::Paid(other) => {
                    let reference = claim.paid.map(|paid| paid.reference);
                    return Err(
                        reference.map_or_else(|| unknown_claim(id), |paid| paid_before(&paid, &other))
                    );
                }
                PolicyChanged::Lost | PolicyChanged::Twin => {}
            }
        }
        Err(Error::conflict_of(
            ConflictReason::ChangedMeanwhile,
            "The policy is being changed just now. Please try again.".into(),
        ))
    }

    async fn keep_change(
        &self,
        change: ClaimChange,
        response: Option<&KeptResponse>,
    ) -> Result<PolicyChanged> {
        let ClaimChange { policy, claim, moves, ended_by } = change;
        let (id, state) = (claim.id, claim.state);
        let at = claim.changed_at;
        let claim = Claim { version: claim.version + 1, ..claim };
        let claim_act = ClaimAct { claim: &claim, is_new: false, moves: &moves };
        let is_payment = state == ClaimState::Paid && !self.shared.partner_clock.is_test(claim.partner);
        let (paid_for, paid) = (id.to_string(), claim.paid.as_ref().filter(|_| is_payment));
        let payment = paid.map(|paid| NotedPayment { reference: &paid.reference, paid_for: &paid_for });
        let changed = on_any_policy!(policy, before => {
            let (after, policy_moves) = match ended_by {
                Some(by) => terminated(&before, by, at)?,
                None => ((*before).clone(), Vec::new()),
            };
            let mut events = self.shared.events().of_claim(&before, &claim, &moves);
            events.extend(self.shared.events().of_policy(&before, &after, &policy_moves, at));
            let act = PolicyAct {
                moves: &policy_moves,
                claim: Some(claim_act),
                payment,
                events: &events,
                tell: self.policies.tell(&after, at).await?.filter(|_| state == ClaimState::Withdrawn),
                response: response.map(KeptResponse::keyed),
                ..PolicyAct::default()
            };
            self.change_policy(&after, act).await?
        });
        if changed == PolicyChanged::Done {
            tracing::info!(partner.id = %claim.partner, claim.id = %id, claim.state = %state, "claim {id} moved to {state}");
        }
        Ok(changed)
    }
}

/// A policy whose last life has no cover any more. One that was cancelled or renewed stays so.
fn terminated<L: SoldLine>(
    policy: &Policy<L>,
    by: Actor,
    at: Timestamp,
) -> Result<(Policy<L>, Vec<Move<PolicyState>>)> {
    let mut policy = policy.clone();
    if policy.state.move_to(PolicyState::Terminated).is_err() {
        return Ok((policy, Vec::new()));
    }
    refuse_open_endorsement(&mut policy, at);
    let mut underway = Underway::resumed(policy, at);
    underway.go(by, PolicyState::Terminated, None).map_err(Error::Refused)?;
    Ok(underway.into_parts())
}
