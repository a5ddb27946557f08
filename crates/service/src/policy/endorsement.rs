//! Endorsement of policies: quote, request, confirmation, new certificate (D89).

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::claim::Claim;
use domain::context::key;
use domain::date::{Date, Timestamp, day_of};
use domain::endorsement::{
    ChargePayment, CoverTerms, Endorsement, EndorsementChange, EndorsementKind, EndorsementState,
};
use domain::id::{PartnerId, PolicyId};
use domain::line::{Line, LineOfBusiness};
use domain::money::{Premium, Rupees};
use domain::person::PersonalLine;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::premium::{Account, Entry, Posting};
use domain::proposal::{Actor, Decision, Proposal, RefusedMove};
use domain::refund::OwedRefund;
use rating::{Benefits, Catalogue, Ending, EndorsementRule, EndorsementRules, Product, Step, SumHolder};

use crate::error::{ConflictReason, Error, Result};
use crate::line::certificate::{Printed, render};
use crate::line::sale_rules::SaleRules;
use crate::line::{Covered, SoldLine, by_line};
use crate::policy::PolicyService;
use crate::policy::change::{PolicyChange, PolicyChanges};
use crate::policy::refund::RefundTerms;
use crate::shared::Shared;
use crate::shared::idempotency::{Draft, KeptResponse, Outcome};
use crate::storage::policies::PolicyPosting;

/// Requested change of a policy.
#[derive(Debug, Clone)]
pub struct EndorsementAsk {
    pub change: EndorsementChange,
    /// Actor who requests the endorsement.
    pub by: Actor,
    /// Reason in the requester's words.
    pub note: Option<PersonalLine>,
}

/// Charge or refund of an endorsement if it is made today.
#[derive(Debug, Clone)]
pub struct EndorsementQuote {
    pub policy: PolicyId,
    pub kind: EndorsementKind,
    /// Cover and premium before the endorsement.
    pub before: CoverTerms,
    /// Cover and premium after the endorsement.
    pub after: CoverTerms,
    /// Premium to pay before the endorsement is made. It may be zero.
    pub charge: Premium,
    /// Refund that the insurer owes to the insured once the endorsement is made, if any.
    pub refund: Option<OwedRefund>,
    /// Steps of the calculation of the charge or refund. Empty if the premium does not change.
    pub steps: Vec<Step>,
    /// Source of the endorsement's rule, such as a law or the product's wording.
    pub source: String,
    /// Who must confirm the endorsement. [`Decision::StraightThrough`] means nobody: the endorsement is made
    /// at once.
    pub confirmed_by: Decision,
}

/// Endorsement that is not saved yet.
pub struct EndorsementDraft {
    pub quote: EndorsementQuote,
    /// Number of the endorsement among the policy's endorsements, from 1.
    pub number: u16,
    /// State of the endorsement after it is saved.
    pub state: EndorsementState,
    change: PolicyChange,
}

impl Draft for EndorsementDraft {
    fn at(&self) -> Timestamp {
        self.change.at
    }
}

/// Decision about a requested endorsement.
#[derive(Debug, Clone)]
pub enum EndorsementVerdict {
    /// Make the endorsement. If the endorsement has a charge, the payment is required.
    Confirm(Option<ChargePayment>),
    /// Leave the policy as it is. The text is the reason.
    Refuse(Option<PersonalLine>),
}

pub struct EndorsementService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
    pub(crate) rules: Arc<SaleRules>,
    pub(crate) changes: Arc<PolicyChanges>,
}

/// Policy that was issued here, with all data that an endorsement needs.
struct Subject<L: Line> {
    policy: Policy,
    proposal: Proposal<L>,
    covered: Covered,
    /// Product of the policy in the running catalogue.
    product: Arc<Product>,
    rules: Arc<EndorsementRules>,
    /// Catalogue version with which the policy was sold.
    catalogue: Arc<Catalogue>,
}

