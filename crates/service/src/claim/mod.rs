//! Claims from the first notice of a loss on (D81, D82). `settlement` decides and pays claims.
//!
//! Uses `error`, `line`, `list`, `outside`, `partner`, `policy`, `shared`.
//!

pub mod insurer;
pub mod paper;
pub mod settlement;

use std::cmp::Reverse;
use std::sync::Arc;

use domain::claim::{Claim, ClaimKind, ClaimNotice, ClaimState, WantedPaper};
use domain::date::{Date, Timestamp, day_of};
use domain::id::{ClaimId, PartnerId, PolicyId};
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::proposal::{Actor, Move, Underway};
use rating::ClaimRules;

use crate::error::{ConflictReason, Error, Fault, Faults, Result};
use crate::line::Covered;
use crate::list::cursor::ListKind;
use crate::list::{ListAsk, ListPage, Lists};
use crate::partner::PartnerService;
use crate::policy::PolicyService;
use crate::policy::claim_cover::{ClaimCover, CoverOnDay};
use crate::shared::Shared;
use crate::shared::claim_limits::bounds_of_day;
use crate::shared::idempotency::{Draft, KeptResponse, Outcome};
use crate::storage::Kept;
use crate::storage::claims::ClaimAct;
use crate::storage::lists::{ListPosition, Page, Selection};
use crate::storage::policies::{PolicyAct, PolicyChanged};

/// Most attempts to save a claim while its policy changes.
pub(crate) const ATTEMPTS: u32 = 64;

/// New claim that is not saved yet.
#[derive(Debug)]
pub struct ClaimDraft {
    pub claim: Claim,
    moves: Vec<Move<ClaimState>>,
}

impl ClaimDraft {
    /// Status changes of the new claim: only the first notice.
    pub fn moves(&self) -> &[Move<ClaimState>] {
        &self.moves
    }
}

impl Draft for ClaimDraft {
    fn at(&self) -> Timestamp {
        self.claim.created_at
    }
}

/// Claim with today's date, so that its deadlines can be judged.
pub struct ClaimShown {
    pub claim: Claim,
    /// Today's date in Asia/Kolkata, on the partner's clock.
    pub today: Date,
}

/// A claim with its history.
pub struct ClaimView {
    pub shown: ClaimShown,
    /// Every status change, oldest first, including the first notice.
    pub history: Vec<Move<ClaimState>>,
}

/// Takes, shows and settles claims.
pub struct ClaimService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
    pub(crate) partners: Arc<PartnerService>,
    pub(crate) lists: Arc<Lists>,
}

impl ClaimService {
    /// Makes a claim on a partner's policy without saving it.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Invalid`] with every fault of the notice; [`Error::Conflict`] if this
    /// service takes no claims on the product.
    pub async fn intimate(
        &self,
        of: PartnerId,
        policy: PolicyId,
        notice: ClaimNotice,
        by: Actor,
    ) -> Result<ClaimDraft> {
        let policy = self.policies.find(of, policy).await?;
        let cover = self.policies.cover_on(&policy, notice.event_on).await?;
        self.intimate_one(&policy, &cover, notice, by)
    }

