//! Policies of every line of business for their partners and operators (D66, D67).
//!
//! Uses `access`, `error`, `event`, `insurer`, `line`, `list`, `partner`, `shared`.
//!

pub mod cancellation;
pub(crate) mod change;
pub mod claim_cover;
pub mod document;
pub mod endorsement;
pub mod health;
pub mod refund;
pub(crate) mod renewable;

use std::cmp::Reverse;
use std::sync::Arc;

use domain::cancellation::CancellationReason;
use domain::claim::{Claim, ClaimKind};
use domain::date::{Date, Timestamp, day_of};
use domain::endorsement::EndorsementKind;
use domain::id::{PartnerId, PolicyId, ProposalId};
use domain::identifier::Identifier;
use domain::line::LineOfBusiness;
use domain::period::Period;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::proposal::{Move, Proposal};
use rating::{Catalogue, Product};

use crate::error::{Error, Result};
use crate::line::{Covered, SoldLine, by_line};
use crate::list::cursor::ListKind;
use crate::list::{ListAsk, ListPage, Lists};
use crate::partner::PartnerService;
use crate::policy::claim_cover::{BenefitLeft, CoverOnDay};
use crate::policy::document::PolicyDocumentService;
use crate::policy::renewable::can_be_renewed;
use crate::shared::Shared;
use crate::storage::Identified;
use crate::storage::lists::{Beyond, ListPosition, ListStart, Page, Selection};

/// A day before the first day of every policy.
const FIRST_DAY: Date = Date::constant(1900, 1, 1);

/// Most proposals with one identifier whose policies are looked for.
const MOST_PROPOSALS: usize = 100_000;

/// Policies per page of an export.
pub(crate) const EXPORTED_AT_ONCE: usize = 500;

/// Policy with its cover and today's date, from which its state follows.
#[derive(Clone)]
pub struct PolicyShown {
    pub policy: Policy,
    pub covered: Covered,
    /// Today's date in Asia/Kolkata, on the partner's clock.
    pub today: Date,
}

/// Everything that a partner may know about a policy.
pub struct PolicyView {
    pub shown: PolicyShown,
    /// New download address of the policy's certificate. `None` for an imported policy.
    pub certificate: Option<String>,
    /// Every status change after the issue, oldest first.
    pub history: Vec<Move<PolicyState>>,
    /// Reasons for which the policy can be cancelled now.
    pub may_cancel_for: Vec<CancellationReason>,
    /// Kinds of endorsement that can be requested for the policy now.
    pub may_endorse: Vec<EndorsementKind>,
    /// Kinds of claim that can be made through this service. Empty if only the insurer takes claims.
    pub may_claim_for: Vec<ClaimKind>,
    /// Benefits with what claims leave of each today, or on the policy's last day. Empty if only the insurer
    /// takes claims.
    pub cover_left: Vec<BenefitLeft>,
    /// Claims on the policy, oldest first.
    pub claims: Vec<Claim>,
    /// First and last day on which the policy can be renewed. `None` if it cannot be renewed.
    pub renewable: Option<Period>,
    /// Whether the policy can be renewed now.
    pub may_renew: bool,
}

impl PolicyShown {
    /// State of the policy on `today`.
    pub fn state(&self) -> PolicyState {
        self.policy.state_on(self.today)
    }

    /// Time since which the policy has this state.
    pub fn state_since(&self) -> Timestamp {
        self.policy.state_since(self.today)
    }
}

/// Value by which a policy is searched.
#[derive(Debug, Clone)]
pub enum PolicySought {
    /// Policy number of this service or of the insurer, as it is written.
    Number(String),
    /// Identifier of the customer or of the sale (D79).
    Known(Identifier),
}

/// Pages of a partner's policies.
pub struct PolicyPages<'a> {
    policies: &'a PolicyService,
    of: PartnerId,
    which: Selection,
    in_full: bool,
    from: Option<ListStart>,
}

