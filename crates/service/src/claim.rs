//! Claims: made known by a partner or the operator, decided by the insurer through the operator, and paid (D81 to D83).

use std::cmp::Reverse;
use std::sync::Arc;

use domain::claim::{Claim, ClaimKind, ClaimNotice, ClaimPayment, ClaimState, WaivedPaper, WantedPaper};
use domain::date::{Date, Timestamp, day_of};
use domain::id::{ClaimId, PartnerId, PolicyId};
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::premium::PaymentReference;
use domain::proposal::{Actor, Move, Underway};
use rating::ClaimRules;

use crate::cancellation::refuse_open_endorsement;
use crate::claim_cover::{ClaimCover, CoverOnDay};
use crate::claim_limits::{ClaimLimits, bounds_of_day};
use crate::clock::Ids;
use crate::cursor::ListKind;
use crate::error::{Error, Fault, Faults};
use crate::event::EventMaker;
use crate::idempotency::{Draft, Idempotency, KeptResponse, Outcome};
use crate::line::{Covered, SoldLine};
use crate::list::{ListAsk, ListPage, Lists};
use crate::on_any_policy;
use crate::partner::PartnerService;
use crate::partner_clock::PartnerClock;
use crate::policy::PolicyService;
use crate::storage::claims::ClaimAct;
use crate::storage::lists::{ListPosition, ListStart, Page, Selection};
use crate::storage::policies::{PolicyAct, PolicyChanged};
use crate::storage::{AnyPolicy, ClaimPapers, Claims, Kept, Lines};

/// Changes of a policy that come in between a change of a claim and its keeping and are waited out.
const ATTEMPTS: u32 = 64;

/// A claim that is made known, and is not kept yet.
#[derive(Debug)]
pub struct ClaimDraft {
    /// The claim.
    pub claim: Claim,
    moves: Vec<Move<ClaimState>>,
}

impl ClaimDraft {
    /// Its moves: the notice alone.
    pub fn moves(&self) -> &[Move<ClaimState>] {
        &self.moves
    }
}

impl Draft for ClaimDraft {
    fn at(&self) -> Timestamp {
        self.claim.created_at
    }
}

/// A claim as it stands on a day.
pub struct ClaimShown {
    /// The claim.
    pub claim: Claim,
    /// The day, in Asia/Kolkata.
    pub today: Date,
}

/// A claim with its history.
pub struct ClaimView {
    /// The claim.
    pub shown: ClaimShown,
    /// Every move, oldest first, its notice included.
    pub history: Vec<Move<ClaimState>>,
}

/// What the insurer decided, as the operator notes it.
#[derive(Debug, Clone)]
pub struct ClaimVerdict {
    /// Where the claim stands now.
    pub state: ClaimState,
    /// What the insurer pays: where it is approved, and only there.
    pub approved: Option<Rupees>,
    /// Why. Needed where nothing is paid.
    pub reason: Option<PersonalLine>,
}

/// A payment of a claim, as somebody notes it.
#[derive(Debug, Clone)]
pub struct ClaimPaid {
    /// What the payment is called.
    pub reference: PaymentReference,
    /// Its day, in Asia/Kolkata.
    pub paid_on: Date,
    /// What was paid with the interest for paying late, if somebody says it.
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

/// Takes, shows and settles claims.
pub struct ClaimService {
    pub(crate) storage: Arc<dyn Claims>,
    pub(crate) papers: Arc<dyn ClaimPapers>,
    pub(crate) policies: Arc<PolicyService>,
    pub(crate) lines: Arc<dyn Lines>,
    pub(crate) partners: Arc<PartnerService>,
    pub(crate) lists: Arc<Lists>,
    pub(crate) idempotency: Arc<Idempotency>,
    pub(crate) clock: PartnerClock,
    pub(crate) ids: Ids,
    pub(crate) events: EventMaker,
    pub(crate) limits: ClaimLimits,
}

impl ClaimService {
    /// A claim on a partner's policy. It is not kept yet.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Invalid`] with every fault of what is told; [`Error::Conflict`] where claims on such
    /// policies are not taken here.
    pub async fn intimate(
        &self,
        of: PartnerId,
        policy: PolicyId,
        notice: ClaimNotice,
        by: Actor,
    ) -> Result<ClaimDraft, Error> {
        let policy = self.policies.find(of, policy).await?;
        let claims = self.policies.claims_on(&policy).await?;
        let cover = self.policies.cover_on(&policy, notice.event_on, claims).await?;
        on_any_policy!(&policy, policy => self.intimate_one(policy, &cover, notice, by))
    }