impl EndorsementService {
    /// Charge or refund of a partner's policy if it is endorsed today. Nothing is saved.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`] if the policy's state does not allow an endorsement;
    /// [`Error::NotEndorsable`] if the product's rules do not allow the change; [`Error::Invalid`];
    /// [`Error::Conflict`] if another endorsement is open; [`Error::InsurerUnavailable`].
    pub async fn quote(&self, of: PartnerId, id: PolicyId, ask: &EndorsementAsk) -> Result<EndorsementQuote> {
        let policy = self.policies.find(of, id).await?;
        by_line!(policy.line(), L => {
            let subject = self.subject::<L>(policy).await?;
            self.quote_one(&subject, ask).await
        })
    }

    /// Requests a change for a partner or the operator, without saving it. If no confirmation is required and
    /// the change costs nothing, it is made at once.
    ///
    /// # Errors
    /// The errors of [`EndorsementService::quote`]; [`Error::Conflict`] if the totals of charge and refund
    /// differ from `expected`.
    pub async fn request(
        &self,
        of: PartnerId,
        id: PolicyId,
        ask: &EndorsementAsk,
        expected: Option<(Rupees, Rupees)>,
    ) -> Result<EndorsementDraft> {
        let policy = self.policies.find(of, id).await?;
        by_line!(policy.line(), L => self.request_one::<L>(policy, ask, expected).await)
    }

    async fn request_one<L: SoldLine>(
        &self,
        policy: Policy,
        ask: &EndorsementAsk,
        expected: Option<(Rupees, Rupees)>,
    ) -> Result<EndorsementDraft> {
        let mut subject = self.subject::<L>(policy).await?;
        let quote = self.quote_one(&subject, ask).await?;
        let comes_back = quote.refund.as_ref().map_or(Rupees::ZERO, |refund| refund.amount.total());
        if expected.is_some_and(|expected| expected != (quote.charge.total(), comes_back)) {
            return Err(Error::conflict_of(
                ConflictReason::AmountChanged,
                format!(
                    "The amounts differ from the expected ones: {} must be paid and {} is refunded. Get a new quote.",
                    quote.charge.total().grouped_with_paise(),
                    comes_back.grouped_with_paise()
                ),
            ));
        }
        let now = self.shared.partner_clock.now(subject.policy.partner);
        let number = u16::try_from(subject.policy.endorsements.len() + 1).map_err(|_| {
            Error::conflict_of(
                ConflictReason::LimitReached,
                "The policy already has the maximum number of endorsements.".into(),
            )
        })?;
        let before = subject.policy.clone();
        subject.policy.endorsements.push(Endorsement {
            number,
            change: ask.change.clone(),
            asked_by: ask.by,
            asked_at: now,
            note: ask.note.clone(),
            state: EndorsementState::Requested,
            decided_at: None,
            decided_by: None,
            reason: None,
            before: quote.before,
            after: quote.after,
            charge: quote.charge,
            payment: None,
            refund: quote.refund.clone(),
        });
        let is_decided = quote.confirmed_by == Decision::StraightThrough || ask.by != Actor::Partner;
        let change = match is_decided && quote.charge.total() == Rupees::ZERO {
            true => self.make(&before, subject, ask.by, None, now).await?,
            false => {
                let events = self.shared.events();
                PolicyChange::unmoved(&events, &before, subject.policy, Vec::new(), None, now)
            }
        };
        let state = change.newest_endorsement().unwrap_or(EndorsementState::Requested);
        Ok(EndorsementDraft { quote, number, state, change })
    }

    /// Saves an endorsement, in one transaction with its response if the request has an idempotency key. If
    /// two endorsements of a policy arrive at once, only one is saved.
    ///
    /// # Errors
    /// [`Error::Conflict`] for the endorsement that was not saved.
    pub async fn keep(
        &self,
        draft: EndorsementDraft,
        response: Option<KeptResponse>,
    ) -> Result<Outcome<EndorsementQuote>> {
        let kept = self.changes.keep(&draft.change, response.as_ref()).await?;
        self.shared.idempotency.outcome(kept, draft.quote, response).await
    }