impl PolicyPages<'_> {
    /// Next page, with the number of policies on all pages. `None` after the last page.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn next(&mut self) -> Result<Option<(Vec<PolicyShown>, u64)>> {
        let Some(from) = self.from.take() else { return Ok(None) };
        let (policies, today) = (self.policies, self.policies.today_of(self.of));
        let page = policies
            .shared
            .storage
            .policies(self.of, None, self.which.clone(), from, EXPORTED_AT_ONCE, today)
            .await?;
        let Some(last) = page.records.last().map(position_of) else { return Ok(None) };
        self.from = page.has_older.then_some(Some(Beyond::After(last)));
        if !self.in_full {
            return Ok(Some((policies.in_short(page.records).await?, page.count)));
        }
        let mut shown = Vec::with_capacity(page.records.len());
        for policy in page.records {
            shown.push(policies.shown(policy, today).await?);
        }
        Ok(Some((shown, page.count)))
    }
}

pub struct PolicyService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) documents: Arc<PolicyDocumentService>,
    pub(crate) partners: Arc<PartnerService>,
    pub(crate) lists: Arc<Lists>,
}

impl PolicyService {
    /// Today in Asia/Kolkata, by the real clock.
    pub fn today(&self) -> Date {
        day_of(self.shared.partner_clock.real())
    }

    /// Today on a partner's clock, by which its policies are judged.
    pub fn today_of(&self, of: PartnerId) -> Date {
        self.shared.partner_clock.today(of)
    }

    /// A page of a partner's policies of every line of business, ordered by the day of issue. It lacks data
    /// that only the proposals have, such as the insured persons.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every fault of the query (D67).
    pub async fn list(&self, of: PartnerId, ask: ListAsk) -> Result<ListPage<PolicyShown>> {
        let list = ListKind::AnyPolicies;
        let resolved = self.lists.resolve(of, list, ask)?;
        let today = self.today_of(of);
        let page = match resolved.which.clone() {
            Some(which) => {
                self.shared
                    .storage
                    .policies(of, None, which, resolved.from, resolved.limit.into(), today)
                    .await?
            }
            None => Page::default(),
        };
        let Page { records, has_newer, has_older, count } = page;
        let page = Page { records: self.in_short(records).await?, has_newer, has_older, count };
        Ok(self.lists.page(of, list, resolved, page, |shown| position_of(&shown.policy)))
    }

    /// Policies of one partner or all, newest first, at most `most`. If `state` is given, it returns only
    /// policies in that state.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown partner.
    pub async fn of_partners(
        &self,
        partner: Option<&str>,
        state: Option<PolicyState>,
        most: usize,
    ) -> Result<Vec<PolicyShown>> {
        Ok(self.page_of_partners(partner, state, None, most).await?.0)
    }

    /// Like [`PolicyService::of_partners`], but only policies that come after the policy `after`. Also returns the
    /// number of all that match.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown partner or policy.
    pub async fn page_of_partners(
        &self,
        partner: Option<&str>,
        state: Option<PolicyState>,
        after: Option<PolicyId>,
        most: usize,
    ) -> Result<(Vec<PolicyShown>, u64)> {
        let of = self.partners.of_list(partner).await?;
        let start = match after {
            Some(id) => Some(Beyond::After(position_of(&self.find(self.owner(id).await?, id).await?))),
            None => None,
        };
        let (mut found, mut count) = (Vec::new(), 0);
        for partner in of {
            let today = self.today_of(partner);
            let ever = Period { first: FIRST_DAY, last: today };
            let which = state.map_or(Selection::All, |state| Selection::PeriodIn(ever, state));
            let page = self.shared.storage.policies(partner, None, which, start, most, today).await?;
            count += page.count;
            found.extend(page.records);
        }
        found.sort_by_key(|policy| Reverse(position_of(policy)));
        found.truncate(most);
        Ok((self.all_shown(found).await?, count))
    }

    /// Policies of one partner or all that match a policy number or an identifier. Newest first, at most
    /// `most`.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown partner.
    pub async fn find_by(
        &self,
        partner: Option<&str>,
        by: &PolicySought,
        most: usize,
    ) -> Result<Vec<PolicyShown>> {
        let of = self.partners.of_list(partner).await?;
        let mut found = match by {
            PolicySought::Number(number) => self.shared.storage.policies_numbered(&of, number, most).await?,
            PolicySought::Known(by) => self.identified(&of, by, most).await?,
        };
        found.sort_by_key(|policy| Reverse(position_of(policy)));
        found.dedup_by_key(|policy| policy.id);
        found.truncate(most);
        self.all_shown(found).await
    }