    fn intimate_one<L: SoldLine>(
        &self,
        policy: &Policy<L>,
        cover: &CoverOnDay,
        notice: ClaimNotice,
        by: Actor,
    ) -> Result<ClaimDraft, Error> {
        let now = self.clock.now(policy.partner);
        let covered = cover.covered();
        let rules = self.rules(covered)?;
        let mut faults = Faults::default();
        let mut fault = |field: &str, message: String| faults.0.push(Fault { field: field.into(), message });
        let rule = rules.of(notice.kind).filter(|_| cover.pays_for(notice.kind));
        if rule.is_none() {
            let kinds = rules.kinds.iter().map(|rule| rule.kind).filter(|kind| cover.pays_for(*kind));
            let known: Vec<&str> = kinds.map(ClaimKind::word).collect();
            fault("kind", format!("Must be {}: this policy pays for nothing else.", known.join(" or ")));
        }
        let member = usize::from(notice.member).checked_sub(1).and_then(|index| covered.members.get(index));
        if member.is_none() {
            fault("member", format!("Must be the number of a member, from 1 to {}.", covered.members.len()));
        }
        match cover.judge(&notice, day_of(now)) {
            // One that keeps it says so, and names the claim.
            Ok(()) | Err(Error::Conflict(_)) => {}
            Err(Error::Invalid(found)) => {
                faults.0.extend(found.0.into_iter().filter(|found| rule.is_some() || found.field != "kind"));
            }
            Err(other) => return Err(other),
        }
        let (Some(rule), Some(member), true) = (rule, member, faults.0.is_empty()) else {
            return Err(Error::Invalid(faults));
        };
        let wanted = rule.papers.iter().map(|paper| WantedPaper {
            id: paper.id.clone(),
            name: paper.name.english().to_owned(),
            required: paper.required,
        });
        let claim = Claim {
            id: self.ids.make(),
            partner: policy.partner,
            policy: policy.id,
            line: L::LINE,
            session: policy.session,
            reference: policy.reference.clone(),
            created_at: now,
            notice,
            member_name: member.name.clone(),
            state: ClaimState::Intimated,
            changed_at: now,
            version: 1,
            wanted: wanted.collect(),
            clocks: rules.clocks,
            investigated: false,
            approved: None,
            paid: None,
            waived: Vec::new(),
        };
        let (claim, moves) = Underway::first_known(claim, by, now).into_parts();
        Ok(ClaimDraft { claim, moves })
    }

    /// What claims on a policy need.
    fn rules(&self, covered: &Covered) -> Result<Arc<ClaimRules>, Error> {
        let rules = self.policies.sold_as(covered).and_then(|product| product.claims.clone());
        rules.ok_or_else(|| {
            Error::Conflict(format!(
                "Claims on policies of this product are not taken here: {} takes them itself.",
                covered.insurer
            ))
        })
    }