    fn intimate_one(
        &self,
        policy: &Policy,
        cover: &CoverOnDay,
        notice: ClaimNotice,
        by: Actor,
    ) -> Result<ClaimDraft> {
        let now = self.shared.partner_clock.now(policy.partner);
        let covered = cover.covered();
        let rules = self.rules(covered)?;
        let mut faults = Faults::default();
        let mut fault = |field: &str, message: String| faults.0.push(Fault { field: field.into(), message });
        let rule = rules.of(notice.kind).filter(|_| cover.pays_for(notice.kind));
        if rule.is_none() {
            let kinds = rules.kinds.iter().map(|rule| rule.kind).filter(|kind| cover.pays_for(*kind));
            let known: Vec<&str> = kinds.map(ClaimKind::word).collect();
            fault(
                "kind",
                format!("Must be {}: the policy pays for no other kind of claim.", known.join(" or ")),
            );
        }
        let member = usize::from(notice.member).checked_sub(1).and_then(|index| covered.members.get(index));
        if member.is_none() {
            fault("member", format!("Must be the number of a member, from 1 to {}.", covered.members.len()));
        }
        match cover.judge(&notice, day_of(now)) {
            // `keep` reports this conflict, and names the claim that was made before.
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
            id: self.shared.ids.make(),
            partner: policy.partner,
            policy: policy.id,
            line: policy.line(),
            session: policy.session,
            reference: policy.reference.clone(),
            created_at: now,
            notice,
            member_name: member.name.clone(),
            state: ClaimState::Intimated,
            changed_at: now,
            version: 1,
            wanted: wanted.collect(),
            clocks: rules.clocks_on(day_of(now)),
            investigated: false,
            approved: None,
            deducted: None,
            transfers: Vec::new(),
            paid: None,
            waived: Vec::new(),
            asked: None,
        };
        let (claim, moves) = Underway::first_known(claim, by, now).into_parts();
        Ok(ClaimDraft { claim, moves })
    }

    /// Claim rules of the policy's product.
    fn rules(&self, covered: &Covered) -> Result<Arc<ClaimRules>> {
        let rules = self.policies.sold_as(covered).and_then(|product| product.claims.clone());
        rules.ok_or_else(|| {
            Error::conflict_of(
                ConflictReason::NotOffered,
                format!(
                    "This service takes no claims on policies of this product. Report the claim to the insurer: {}.",
                    covered.insurer
                ),
            )
        })
    }

    /// Saves a claim with its policy, in one transaction with its response if the request has an idempotency
    /// key. If the same claim arrives several times, only one is saved.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the same claim was made before, or the policy has its maximum of claims;
    /// [`Error::LimitReached`] if the partner has made its maximum of claims today; [`Error::Invalid`] if the
    /// policy meanwhile ended before the loss.
    pub async fn keep(&self, draft: ClaimDraft, response: Option<KeptResponse>) -> Result<Outcome<Claim>> {
        let (of, id) = (draft.claim.partner, draft.claim.policy);
        for _ in 0..ATTEMPTS {
            let policy = self.policies.find(of, id).await?;
            let cover = self.policies.cover_on(&policy, draft.claim.notice.event_on).await?;
            cover.judge(&draft.claim.notice, day_of(draft.at()))?;
            let kept = response.as_ref();
            match self.keep_one(policy, &draft, kept).await? {
                PolicyChanged::Done => {
                    let claim = draft.claim.id;
                    tracing::info!(partner.id = %of, policy.id = %id, claim.id = %claim, "claim {claim} was reported");
                    return self.shared.idempotency.outcome(Kept::New, draft.claim, response).await;
                }
                PolicyChanged::Twin => {
                    return self.shared.idempotency.outcome(Kept::Twin, draft.claim, response).await;
                }
                // The policy changed meanwhile, such as by a cancellation or another claim. Try again.
                PolicyChanged::Lost | PolicyChanged::Paid(_) => {}
            }
        }
        Err(Error::conflict_of(
            ConflictReason::ChangedMeanwhile,
            "The policy is being changed by another request. Try again.".into(),
        ))
    }

    async fn keep_one(
        &self,
        mut policy: Policy,
        draft: &ClaimDraft,
        response: Option<&KeptResponse>,
    ) -> Result<PolicyChanged> {
        self.shared.settings.claim_limits.judge_claims_of_policy(policy.claims.len())?;
        let (since, until_tomorrow) = bounds_of_day(draft.at());
        let today = self.shared.storage.count_claims_since(policy.partner, since).await?;
        // Only a partner's own claims have a daily limit, so that the operator can always enter one.
        if draft.moves.iter().any(|made| made.by == Actor::Partner) {
            self.shared.settings.claim_limits.judge_claims_of_day(today, until_tomorrow)?;
        }
        policy.claims.push(draft.claim.id);
        if policy.state == PolicyState::CancellationRequested
            && let Some(cancellation) = &mut policy.cancellation
        {
            cancellation.claimed_since.get_or_insert(draft.claim.id);
        }
        let events = self.shared.events().of_claim(&policy, &draft.claim, &draft.moves, None);
        let act = PolicyAct {
            events: &events,
            tell: self.policies.tell(&policy, draft.at()).await?,
            claim: Some(ClaimAct { claim: &draft.claim, is_new: true, moves: &draft.moves }),
            response: response.map(KeptResponse::keyed),
            ..PolicyAct::default()
        };
        Ok(self.shared.storage.change_policy(&policy, act).await?)
    }