    /// Confirms or refuses the open endorsement of a policy, for the operator or the insurer. If `numbered`
    /// is given, it must be the number of the open endorsement. Returns the endorsement's number and new
    /// state.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] if no endorsement or another one is open, the charge was not
    /// paid, or a claim was made since the request; [`Error::Refused`] if the policy can no longer be
    /// endorsed.
    pub async fn decide(
        &self,
        id: PolicyId,
        numbered: Option<u16>,
        by: Actor,
        verdict: EndorsementVerdict,
    ) -> Result<(u16, EndorsementState)> {
        let of = self.policies.owner(id).await?;
        let policy = self.policies.find(of, id).await?;
        let open = policy.open_endorsement().map(|open| open.number);
        let number = open.ok_or_else(|| Error::conflict("The policy has no open endorsement.".into()))?;
        if numbered.is_some_and(|numbered| numbered != number) {
            return Err(Error::conflict_of(
                ConflictReason::ChangedMeanwhile,
                "Another endorsement of the policy was requested meanwhile.".into(),
            ));
        }
        let change = by_line!(policy.line(), L => self.decide_one::<L>(policy, by, verdict).await?);
        self.changes.keep(&change, None).await?;
        Ok((number, change.newest_endorsement().unwrap_or(EndorsementState::Requested)))
    }

    async fn decide_one<L: SoldLine>(
        &self,
        mut policy: Policy,
        by: Actor,
        verdict: EndorsementVerdict,
    ) -> Result<PolicyChange> {
        let now = self.shared.partner_clock.now(policy.partner);
        let payment = match verdict {
            EndorsementVerdict::Refuse(reason) => {
                let (events, before) = (self.shared.events(), policy.clone());
                for open in policy.endorsements.iter_mut().filter(|one| one.is_open()) {
                    open.refuse(by, now, reason.clone());
                }
                return Ok(PolicyChange::unmoved(&events, &before, policy, Vec::new(), None, now));
            }
            EndorsementVerdict::Confirm(payment) => payment,
        };
        // The operator may record a payment after the cover has ended. What counts is the day of the payment.
        let on = payment.as_ref().map_or(day_of(now), |payment| payment.received_on);
        can_be_endorsed(&policy, on)?;
        let subject = self.subject::<L>(policy).await?;
        let Some(open) = subject.policy.open_endorsement() else {
            return Err(Error::conflict("The policy has no open endorsement.".into()));
        };
        let issued = day_of(subject.policy.issued_at);
        let has_claim = self.has_claim(&subject.policy).await?;
        // An endorsement that was requested in time may be confirmed later.
        let judged = subject.rules.judge(open.change.kind(), issued, day_of(open.asked_at), has_claim);
        judged.map_err(Error::NotEndorsable)?;
        let due = open.charge.total();
        match &payment {
            None if due > Rupees::ZERO => {
                return Err(Error::conflict(format!(
                    "The insurer must receive the charge of {} first. Name the payment of this charge.",
                    due.grouped_with_paise()
                )));
            }
            Some(_) if due == Rupees::ZERO => {
                return Err(Error::conflict("This endorsement costs nothing: leave out the payment.".into()));
            }
            Some(payment)
                if payment.received_on > day_of(now) || payment.received_on < day_of(open.asked_at) =>
            {
                return Err(Error::conflict(
                    "The day of payment must be from the day of the request until today.".into(),
                ));
            }
            _ => {}
        }
        let before = subject.policy.clone();
        self.make(&before, subject, by, payment, now).await
    }

    /// Certificate that an endorsement has replaced, with the policy's number. Only for the operator.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown policy, a version that never existed, or the current version.
    pub async fn replaced_certificate(&self, id: PolicyId, version: u32) -> Result<(String, Vec<u8>)> {
        let of = self.policies.owner(id).await?;
        let policy = self.policies.find(of, id).await?;
        let number = policy.number.to_string();
        let unknown = || Error::Unknown { what: "certificate", id: format!("{number} version {version}") };
        let bytes = self.shared.storage.replaced_certificate(of, id, version).await?.ok_or_else(unknown)?;
        Ok((number, bytes))
    }