    /// Keeps a claim with its policy, in one transaction with its response where an idempotency key came. Of several of the
    /// same claim one is kept.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the same claim was made known before, or the policy has as many as it may;
    /// [`Error::LimitReached`] if its partner has made as many today as it may; [`Error::Invalid`] if the policy ended meanwhile,
    /// before the event.
    pub async fn keep(
        &self,
        draft: ClaimDraft,
        response: Option<KeptResponse>,
    ) -> Result<Outcome<Claim>, Error> {
        let (of, id) = (draft.claim.partner, draft.claim.policy);
        for _ in 0..ATTEMPTS {
            let policy = self.policies.find(of, id).await?;
            let claims = self.policies.claims_on(&policy).await?;
            let cover = self.policies.cover_on(&policy, draft.claim.notice.event_on, claims).await?;
            cover.judge(&draft.claim.notice, day_of(draft.at()))?;
            let kept = response.as_ref();
            match on_any_policy!(policy, policy => self.keep_one(*policy, &draft, kept).await?) {
                PolicyChanged::Done => {
                    let claim = draft.claim.id;
                    tracing::info!(partner.id = %of, policy.id = %id, claim.id = %claim, "claim {claim} was made known");
                    return self.idempotency.outcome(Kept::New, draft.claim, response).await;
                }
                PolicyChanged::Twin => {
                    return self.idempotency.outcome(Kept::Twin, draft.claim, response).await;
                }
                // A cancellation or another claim came in between: the next round sees it.
                PolicyChanged::Lost => {}
            }
        }
        Err(Error::Conflict("The policy is being changed just now. Please try again.".into()))
    }

    async fn keep_one<L: SoldLine>(
        &self,
        mut policy: Policy<L>,
        draft: &ClaimDraft,
        response: Option<&KeptResponse>,
    ) -> Result<PolicyChanged, Error> {
        self.limits.judge_claims_of_policy(policy.claims.len())?;
        let (since, until_tomorrow) = bounds_of_day(draft.at());
        let today = self.storage.count_claims_since(policy.partner, since).await?;
        self.limits.judge_claims_of_day(today, until_tomorrow)?;
        policy.claims.push(draft.claim.id);
        if policy.state == PolicyState::CancellationRequested
            && let Some(cancellation) = &mut policy.cancellation
        {
            cancellation.claimed_since.get_or_insert(draft.claim.id);
        }
        let events = self.events.of_claim(&draft.claim, &draft.moves);
        let act = PolicyAct {
            events: &events,
            tell: self.policies.tell(&policy, draft.at()).await?,
            claim: Some(ClaimAct { claim: &draft.claim, is_new: true, moves: &draft.moves }),
            response: response.map(KeptResponse::keyed),
            ..PolicyAct::default()
        };
        self.change_policy(&policy, act).await
    }

    async fn change_policy<L: SoldLine>(
        &self,
        policy: &Policy<L>,
        act: PolicyAct<'_>,
    ) -> Result<PolicyChanged, Error> {
        Ok(L::storage(self.lines.as_ref()).change_policy(policy, act).await?)
    }

    /// A page of a partner's claims, by the day of their notice.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every fault of what is asked.
    pub async fn list(&self, of: PartnerId, ask: ListAsk) -> Result<ListPage<ClaimShown>, Error> {
        let list = ListKind::Claims;
        let resolved = self.lists.resolve(of, list, ask)?;
        let today = self.clock.today(of);
        let page = match resolved.which.clone() {
            Some(which) => self.storage.claims(of, which, resolved.from, resolved.limit.into()).await?,
            None => Page::default(),
        };
        let page = page.try_map(|claim| Ok::<_, Error>(ClaimShown { claim, today }))?;
        Ok(self.lists.page(of, list, resolved, page, |shown| ListPosition {
            created_at: shown.claim.created_at,
            id: shown.claim.id.uuid(),
        }))
    }

    /// A claim of a partner with its history.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn view(&self, of: PartnerId, id: ClaimId) -> Result<ClaimView, Error> {
        let claim = self.find(of, id).await?;
        let history = self.storage.claim_history(of, id).await?;
        Ok(ClaimView { shown: ClaimShown { claim, today: self.clock.today(of) }, history })
    }