    /// A page of a partner's claims, ordered by the day of notice.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every fault of the query.
    pub async fn list(&self, of: PartnerId, ask: ListAsk) -> Result<ListPage<ClaimShown>> {
        let list = ListKind::Claims;
        let resolved = self.lists.resolve(of, list, ask)?;
        let today = self.shared.partner_clock.today(of);
        let page = match resolved.which.clone() {
            Some(which) => {
                self.shared.storage.claims(of, which, resolved.from, resolved.limit.into()).await?
            }
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
    pub async fn view(&self, of: PartnerId, id: ClaimId) -> Result<ClaimView> {
        let claim = self.find(of, id).await?;
        let history = self.shared.storage.claim_history(of, id).await?;
        Ok(ClaimView { shown: ClaimShown { claim, today: self.shared.partner_clock.today(of) }, history })
    }

    /// Claim of a partner by its id.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub(crate) async fn find(&self, of: PartnerId, id: ClaimId) -> Result<Claim> {
        self.shared.storage.claim(of, id).await?.ok_or_else(|| unknown_claim(id))
    }

    /// Partner that owns a claim.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn owner(&self, id: ClaimId) -> Result<PartnerId> {
        self.shared.storage.owner_of_claim(id).await?.ok_or_else(|| unknown_claim(id))
    }

    /// Cover from which a claim is paid, less what other claims took.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn cover(&self, claim: &Claim) -> Result<ClaimCover> {
        let policy = self.policies.find(claim.partner, claim.policy).await?;
        Ok(self.policies.cover_on(&policy, claim.notice.event_on).await?.of_claim(claim))
    }

    /// Ids of the required documents that a claim still lacks.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn missing_papers(&self, claim: &Claim) -> Result<Vec<String>> {
        let papers = self.shared.storage.papers(claim.partner, claim.id).await?;
        let is_missing = |wanted: &&WantedPaper| {
            wanted.required && !papers.iter().any(|paper| paper.paper.as_ref() == Some(&wanted.id))
        };
        Ok(claim.wanted.iter().filter(is_missing).map(|wanted| wanted.id.clone()).collect())
    }

    /// Claims of every partner that are not settled, at most `most`. The claim with the earliest deadline
    /// comes first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn open(&self, most: usize) -> Result<Vec<ClaimShown>> {
        let open = self.shared.storage.open_claims(most).await?;
        Ok(open.into_iter().map(|claim| self.shown(claim)).collect())
    }

    /// Claims of one partner or all, settled ones included, newest first, at most `most`.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown partner.
    pub async fn of_partners(&self, partner: Option<&str>, most: usize) -> Result<Vec<ClaimShown>> {
        let of = self.partners.of_list(partner).await?;
        let mut found = Vec::new();
        for partner in of {
            found.extend(self.shared.storage.claims(partner, Selection::All, None, most).await?.records);
        }
        found.sort_by_key(|claim| Reverse((claim.created_at, claim.id)));
        found.truncate(most);
        Ok(found.into_iter().map(|claim| self.shown(claim)).collect())
    }

    /// Claim with today's date on its partner's clock.
    fn shown(&self, claim: Claim) -> ClaimShown {
        ClaimShown { today: self.shared.partner_clock.today(claim.partner), claim }
    }
}

pub(crate) fn unknown_claim(id: ClaimId) -> Error {
    Error::Unknown { what: "claim", id: id.to_string() }
}