    /// Makes the open endorsement of a policy take effect, with its certificate and ledger postings. `before`
    /// is the policy's previous version.
    async fn make<L: SoldLine>(
        &self,
        before: &Policy,
        subject: Subject<L>,
        by: Actor,
        payment: Option<ChargePayment>,
        now: Timestamp,
    ) -> Result<PolicyChange> {
        let Subject { mut policy, proposal, product, catalogue, .. } = subject;
        let is_test = self.shared.partner_clock.is_test(policy.partner);
        let Some(made) = policy.make_endorsement(by, now) else {
            return Err(Error::Internal("no endorsement is open".into()));
        };
        made.payment = payment;
        let postings = postings(made, &product, is_test, now);
        if let Some(account) = made.change.loan_account()
            && *self.shared.settings.reference_key == *key::LOAN_ACCOUNT
        {
            policy.reference = Some(account);
        }
        let printed = Printed {
            base_url: &self.shared.settings.base_url,
            operator: self.shared.settings.operator.as_deref(),
            is_specimen: is_test,
        };
        let certificate = L::certificate(&policy, &proposal, &catalogue, &printed)?;
        let certificate = render(certificate).await?;
        let events = self.shared.events();
        Ok(PolicyChange::unmoved(&events, before, policy, postings, Some(certificate), now))
    }

    /// The policy, with all data that an endorsement needs.
    async fn subject<L: SoldLine>(&self, policy: Policy) -> Result<Subject<L>> {
        let imported = || {
            Error::conflict_of(
                ConflictReason::NotOffered,
                "The policy was imported. Endorse it where it was sold.".into(),
            )
        };
        let id = policy.proposal.ok_or_else(imported)?;
        let proposal = L::storage(self.shared.storage.as_ref()).proposal(policy.partner, id).await?;
        let proposal =
            proposal.ok_or_else(|| Error::Internal(format!("the proposal of {} is missing", policy.id)))?;
        let catalogue = policy.cover.catalogue().ok_or_else(imported)?;
        let catalogue = self.shared.catalogues.version(catalogue).await?;
        let covered = L::covered(&policy, Some(&proposal), Some(&catalogue))?;
        let product = self.policies.sold_as(&covered).ok_or_else(imported)?;
        let none = || {
            Error::conflict_of(
                ConflictReason::NotOffered,
                "Policies of this product cannot be endorsed here.".into(),
            )
        };
        let rules = product.endorsements.clone().ok_or_else(none)?;
        Ok(Subject { policy, proposal, covered, product, rules, catalogue })
    }

    async fn quote_one<L: SoldLine>(
        &self,
        subject: &Subject<L>,
        ask: &EndorsementAsk,
    ) -> Result<EndorsementQuote> {
        let Subject { policy, product, rules, .. } = subject;
        let now = self.shared.partner_clock.now(policy.partner);
        let is_correction = matches!(ask.change.kind(), EndorsementKind::Contact | EndorsementKind::Name);
        match policy.state_on(day_of(now)) {
            // The data of a person stay correctable as long as the policy is kept (DPDP Act, section 12).
            PolicyState::Lapsed | PolicyState::Expired if is_correction && ask.by == Actor::Operator => {}
            _ => can_be_endorsed(policy, day_of(now))?,
        }
        if let Some(open) = policy.open_endorsement() {
            return Err(Error::endorsement_waits(open));
        }
        let (issued, today) = (day_of(policy.issued_at), day_of(now));
        let kind = ask.change.kind();
        let has_claim = self.has_claim(policy).await?;
        let rule = rules.judge(kind, issued, today, has_claim).map_err(Error::NotEndorsable)?;
        let changed = self.changed(subject, &ask.change)?;
        let before = CoverTerms { sum_insured: policy.sum_insured, premium: policy.premium };
        let after = match kind.is_priced() {
            true => self.repriced(subject, &ask.change, &changed).await?,
            false => before,
        };
        let used = used_of_a_sum(&product.benefits, &self.policies.claims_on(policy).await?);
        if after.sum_insured < before.sum_insured.min(used) {
            let least = used.grouped_with_paise();
            let message = format!("Must leave a sum insured of at least {least}, which claims have used.");
            return Err(Error::invalid(field_of(kind), message));
        }
        let prices = (before.premium, after.premium);
        let (charge, refund, steps) = self.difference(subject, rule, prices, (now, has_claim));
        let decision = match (rule.confirmed, product.decision) {
            // The endorsement must be confirmed. For a straight-through product, only the operator can
            // confirm it.
            (true, Decision::StraightThrough) => Decision::Operator,
            (true, other) => other,
            (false, _) => Decision::StraightThrough,
        };
        Ok(EndorsementQuote {
            policy: policy.id,
            kind,
            before,
            after,
            charge,
            refund,
            steps,
            source: rule.source.clone(),
            confirmed_by: match decision {
                // The partner confirms endorsements, so its request is also the confirmation.
                Decision::Partner => Decision::StraightThrough,
                other => other,
            },
        })
    }