    /// Policies of any partner with this number, which this service or the insurer assigned, at most `most`.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn numbered(&self, number: &str, most: usize) -> Result<Vec<PolicyId>> {
        let all: Vec<PartnerId> = self.partners.all().await?.iter().map(|record| record.partner.id).collect();
        let found = self.shared.storage.policies_numbered(&all, number, most).await?;
        Ok(found.iter().map(|policy| policy.id).collect())
    }

    /// Policies of some partners that have an identifier, or whose proposal has it.
    async fn identified(&self, of: &[PartnerId], by: &Identifier, most: usize) -> Result<Vec<Policy>> {
        let mut found = Vec::new();
        for (of, id) in self.shared.storage.identified(of, Identified::Policy, by, most).await? {
            found.extend(self.shared.storage.policy(of, PolicyId::from_uuid(id)).await?);
        }
        for line in LineOfBusiness::ALL {
            let kind = Identified::Proposal(*line);
            // The limit is for policies, and many proposals have none.
            for (of, id) in self.shared.storage.identified(of, kind, by, MOST_PROPOSALS).await? {
                found.extend(self.shared.storage.policy_of(of, ProposalId::from_uuid(id)).await?);
            }
        }
        Ok(found)
    }

    /// Pages of a partner's policies, newest first: every policy, or those issued on some days. `in_full`
    /// adds data that only the proposals have, such as the insured persons.
    pub fn pages(&self, of: PartnerId, days: Option<Period>, in_full: bool) -> PolicyPages<'_> {
        let which = days.map_or(Selection::All, Selection::Period);
        PolicyPages { policies: self, of, which, in_full, from: Some(None) }
    }

    /// Policies as lists show them, without data that only the proposals have.
    pub(crate) async fn in_short(&self, policies: Vec<Policy>) -> Result<Vec<PolicyShown>> {
        let mut shown = Vec::with_capacity(policies.len());
        for policy in policies {
            let covered = self.covered_in_short(&policy).await?;
            let today = self.today_of(policy.partner);
            shown.push(PolicyShown { policy, covered, today });
        }
        Ok(shown)
    }

    /// Policy of a partner, with everything that the partner may know.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn view(&self, of: PartnerId, id: PolicyId) -> Result<PolicyView> {
        let shown = self.shown(self.find(of, id).await?, self.today_of(of)).await?;
        let policy = &shown.policy;
        let history = until_it_stood_so(self.shared.storage.policy_history(of, id).await?, policy);
        let issued_for = policy.proposal;
        let product = self.sold_as(&shown.covered);
        let rules = product.as_ref().and_then(|product| product.cancellation.clone());
        let claims = product.as_ref().and_then(|product| product.claims.clone());
        let claims_made = self.claims_on(policy).await?;
        let has_claim = claims_made.iter().any(|claim| claim.state.counts());
        let may_cancel_for = match (shown.state(), rules) {
            (PolicyState::Issued, Some(rules)) => {
                rules.reasons(has_claim, policy.renews().is_some()).collect()
            }
            _ => Vec::new(),
        };
        let endorsements = product.as_ref().and_then(|product| product.endorsements.clone());
        let may_endorse = match (shown.state(), endorsements) {
            (PolicyState::Issued, Some(rules)) if policy.open_endorsement().is_none() => {
                rules.kinds(day_of(policy.issued_at), shown.today, has_claim).collect()
            }
            _ => Vec::new(),
        };
        let last_day = policy.last_day();
        let renewals = product.as_ref().and_then(|product| product.renewals.as_ref());
        let renewable = renewals
            .zip(policy.renewable_until)
            .map(|(rules, last)| Period { first: rules.first_day(last_day), last });
        let may_renew = renewals.is_some_and(|rules| can_be_renewed(policy, rules, shown.today).is_ok());
        let day = shown.today.min(last_day);
        let cover = self.cover_of(&shown, day, claims_made).await?;
        let kinds = claims.iter().flat_map(|rules| &rules.kinds).map(|rule| rule.kind);
        Ok(PolicyView {
            cover_left: cover.left_on(day),
            renewable,
            may_renew,
            certificate: issued_for.map(|proposal| self.documents.signed_address(of, proposal)),
            history,
            may_cancel_for,
            may_endorse,
            may_claim_for: kinds.filter(|kind| cover.pays_for(*kind)).collect(),
            claims: cover.into_claims(),
            shown,
        })
    }

    /// Policy of a partner by its id.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub(crate) async fn find(&self, of: PartnerId, id: PolicyId) -> Result<Policy> {
        self.shared.storage.policy(of, id).await?.ok_or_else(|| unknown_policy(id))
    }

    /// Partner that owns a policy.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn owner(&self, id: PolicyId) -> Result<PartnerId> {
        self.shared.storage.owner_of_policy(id).await?.ok_or_else(|| unknown_policy(id))
    }

    /// Partner that owns a policy, if it is no test partner.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] for a policy of a test partner.
    pub(crate) async fn live_owner(&self, id: PolicyId) -> Result<PartnerId> {
        let of = self.owner(id).await?;
        match self.shared.partner_clock.is_test(of) {
            true => Err(Error::conflict("The policy belongs to a test partner: it insures nobody.".into())),
            false => Ok(of),
        }
    }

    /// Policies with an open endorsement, at most `most`. The oldest request comes first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn endorsements_open(&self, most: usize) -> Result<Vec<PolicyShown>> {
        self.all_shown(self.shared.storage.endorsements_open(most).await?).await
    }

    /// Policies whose insurer owes a refund, at most `most`. The earliest due date comes first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn refunds_owed(&self, most: usize) -> Result<Vec<PolicyShown>> {
        self.all_shown(self.shared.storage.refunds_owed(most).await?).await
    }

    /// Policies with all data that their proposals have, such as the insured persons.
    pub(crate) async fn all_shown(&self, policies: Vec<Policy>) -> Result<Vec<PolicyShown>> {
        let mut shown = Vec::with_capacity(policies.len());
        for policy in policies {
            let today = self.today_of(policy.partner);
            shown.push(self.shown(policy, today).await?);
        }
        Ok(shown)
    }

    /// Policy with its cover.
    pub(crate) async fn shown(&self, policy: Policy, today: Date) -> Result<PolicyShown> {
        let covered = self.covered(&policy).await?;
        Ok(PolicyShown { policy, covered, today })
    }

    /// Policy as it was after its first `endorsements` endorsements.
    pub(crate) async fn as_of_endorsement(
        &self,
        policy: &Policy,
        endorsements: usize,
        today: Date,
    ) -> Result<PolicyShown> {
        by_line!(policy.line(), L => {
            let lost = || Error::Internal(format!("the proposal of {} is missing", policy.id));
            let proposal = self.proposal_of::<L>(policy).await?.ok_or_else(lost)?;
            let policy = policy.as_of_endorsement(endorsements, &proposal).ok_or_else(lost)?;
            let covered = self.covered_by(&policy, Some(&proposal)).await?;
            Ok(PolicyShown { policy, covered, today })
        })
    }

    /// The proposal of a policy. `None` for an imported policy.
    async fn proposal_of<L: SoldLine>(&self, policy: &Policy) -> Result<Option<Proposal<L>>> {
        match policy.proposal {
            Some(id) => Ok(L::storage(self.shared.storage.as_ref()).proposal(policy.partner, id).await?),
            None => Ok(None),
        }
    }

    pub(crate) async fn covered(&self, policy: &Policy) -> Result<Covered> {
        by_line!(policy.line(), L => {
            let proposal = self.proposal_of::<L>(policy).await?;
            self.covered_by(policy, proposal.as_ref()).await
        })
    }

    /// Cover of a policy, without data that only its proposal has.
    pub(crate) async fn covered_in_short(&self, policy: &Policy) -> Result<Covered> {
        by_line!(policy.line(), L => self.covered_by::<L>(policy, None).await)
    }

    /// Cover of a policy. `proposal` adds data that only the proposal has.
    pub(crate) async fn covered_by<L: SoldLine>(
        &self,
        policy: &Policy,
        proposal: Option<&Proposal<L>>,
    ) -> Result<Covered> {
        let catalogue = self.own_catalogue(policy).await?;
        L::covered(policy, proposal, catalogue.as_deref())
    }

    /// Catalogue version of a policy. `None` for an imported policy.
    pub(crate) async fn own_catalogue(&self, policy: &Policy) -> Result<Option<Arc<Catalogue>>> {
        match policy.cover.catalogue() {
            Some(hash) => Ok(Some(self.shared.catalogues.version(hash).await?)),
            None => Ok(None),
        }
    }

    /// Product of a policy in the running catalogue, because its current cancellation rules apply. If the
    /// running catalogue lacks the product, the product as it was sold (D68). `None` for an imported policy.
    pub(crate) fn sold_as(&self, covered: &Covered) -> Option<Arc<Product>> {
        let sold = covered.product.clone()?;
        let running = self.shared.catalogues.running();
        Some(running.product(sold.id).map_or(sold, |product| Arc::new(product.clone())))
    }
}