    /// A claim of a partner.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub(crate) async fn find(&self, of: PartnerId, id: ClaimId) -> Result<Claim, Error> {
        self.storage.claim(of, id).await?.ok_or_else(|| unknown_claim(id))
    }

    /// Whose a claim is.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn owner(&self, id: ClaimId) -> Result<PartnerId, Error> {
        self.storage.owner_of_claim(id).await?.ok_or_else(|| unknown_claim(id))
    }

    /// The cover that a claim draws on.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn cover(&self, claim: &Claim) -> Result<ClaimCover, Error> {
        let policy = self.policies.find(claim.partner, claim.policy).await?;
        let claims = self.policies.claims_on(&policy).await?;
        Ok(self.policies.cover_on(&policy, claim.notice.event_on, claims).await?.of_claim(claim))
    }

    /// The required papers of a claim that nobody sent yet.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn missing_papers(&self, claim: &Claim) -> Result<Vec<String>, Error> {
        let papers = self.papers.papers(claim.partner, claim.id).await?;
        let is_missing = |wanted: &&WantedPaper| {
            wanted.required && !papers.iter().any(|paper| paper.paper.as_ref() == Some(&wanted.id))
        };
        Ok(claim.wanted.iter().filter(is_missing).map(|wanted| wanted.id.clone()).collect())
    }

    /// Claims of every partner that are not settled, the one that is due first before the others; at most `most`.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn open(&self, most: usize) -> Result<Vec<ClaimShown>, Error> {
        let open = self.storage.open_claims(most).await?;
        Ok(open.into_iter().map(|claim| self.shown(claim)).collect())
    }

    /// Claims of every partner or of one, settled ones included, newest first; at most `most`.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown partner.
    pub async fn of_partners(&self, partner: Option<&str>, most: usize) -> Result<Vec<ClaimShown>, Error> {
        let of = self.partners.of_list(partner).await?;
        let mut found = Vec::new();
        for partner in of {
            found
                .extend(self.storage.claims(partner, Selection::All, ListStart::Newest, most).await?.records);
        }
        found.sort_by_key(|claim| Reverse((claim.created_at, claim.id)));
        found.truncate(most);
        Ok(found.into_iter().map(|claim| self.shown(claim)).collect())
    }

    /// A claim on the day of its partner.
    fn shown(&self, claim: Claim) -> ClaimShown {
        ClaimShown { today: self.clock.today(claim.partner), claim }
    }

    /// Notes what the insurer decided about a claim, as the operator or the insurer itself tells it.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`] for a move that its states do not have; [`Error::Conflict`] for an approval without
    /// an amount or above what is left of the cover, an amount beside another decision, and a refusal without a reason.
    pub async fn decide(&self, id: ClaimId, by: Actor, verdict: ClaimVerdict) -> Result<Claim, Error> {
        self.change(id, &ClaimStep::Decide(by, verdict)).await
    }

    fn decided(
        &self,
        claim: Claim,
        cover: &CoverOnDay,
        by: Actor,
        verdict: ClaimVerdict,
    ) -> Result<Underway<Claim>, Error> {
        let conflict = |why: &str| Err(Error::Conflict(why.into()));
        let ClaimVerdict { state, approved, reason } = verdict;
        match state {
            ClaimState::Paid => return conflict("A payment is noted with its reference."),
            ClaimState::Withdrawn => return conflict("Withdraw the claim instead of deciding it."),
            _ => {}
        }
        claim.state.move_to(state).map_err(Error::Refused)?;
        let now = self.clock.now(claim.partner);
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
    pub async fn paid(&self, id: ClaimId, by: Actor, payment: ClaimPaid) -> Result<Claim, Error> {
        self.change(id, &ClaimStep::Pay(by, payment)).await
    }

    /// A claim with its payment. `None` if that is noted already.
    async fn with_payment(
        &self,
        claim: Claim,
        by: Actor,
        payment: ClaimPaid,
    ) -> Result<Option<Underway<Claim>>, Error> {
        let ClaimPaid { reference, paid_on, amount, waived } = payment;
        let conflict = |why: String| Err(Error::Conflict(why));
        if let Some(earlier) = &claim.paid {
            return match earlier.reference == reference {
                true => Ok(None),
                false => conflict(format!("The claim was paid before, by {}.", earlier.reference.as_str())),
            };
        }
        claim.state.move_to(ClaimState::Paid).map_err(Error::Refused)?;
        let now = self.clock.now(claim.partner);
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
    async fn judge_papers(&self, claim: &Claim, waived: &[WaivedPaper]) -> Result<(), Error> {
        let missing = self.missing_papers(claim).await?;
        if let Some(other) = waived.iter().find(|waived| !missing.contains(&waived.paper)) {
            return Err(Error::Conflict(format!("{} is not a required paper that is missing.", other.paper)));
        }
        let is_waived = |paper: &String| waived.iter().any(|waived| waived.paper == *paper);
        let open: Vec<String> = missing.into_iter().filter(|paper| !is_waived(paper)).collect();
        match open.is_empty() {
            true => Ok(()),
            false => Err(Error::Conflict(format!(
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
    ) -> Result<ClaimWithdrawal, Error> {
        let policy = self.policies.find(of, self.find(of, id).await?.policy).await?;
        // Whoever changes the claim changes the policy, so that this is the claim of that policy's version or the act is lost.
        let claim = self.find(of, id).await?;
        let mut history = self.storage.claim_history(of, id).await?;
        let mut underway = Underway::resumed(claim, self.clock.now(of));
        underway.go(by, ClaimState::Withdrawn, Some(reason)).map_err(Error::Refused)?;
        let (claim, moves) = underway.into_parts();
        history.extend(moves.iter().cloned());
        let shown = ClaimShown { claim: claim.clone(), today: self.clock.today(of) };
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
    ) -> Result<Outcome<Claim>, Error> {
        let claim = withdrawal.change.claim.clone();
        let kept = match self.keep_change(withdrawal.change, response.as_ref()).await? {
            PolicyChanged::Done => Kept::New,
            PolicyChanged::Twin => Kept::Twin,
            PolicyChanged::Lost => {
                let now = self.find(claim.partner, claim.id).await?.state;
                now.move_to(ClaimState::Withdrawn).map_err(Error::Refused)?;
                return Err(Error::Conflict("The policy was changed at the same time. Try again.".into()));
            }
        };
        self.idempotency.outcome(kept, claim, response).await
    }

    /// Changes a claim in the version of its policy in which both were read. What comes in between is waited out.
    async fn change(&self, id: ClaimId, step: &ClaimStep) -> Result<Claim, Error> {
        let of = self.owner(id).await?;
        let Claim { policy, notice, .. } = self.find(of, id).await?;
        for _ in 0..ATTEMPTS {
            let policy = self.policies.find(of, policy).await?;
            let claims = self.policies.claims_on(&policy).await?;
            let cover = self.policies.cover_on(&policy, notice.event_on, claims).await?;
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
            if self.keep_change(change, None).await? == PolicyChanged::Done {
                return Ok(claim);
            }
        }
        Err(Error::Conflict("The policy is being changed just now. Please try again.".into()))
    }

    async fn keep_change(
        &self,
        change: ClaimChange,
        response: Option<&KeptResponse>,
    ) -> Result<PolicyChanged, Error> {
        let ClaimChange { policy, claim, moves, ended_by } = change;
        let (id, state) = (claim.id, claim.state);
        let at = claim.changed_at;
        let claim = Claim { version: claim.version + 1, ..claim };
        let mut events = self.events.of_claim(&claim, &moves);
        let claim_act = ClaimAct { claim: &claim, is_new: false, moves: &moves };
        let changed = on_any_policy!(policy, before => {
            let (after, policy_moves) = match ended_by {
                Some(by) => terminated(&before, by, at)?,
                None => ((*before).clone(), Vec::new()),
            };
            events.extend(self.events.of_policy(&before, &after, &policy_moves, at));
            let act = PolicyAct {
                moves: &policy_moves,
                claim: Some(claim_act),
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
) -> Result<(Policy<L>, Vec<Move<PolicyState>>), Error> {
    let mut policy = policy.clone();
    if policy.state.move_to(PolicyState::Terminated).is_err() {
        return Ok((policy, Vec::new()));
    }
    refuse_open_endorsement(&mut policy, at);
    let mut underway = Underway::resumed(policy, at);
    underway.go(by, PolicyState::Terminated, None).map_err(Error::Refused)?;
    Ok(underway.into_parts())
}

pub(crate) fn unknown_claim(id: ClaimId) -> Error {
    Error::Unknown { what: "claim", id: id.to_string() }
}