    /// Whether a policy has a claim that was not rejected or withdrawn.
    async fn has_claim(&self, policy: &Policy) -> Result<bool> {
        Ok(self.policies.claims_on(policy).await?.iter().any(|claim| claim.state.counts()))
    }

    /// Application of a policy with its endorsements so far and one further change.
    fn changed<L: SoldLine>(
        &self,
        subject: &Subject<L>,
        change: &EndorsementChange,
    ) -> Result<L::Application> {
        let Subject { policy, proposal, covered, .. } = subject;
        let members = covered.members.len();
        if change.member().is_some_and(|member| !(1..=members).contains(&usize::from(member))) {
            let message = format!("Must be the number of a member, from 1 to {members}.");
            return Err(Error::invalid("member", message));
        }
        match change {
            EndorsementChange::Contact { member, .. }
                if L::LINE == LineOfBusiness::Health && *member != 1 =>
            {
                let message = "The contact of a health policy is its proposer's: leave `member` out.";
                return Err(Error::invalid("member", message));
            }
            EndorsementChange::Nominees(nominees)
                if L::LINE == LineOfBusiness::Health && nominees.len() != 1 =>
            {
                return Err(Error::invalid("nominees", "Must be one nominee: a health policy has only one."));
            }
            EndorsementChange::Nominees(nominees)
                if let [only] = &covered.members[..]
                    && nominees.iter().any(|nominee| nominee.is_named(&only.name, only.born)) =>
            {
                let message = "The nominee must be another person than the insured.";
                return Err(Error::invalid("nominees", message));
            }
            EndorsementChange::CoverReduction(cover) if *cover >= policy.sum_insured => {
                let now = policy.sum_insured.grouped_with_paise();
                let message = format!("Must be less than the current cover of {now}.");
                return Err(Error::invalid("sum_insured", message));
            }
            _ => {}
        }
        let before = policy.endorsed::<L>(&proposal.application);
        let mut changed = before.clone();
        L::endorse(&mut changed, change);
        let mut cover = policy.cover.clone();
        cover.endorse(change);
        if changed == before && cover == policy.cover {
            return Err(Error::invalid(
                field_of(change.kind()),
                "Must differ from what the policy already has.",
            ));
        }
        Ok(changed)
    }

    /// New cover and premium of a policy after a change that affects the price.
    async fn repriced<L: SoldLine>(
        &self,
        subject: &Subject<L>,
        change: &EndorsementChange,
        changed: &L::Application,
    ) -> Result<CoverTerms> {
        let Subject { policy, proposal, catalogue, .. } = subject;
        let field = field_of(change.kind());
        let refused = |why| Error::invalid(field, why);
        let terms = L::repriced(&self.rules, catalogue, policy, changed).await?.map_err(refused)?;
        // The change must meet the product's rules for sales. Rules that were already broken before the
        // change do not count.
        let issued = day_of(policy.issued_at);
        let sold = |application: L::Application, premium: Premium| Proposal {
            application,
            premium,
            ..proposal.clone()
        };
        let (before, after) = (
            sold(policy.endorsed::<L>(&proposal.application), policy.premium),
            sold(changed.clone(), terms.premium),
        );
        let broken = L::broken_rules(&self.rules, catalogue, &before, issued, Actor::Insurer).await?;
        let mut breaks = L::broken_rules(&self.rules, catalogue, &after, issued, Actor::Insurer).await?;
        breaks.0.retain(|fault| broken.0.iter().all(|before| before.field != fault.field));
        match breaks.0.into_iter().next() {
            Some(fault) => Err(refused(fault.message)),
            None => Ok(terms),
        }
    }