impl PolicyService {
    /// Claims that a policy had when it was read, oldest first. Claims that were made later are left out.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn claims_on(&self, policy: &Policy) -> Result<Vec<Claim>> {
        if policy.claims.is_empty() {
            return Ok(Vec::new());
        }
        let mut claims = self.shared.storage.claims_on(policy.partner, policy.id).await?;
        claims.retain(|claim| policy.claims.contains(&claim.id));
        Ok(claims)
    }

    /// Policy as it was on a day, with the claims on it.
    pub(crate) async fn cover_on(&self, policy: &Policy, day: Date) -> Result<CoverOnDay> {
        let claims = self.claims_on(policy).await?;
        let now = self.shown(policy.clone(), self.today_of(policy.partner)).await?;
        self.cover_of(&now, day, claims).await
    }

    /// Like [`PolicyService::cover_on`], for a policy that was read together with its claims.
    async fn cover_of(&self, now: &PolicyShown, day: Date, claims: Vec<Claim>) -> Result<CoverOnDay> {
        let endorsements = now.policy.endorsements_on(day);
        let then = match endorsements == now.policy.made_endorsements().count() {
            true => now.clone(),
            false => self.as_of_endorsement(&now.policy, endorsements, now.today).await?,
        };
        // If the product took no claims at the time of the sale, its catalogue version has no benefits.
        let sold = then.covered.product.clone().filter(|product| product.benefits.iter().next().is_some());
        let product = sold.or_else(|| self.sold_as(&then.covered));
        Ok(CoverOnDay::of(&now.policy, (then.policy, then.covered), product, claims, now.today))
    }
}

