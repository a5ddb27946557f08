//! Claims: made known by a partner or the operator, listed and shown (D81, D82). `settlement` decides and pays them.
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
use crate::line::{Covered, SoldLine};
use crate::list::cursor::ListKind;
use crate::list::{ListAsk, ListPage, Lists};
use crate::on_any_policy;
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

/// Changes of a policy that come in between a change of a claim and its keeping and are waited out.
pub(crate) const ATTEMPTS: u32 = 64;

/// A claim that is made known, and is not kept yet.
#[derive(Debug)]
pub struct ClaimDraft {
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
    pub claim: Claim,
    /// The day, in Asia/Kolkata.
    pub today: Date,
}

/// A claim with its history.
pub struct ClaimView {
    pub shown: ClaimShown,
    /// Every move, oldest first, its notice included.
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
    ) -> Result<ClaimDraft> {
        let policy = self.policies.find(of, policy).await?;
        let cover = self.policies.cover_on(&policy, notice.event_on).await?;
        on_any_policy!(&policy, policy => self.intimate_one(policy, &cover, notice, by))
    }

    fn intimate_one<L: SoldLine>(
        &self,
        policy: &Policy<L>,
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
            id: self.shared.ids.make(),
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
    fn rules(&self, covered: &Covered) -> Result<Arc<ClaimRules>> {
        let rules = self.policies.sold_as(covered).and_then(|product| product.claims.clone());
        rules.ok_or_else(|| {
            Error::conflict_of(
                ConflictReason::NotOffered,
                format!(
                    "Claims on policies of this product are not taken here: {} takes them itself.",
                    covered.insurer
                ),
            )
        })
    }

    /// Keeps a claim with its policy, in one transaction with its response where an idempotency key came. Of several of the
    /// same claim one is kept.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the same claim was made known before, or the policy has as many as it may;
    /// [`Error::LimitReached`] if its partner has made as many today as it may; [`Error::Invalid`] if the policy ended meanwhile,
    /// before the event.
    pub async fn keep(&self, draft: ClaimDraft, response: Option<KeptResponse>) -> Result<Outcome<Claim>> {
        let (of, id) = (draft.claim.partner, draft.claim.policy);
        for _ in 0..ATTEMPTS {
            let policy = self.policies.find(of, id).await?;
            let cover = self.policies.cover_on(&policy, draft.claim.notice.event_on).await?;
            cover.judge(&draft.claim.notice, day_of(draft.at()))?;
            let kept = response.as_ref();
            match on_any_policy!(policy, policy => self.keep_one(*policy, &draft, kept).await?) {
                PolicyChanged::Done => {
                    let claim = draft.claim.id;
                    tracing::info!(partner.id = %of, policy.id = %id, claim.id = %claim, "claim {claim} was made known");
                    return self.shared.idempotency.outcome(Kept::New, draft.claim, response).await;
                }
                PolicyChanged::Twin => {
                    return self.shared.idempotency.outcome(Kept::Twin, draft.claim, response).await;
                }
                // A cancellation or another claim came in between: the next round sees it.
                PolicyChanged::Lost | PolicyChanged::Paid(_) => {}
            }
        }
        Err(Error::conflict_of(
            ConflictReason::ChangedMeanwhile,
            "The policy is being changed just now. Please try again.".into(),
        ))
    }

    async fn keep_one<L: SoldLine>(
        &self,
        mut policy: Policy<L>,
        draft: &ClaimDraft,
        response: Option<&KeptResponse>,
    ) -> Result<PolicyChanged> {
        self.shared.settings.claim_limits.judge_claims_of_policy(policy.claims.len())?;
        let (since, until_tomorrow) = bounds_of_day(draft.at());
        let today = self.shared.storage.count_claims_since(policy.partner, since).await?;
        // Who calls the operator is not turned away because of what the partner sent.
        if draft.moves.iter().any(|made| made.by == Actor::Partner) {
            self.shared.settings.claim_limits.judge_claims_of_day(today, until_tomorrow)?;
        }
        policy.claims.push(draft.claim.id);
        if policy.state == PolicyState::CancellationRequested
            && let Some(cancellation) = &mut policy.cancellation
        {
            cancellation.claimed_since.get_or_insert(draft.claim.id);
        }
        let events = self.shared.events().of_claim(&policy, &draft.claim, &draft.moves);
        let act = PolicyAct {
            events: &events,
            tell: self.policies.tell(&policy, draft.at()).await?,
            claim: Some(ClaimAct { claim: &draft.claim, is_new: true, moves: &draft.moves }),
            response: response.map(KeptResponse::keyed),
            ..PolicyAct::default()
        };
        self.change_policy(&policy, act).await
    }

    pub(crate) async fn change_policy<L: SoldLine>(
        &self,
        policy: &Policy<L>,
        act: PolicyAct<'_>,
    ) -> Result<PolicyChanged> {
        Ok(L::storage(self.shared.storage.as_ref()).change_policy(policy, act).await?)
    }

    /// A page of a partner's claims, by the day of their notice.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every fault of what is asked.
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

    /// A claim of a partner.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub(crate) async fn find(&self, of: PartnerId, id: ClaimId) -> Result<Claim> {
        self.shared.storage.claim(of, id).await?.ok_or_else(|| unknown_claim(id))
    }

    /// Whose a claim is.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn owner(&self, id: ClaimId) -> Result<PartnerId> {
        self.shared.storage.owner_of_claim(id).await?.ok_or_else(|| unknown_claim(id))
    }

    /// The cover that a claim draws on.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn cover(&self, claim: &Claim) -> Result<ClaimCover> {
        let policy = self.policies.find(claim.partner, claim.policy).await?;
        Ok(self.policies.cover_on(&policy, claim.notice.event_on).await?.of_claim(claim))
    }

    /// The required papers of a claim that nobody sent yet.
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

    /// Claims of every partner that are not settled, the one that is due first before the others; at most `most`.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn open(&self, most: usize) -> Result<Vec<ClaimShown>> {
        let open = self.shared.storage.open_claims(most).await?;
        Ok(open.into_iter().map(|claim| self.shown(claim)).collect())
    }

    /// Claims of every partner or of one, settled ones included, newest first; at most `most`.
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

    /// A claim on the day of its partner.
    fn shown(&self, claim: Claim) -> ClaimShown {
        ClaimShown { today: self.shared.partner_clock.today(claim.partner), claim }
    }
}

pub(crate) fn unknown_claim(id: ClaimId) -> Error {
    Error::Unknown { what: "claim", id: id.to_string() }
}
