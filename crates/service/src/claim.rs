//! Claims: made known by a partner or the operator, decided by the insurer through the operator, and paid (D81 to D83).

use std::cmp::Reverse;
use std::sync::Arc;

use domain::claim::{Claim, ClaimNotice, ClaimPayment, ClaimState, WantedPaper};
use domain::date::{Date, Timestamp, day_of};
use domain::id::{ClaimId, PartnerId, PolicyId};
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::premium::PaymentReference;
use domain::proposal::{Actor, Move, RefusedMove, Underway};
use rating::ClaimRules;

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
use crate::storage::claims::NewClaim;
use crate::storage::lists::{ListPosition, ListStart, Page, Selection};
use crate::storage::policies::{PolicyAct, PolicyChanged};
use crate::storage::{AnyPolicy, Claims, Kept, Lines};

/// Changes of a policy between the notice of a claim and its keeping that are waited out.
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

/// Takes, shows and settles claims.
pub struct ClaimService {
    pub(crate) storage: Arc<dyn Claims>,
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
        on_any_policy!(&policy, policy => self.intimate_one(policy, notice, by).await)
    }

    async fn intimate_one<L: SoldLine>(
        &self,
        policy: &Policy<L>,
        notice: ClaimNotice,
        by: Actor,
    ) -> Result<ClaimDraft, Error> {
        let now = self.clock.now(policy.partner);
        let covered = self.policies.covered(policy).await?;
        let rules = self.rules(&covered)?;
        let mut faults = Faults::default();
        let mut fault = |field: &str, message: String| faults.0.push(Fault { field: field.into(), message });
        let rule = rules.of(notice.kind);
        if rule.is_none() {
            let known: Vec<&str> = rules.kinds.iter().map(|rule| rule.kind.word()).collect();
            fault(
                "kind",
                format!(
                    "A kind that this policy does not pay for was found; one of {} is wanted.",
                    known.join(", ")
                ),
            );
        }
        let member = usize::from(notice.member).checked_sub(1).and_then(|index| covered.members.get(index));
        if member.is_none() {
            let most = covered.members.len();
            fault(
                "member",
                format!(
                    "A member whom this policy does not have was found; a number from 1 to {most} is wanted."
                ),
            );
        }
        if let Some(message) = not_covered(policy, &covered, notice.event_on, day_of(now)) {
            fault("event_on", message);
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
    /// [`Error::Conflict`] where the same claim was made known before, or the policy has as many as it may;
    /// [`Error::LimitReached`] where its partner has made as many today as it may; [`Error::Invalid`] where the policy ended
    /// meanwhile, before the event.
    pub async fn keep(
        &self,
        draft: ClaimDraft,
        response: Option<KeptResponse>,
    ) -> Result<Outcome<Claim>, Error> {
        let (of, id) = (draft.claim.partner, draft.claim.policy);
        for _ in 0..ATTEMPTS {
            let policy = self.policies.find(of, id).await?;
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
                PolicyChanged::ClaimedBefore => return Err(self.claimed_before(&draft.claim).await),
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
        let covered = self.policies.covered(&policy).await?;
        let (event_on, today) = (draft.claim.notice.event_on, day_of(draft.at()));
        if let Some(message) = not_covered(&policy, &covered, event_on, today) {
            return Err(Error::invalid("event_on", message));
        }
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
            claim: Some(NewClaim { claim: &draft.claim, moves: &draft.moves }),
            response: response.map(KeptResponse::keyed),
            ..PolicyAct::default()
        };
        Ok(L::storage(self.lines.as_ref()).change_policy(&policy, act).await?)
    }

    /// The claim that was made known before this one.
    async fn claimed_before(&self, claim: &Claim) -> Error {
        let notice = &claim.notice;
        let is_same = |other: &&Claim| {
            let other = &other.notice;
            (other.member, other.kind, other.event_on) == (notice.member, notice.kind, notice.event_on)
        };
        match self.storage.claims_on(claim.partner, claim.policy).await {
            Err(fault) => fault.into(),
            Ok(claims) => {
                let id =
                    claims.iter().find(is_same).map_or_else(String::new, |other| format!(": {}", other.id));
                Error::Conflict(format!(
                    "A claim of this kind for this member and this day was made known before{id}."
                ))
            }
        }
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

    /// The claims on a policy as it was read, oldest first: none that was made known since.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn on_policy(&self, policy: &AnyPolicy) -> Result<Vec<Claim>, Error> {
        on_any_policy!(policy, policy => {
            if policy.claims.is_empty() {
                return Ok(Vec::new());
            }
            let mut claims = self.storage.claims_on(policy.partner, policy.id).await?;
            claims.retain(|claim| policy.claims.contains(&claim.id));
            Ok(claims)
        })
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
    /// [`Error::Unknown`]; [`Error::Refused`] for a move that its states do not have; [`Error::Conflict`] for an approval
    /// without an amount or above the sum insured, an amount beside another decision, and a refusal without a reason.
    pub async fn decide(&self, id: ClaimId, by: Actor, verdict: ClaimVerdict) -> Result<Claim, Error> {
        let conflict = |why: String| Err(Error::Conflict(why));
        let of = self.owner(id).await?;
        let claim = self.find(of, id).await?;
        let ClaimVerdict { state, approved, reason } = verdict;
        if state == ClaimState::Paid {
            return conflict("A payment is noted with its reference.".into());
        }
        claim.state.move_to(state).map_err(Error::Refused)?;
        if (state == ClaimState::Approved) != approved.is_some() {
            return conflict("An approval has an amount, and nothing else has.".into());
        }
        if matches!(state, ClaimState::Rejected | ClaimState::Repudiated) && reason.is_none() {
            return conflict("The claimant is told why nothing is paid: a reason is wanted.".into());
        }
        if let Some(approved) = approved {
            let policy = self.policies.find(of, claim.policy).await?;
            let most = on_any_policy!(&policy, policy => policy.sum_insured_on(claim.notice.event_on));
            if approved == Rupees::ZERO || approved > most {
                return conflict(format!(
                    "An amount above nought and at most {}, the sum insured, is approved.",
                    most.grouped()
                ));
            }
        }
        let mut underway = Underway::resumed(Claim { approved, ..claim }, self.clock.now(of));
        underway.go(by, state, reason).map_err(Error::Refused)?;
        self.change(underway).await
    }

    /// Notes that the insurer paid an approved claim. The same reference again changes nothing. `amount` is what was paid with
    /// the interest for paying late, where somebody says it.
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::Refused`], [`Error::Conflict`] where another payment was noted, or the amount is another.
    pub async fn paid(
        &self,
        id: ClaimId,
        by: Actor,
        reference: PaymentReference,
        paid_on: Date,
        amount: Option<Rupees>,
    ) -> Result<Claim, Error> {
        let conflict = |why: String| Err(Error::Conflict(why));
        let of = self.owner(id).await?;
        let claim = self.find(of, id).await?;
        if let Some(earlier) = &claim.paid {
            if earlier.reference == reference {
                return Ok(claim);
            }
            return conflict(format!("The claim was paid before, by {}.", earlier.reference.as_str()));
        }
        claim.state.move_to(ClaimState::Paid).map_err(Error::Refused)?;
        let now = self.clock.now(of);
        if paid_on > day_of(now) || paid_on < day_of(claim.created_at) {
            return conflict("A claim is paid on a day from its notice until today.".into());
        }
        let interest = claim.interest_on(paid_on);
        let approved = claim.approved.unwrap_or(Rupees::ZERO);
        if amount.is_some_and(|amount| amount != approved + interest) {
            return conflict(format!(
                "{} is owed on that day, {} of it interest, and another amount was named.",
                (approved + interest).grouped_with_paise(),
                interest.grouped_with_paise()
            ));
        }
        let paid = Some(ClaimPayment { reference, paid_on, interest });
        let mut underway = Underway::resumed(Claim { paid, ..claim }, now);
        underway.go(by, ClaimState::Paid, None).map_err(Error::Refused)?;
        self.change(underway).await
    }

    async fn change(&self, underway: Underway<Claim>) -> Result<Claim, Error> {
        let (claim, moves) = underway.into_parts();
        let events = self.events.of_claim(&claim, &moves);
        if self.storage.change_claim(&claim, &moves, &events).await? {
            let (id, state) = (claim.id, claim.state);
            tracing::info!(partner.id = %claim.partner, claim.id = %id, claim.state = %state, "claim {id} moved to {state}");
            return Ok(claim);
        }
        let to = claim.state.word();
        let now = self.find(claim.partner, claim.id).await?;
        Err(Error::Refused(RefusedMove::NoSuchTransition { from: now.state.word(), to }))
    }
}

/// Why a policy did not cover on the day of an event, as the rest of a response. `None` where it did.
fn not_covered<L: SoldLine>(
    policy: &Policy<L>,
    covered: &Covered,
    event_on: Date,
    today: Date,
) -> Option<String> {
    let first = covered.starts.unwrap_or_else(|| day_of(policy.issued_at));
    let ended = match policy.state {
        // The day of the request is the last day of cover (D68).
        PolicyState::Cancelled => {
            policy.cancellation.as_ref().map(|cancellation| day_of(cancellation.asked_at))
        }
        _ => None,
    };
    let last = ended.map_or(policy.last_day(), |ended| ended.min(policy.last_day()));
    if event_on > today {
        return Some("A day after today was found; the day of the event is wanted.".into());
    }
    (event_on < first || event_on > last).then(|| {
        format!("A day on which the policy did not cover was found; one from {first} to {last} is wanted.")
    })
}

pub(crate) fn unknown_claim(id: ClaimId) -> Error {
    Error::Unknown { what: "claim", id: id.to_string() }
}