impl PolicyService {
    /// Time `at`, if the policy's insurer must get a notice about an event at that time. `None` if the
    /// insurer gets no notices.
    pub(crate) async fn tell(&self, policy: &Policy, at: Timestamp) -> Result<Option<Timestamp>> {
        let covered = self.covered_in_short(policy).await?;
        let product = self.sold_as(&covered);
        Ok(product.is_some_and(|product| self.shared.catalogues.is_told(&product.insurer)).then_some(at))
    }
}

/// Position of a policy in lists by its day of issue.
fn position_of(policy: &Policy) -> ListPosition {
    ListPosition { created_at: policy.issued_at, id: policy.id.uuid() }
}

/// Status changes of a policy up to the state that it had when it was read. Later ones are left out.
fn until_it_stood_so(mut history: Vec<Move<PolicyState>>, policy: &Policy) -> Vec<Move<PolicyState>> {
    let is_last = |made: &Move<PolicyState>| (made.to, made.at) == (policy.state, policy.changed_at);
    match history.iter().rposition(is_last) {
        Some(last) => history.truncate(last + 1),
        // The policy still has the state in which it was issued.
        None if policy.state == PolicyState::Issued => history.clear(),
        None => {}
    }
    history
}

pub(crate) fn unknown_policy(id: PolicyId) -> Error {
    Error::Unknown { what: "policy", id: id.to_string() }
}