    /// Charge or refund of a change, with the steps of its calculation.
    fn difference<L: SoldLine>(
        &self,
        subject: &Subject<L>,
        rule: &EndorsementRule,
        prices: (Premium, Premium),
        (now, has_claim): (Timestamp, bool),
    ) -> (Premium, Option<OwedRefund>, Vec<Step>) {
        let Subject { policy, covered, rules, product, .. } = subject;
        let nothing = Premium::default();
        let less = |more: Premium, less: Premium| {
            let part = |of: fn(Premium) -> Rupees| (of(more) - of(less)).max(Rupees::ZERO);
            Premium::of_parts(part(Premium::base), part(Premium::gst)).unwrap_or(nothing)
        };
        let (before, after) = prices;
        if after.total() > before.total() {
            let charge = less(after, before);
            return (charge, None, EndorsementRules::charge_steps(prices, charge));
        }
        let difference = less(before, after);
        if difference.total() == Rupees::ZERO {
            return (nothing, None, Vec::new());
        }
        let (issued, today) = (day_of(policy.issued_at), day_of(now));
        let ending = Ending {
            premium: difference,
            retained: difference,
            issued,
            starts: covered.starts.unwrap_or(issued),
            ends: policy.last_day(),
            on: today,
            received: issued,
            has_claim,
            cover: (policy.sum_insured, policy.sum_insured),
            by_insurer: false,
            covered_since: None,
        };
        let refund = rules.refund(rule, &ending, prices);
        let owed = OwedRefund {
            amount: refund.refund,
            due_on: refund.due_on,
            late_interest: refund.late_interest,
            paid: None,
            to_deposit: RefundTerms::of(product).to_deposit(policy, refund.refund.total()),
            bounced: None,
        };
        (nothing, Some(owed).filter(|owed| owed.amount.total() > Rupees::ZERO), refund.steps)
    }
}

/// Most that approved and paid claims use of one sum insured: that of a life, or that which all lives share.
fn used_of_a_sum(benefits: &Benefits, claims: &[Claim]) -> Rupees {
    let mut used: BTreeMap<Option<u16>, Rupees> = BTreeMap::new();
    for claim in claims {
        let is_shared =
            benefits.of(claim.notice.kind).is_some_and(|benefit| benefit.per == SumHolder::Policy);
        let of = used.entry((!is_shared).then_some(claim.notice.member)).or_insert(Rupees::ZERO);
        *of = *of + claim.payable().unwrap_or(Rupees::ZERO);
    }
    used.into_values().max().unwrap_or(Rupees::ZERO)
}

/// Name of the request field that holds this kind of change.
const fn field_of(kind: EndorsementKind) -> &'static str {
    match kind {
        EndorsementKind::Nominee => "nominees",
        EndorsementKind::Contact => "contact",
        EndorsementKind::Name => "name",
        EndorsementKind::DateOfBirth => "date_of_birth",
        EndorsementKind::LoanAccount => "loan_account",
        EndorsementKind::Assignment => "assignee",
        EndorsementKind::CoverReduction => "sum_insured",
    }
}

/// Checks that a policy is issued and in force, and that no cancellation waits for confirmation.
///
/// # Errors
/// [`Error::Refused`] if it is not.
pub fn can_be_endorsed(policy: &Policy, on: Date) -> Result<()> {
    match policy.state_on(on) {
        PolicyState::Issued => Ok(()),
        other => Err(Error::Refused(RefusedMove::NotEndorsable { stands: other.word() })),
    }
}

/// Ledger postings for an endorsement that takes effect.
fn postings(made: &Endorsement, product: &Product, is_test: bool, at: Timestamp) -> Vec<PolicyPosting> {
    if let Some(refund) = &made.refund {
        return RefundTerms::of(product).postings(Entry::Endorsement, refund, is_test, at);
    }
    let reference = made.payment.as_ref().map(|payment| payment.reference.as_str().to_owned());
    let insurer = product.insurer.id;
    let charge = Posting::of(Entry::Endorsement, Account::WithInsurer, Account::Premium, made.charge.total());
    charge
        .map(|posting| PolicyPosting { insurer, posting, reference, deposit: None, at })
        .into_iter()
        .collect()
}
