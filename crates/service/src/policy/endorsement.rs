//! Endorsement of policies: what a change would cost or give back, the request, its confirmation, and the certificates that it
//! replaces (D89).

use std::sync::Arc;

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
use rating::{Catalogue, Ending, EndorsementRule, EndorsementRules, Product, Step};

use crate::error::{ConflictReason, Error, Result};
use crate::line::certificate::{Printed, render};
use crate::line::sale_rules::SaleRules;
use crate::line::{Covered, SoldLine};
use crate::on_any_policy;
use crate::policy::PolicyService;
use crate::policy::change::{PolicyChange, PolicyChanges};
use crate::policy::refund::RefundTerms;
use crate::shared::Shared;
use crate::shared::idempotency::{Draft, KeptResponse, Outcome};
use crate::storage::AnyPolicy;
use crate::storage::policies::PolicyPosting;

/// What of a policy somebody wants changed.
#[derive(Debug, Clone)]
pub struct EndorsementAsk {
    /// What, and to what.
    pub change: EndorsementChange,
    /// Who asks.
    pub by: Actor,
    /// Why, in the words of who asks.
    pub note: Option<PersonalLine>,
}

/// What an endorsement would cost or give back today.
#[derive(Debug, Clone)]
pub struct EndorsementQuote {
    pub policy: PolicyId,
    /// What is changed.
    pub kind: EndorsementKind,
    /// Cover and premium before it.
    pub before: CoverTerms,
    /// Cover and premium after it.
    pub after: CoverTerms,
    /// What is to be paid before it is made. May be nought.
    pub charge: Premium,
    /// What the insurer owes to the insured once it is made.
    pub refund: Option<OwedRefund>,
    /// The steps to what it costs or gives back. None where the premium stays.
    pub steps: Vec<Step>,
    /// Where the rule comes from.
    pub source: String,
    /// Who confirms it; [`Decision::StraightThrough`]: nobody, it is made at once.
    pub confirmed_by: Decision,
}

/// An endorsement that is not kept yet.
pub struct EndorsementDraft {
    /// What it costs or gives back.
    pub quote: EndorsementQuote,
    /// Its number among those of the policy.
    pub number: u16,
    /// Where it stands once it is kept.
    pub state: EndorsementState,
    change: PolicyChange,
}

impl Draft for EndorsementDraft {
    fn at(&self) -> Timestamp {
        self.change.at
    }
}

/// What somebody says of an endorsement that was asked for.
#[derive(Debug, Clone)]
pub enum EndorsementVerdict {
    /// It is made. What it costs must have been paid.
    Confirm(Option<ChargePayment>),
    /// The policy stays as it is.
    Refuse(Option<PersonalLine>),
}

/// Endorses policies.
pub struct EndorsementService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
    pub(crate) rules: Arc<SaleRules>,
    pub(crate) changes: Arc<PolicyChanges>,
}

/// A policy that was issued here, with what it came of and what holds for it.
struct Subject<L: Line> {
    policy: Policy<L>,
    proposal: Proposal<L>,
    covered: Covered,
    /// Its product as the running catalogue has it.
    product: Arc<Product>,
    rules: Arc<EndorsementRules>,
    /// The catalogue version under which it was sold.
    catalogue: Arc<Catalogue>,
}

impl EndorsementService {
    /// What a change of a partner's policy would cost or give back today. Nothing is kept.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`] where the policy does not stand so that it can be endorsed;
    /// [`Error::NotEndorsable`] where its rules do not allow it; [`Error::Invalid`]; [`Error::Conflict`] where another one is
    /// open; [`Error::InsurerUnavailable`].
    pub async fn quote(&self, of: PartnerId, id: PolicyId, ask: &EndorsementAsk) -> Result<EndorsementQuote> {
        let policy = self.policies.find(of, id).await?;
        on_any_policy!(policy, policy => {
            let subject = self.subject(*policy).await?;
            self.quote_one(&subject, ask).await
        })
    }

    /// A partner's or the operator's request for a change. It is not kept yet. Where nobody else confirms it and nothing is to
    /// be paid for it, it is made at once.
    ///
    /// # Errors
    /// As of [`EndorsementService::quote`]; [`Error::Conflict`] where it costs or gives back something else than `expected`: the
    /// totals of both.
    pub async fn request(
        &self,
        of: PartnerId,
        id: PolicyId,
        ask: &EndorsementAsk,
        expected: Option<(Rupees, Rupees)>,
    ) -> Result<EndorsementDraft> {
        let policy = self.policies.find(of, id).await?;
        on_any_policy!(policy, policy => self.request_one(*policy, ask, expected).await)
    }

    async fn request_one<L: SoldLine>(
        &self,
        policy: Policy<L>,
        ask: &EndorsementAsk,
        expected: Option<(Rupees, Rupees)>,
    ) -> Result<EndorsementDraft>
    where
        AnyPolicy: From<Policy<L>>,
    {
        let mut subject = self.subject(policy).await?;
        let quote = self.quote_one(&subject, ask).await?;
        let comes_back = quote.refund.as_ref().map_or(Rupees::ZERO, |refund| refund.amount.total());
        if expected.is_some_and(|expected| expected != (quote.charge.total(), comes_back)) {
            return Err(Error::conflict_of(
                ConflictReason::AmountChanged,
                format!(
                    "Other amounts were expected: {} is to be paid and {} comes back. Ask for a new quote.",
                    quote.charge.total().grouped_with_paise(),
                    comes_back.grouped_with_paise()
                ),
            ));
        }
        let now = self.shared.partner_clock.now(subject.policy.partner);
        let number = u16::try_from(subject.policy.endorsements.len() + 1).map_err(|_| {
            Error::conflict_of(ConflictReason::LimitReached, "The policy was endorsed too often.".into())
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

    /// Keeps an endorsement, in one transaction with its response where an idempotency key came. Of two racing ones exactly one
    /// wins.
    ///
    /// # Errors
    /// [`Error::Conflict`] for the one that lost.
    pub async fn keep(
        &self,
        draft: EndorsementDraft,
        response: Option<KeptResponse>,
    ) -> Result<Outcome<EndorsementQuote>> {
        let kept = self.changes.keep(&draft.change, response.as_ref()).await?;
        self.shared.idempotency.outcome(kept, draft.quote, response).await
    }

    /// The operator or the insurer confirms or refuses the endorsement of a policy that is open: the one with a number, where one is
    /// given. Gives its number, and where it stands now.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] where none is open or another one is, where what it costs was not paid, and where a
    /// claim came in between; [`Error::Refused`] where the policy can be endorsed no more.
    pub async fn decide(
        &self,
        id: PolicyId,
        numbered: Option<u16>,
        by: Actor,
        verdict: EndorsementVerdict,
    ) -> Result<(u16, EndorsementState)> {
        let of = self.policies.owner(id).await?;
        let policy = self.policies.find(of, id).await?;
        let open = on_any_policy!(&policy, policy => policy.open_endorsement().map(|open| open.number));
        let number = open.ok_or_else(|| Error::conflict("No endorsement of the policy is open.".into()))?;
        if numbered.is_some_and(|numbered| numbered != number) {
            return Err(Error::conflict_of(
                ConflictReason::ChangedMeanwhile,
                "Another endorsement was asked for meanwhile.".into(),
            ));
        }
        let change = on_any_policy!(policy, policy => self.decide_one(*policy, by, verdict).await?);
        self.changes.keep(&change, None).await?;
        Ok((number, change.newest_endorsement().unwrap_or(EndorsementState::Requested)))
    }

    async fn decide_one<L: SoldLine>(
        &self,
        mut policy: Policy<L>,
        by: Actor,
        verdict: EndorsementVerdict,
    ) -> Result<PolicyChange>
    where
        AnyPolicy: From<Policy<L>>,
    {
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
        // A charge that came while the policy covered is not late because it is noted later.
        let on = payment.as_ref().map_or(day_of(now), |payment| payment.received_on);
        can_be_endorsed(&policy, on)?;
        let subject = self.subject(policy).await?;
        let Some(open) = subject.policy.open_endorsement() else {
            return Err(Error::conflict("No endorsement of the policy is open.".into()));
        };
        let issued = day_of(subject.policy.issued_at);
        let has_claim = self.has_claim(&subject.policy).await?;
        // Asked for in time, it is confirmed later as well.
        let judged = subject.rules.judge(open.change.kind(), issued, day_of(open.asked_at), has_claim);
        judged.map_err(Error::NotEndorsable)?;
        let due = open.charge.total();
        match &payment {
            None if due > Rupees::ZERO => {
                return Err(Error::conflict(format!(
                    "{} is to be paid to the insurer first: name the payment.",
                    due.grouped_with_paise()
                )));
            }
            Some(_) if due == Rupees::ZERO => {
                return Err(Error::conflict("Nothing is to be paid for this endorsement.".into()));
            }
            Some(payment)
                if payment.received_on > day_of(now) || payment.received_on < day_of(open.asked_at) =>
            {
                return Err(Error::conflict("A payment comes on a day from the request until today.".into()));
            }
            _ => {}
        }
        let before = subject.policy.clone();
        self.make(&before, subject, by, payment, now).await
    }

    /// The certificate of a policy as it was before an endorsement, with its number: for the operator alone.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown policy, and a version that it never had or still has.
    pub async fn replaced_certificate(&self, id: PolicyId, version: u32) -> Result<(String, Vec<u8>)> {
        let of = self.policies.owner(id).await?;
        let policy = self.policies.find(of, id).await?;
        let number = on_any_policy!(policy, policy => policy.number.to_string());
        let unknown = || Error::Unknown { what: "certificate", id: format!("{number} version {version}") };
        let bytes = self.shared.storage.replaced_certificate(of, id, version).await?.ok_or_else(unknown)?;
        Ok((number, bytes))
    }

    /// Makes the open endorsement of a policy, of which `before` is kept: with its certificate, and what it means to the ledger.
    async fn make<L: SoldLine>(
        &self,
        before: &Policy<L>,
        subject: Subject<L>,
        by: Actor,
        payment: Option<ChargePayment>,
        now: Timestamp,
    ) -> Result<PolicyChange>
    where
        AnyPolicy: From<Policy<L>>,
    {
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

    /// A policy with what is needed to endorse it.
    async fn subject<L: SoldLine>(&self, policy: Policy<L>) -> Result<Subject<L>> {
        let imported = || {
            Error::conflict_of(
                ConflictReason::NotOffered,
                "The policy was imported: it is endorsed where it was sold.".into(),
            )
        };
        let id = policy.proposal.ok_or_else(imported)?;
        let proposal = L::storage(self.shared.storage.as_ref()).proposal(policy.partner, id).await?;
        let proposal =
            proposal.ok_or_else(|| Error::Internal(format!("{} has lost its proposal", policy.id)))?;
        let catalogue = L::catalogue_of_policy(&policy).ok_or_else(imported)?;
        let catalogue = self.shared.catalogues.version(catalogue).await?;
        let covered = L::covered(&policy, Some(&proposal), Some(&catalogue))?;
        let product = self.policies.sold_as(&covered).ok_or_else(imported)?;
        let none = || {
            Error::conflict_of(
                ConflictReason::NotOffered,
                "Policies of this product are not endorsed here.".into(),
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
        can_be_endorsed(policy, day_of(now))?;
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
        let prices = (before.premium, after.premium);
        let (charge, refund, steps) = self.difference(subject, rule, prices, (now, has_claim));
        let decision = match (rule.confirmed, product.decision) {
            // Somebody confirms it, and nobody else decides anything of such products.
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
                // Its own request is its confirmation.
                Decision::Partner => Decision::StraightThrough,
                other => other,
            },
        })
    }

    /// Whether a policy has a claim that counts.
    async fn has_claim<L: SoldLine>(&self, policy: &Policy<L>) -> Result<bool> {
        Ok(self.policies.claims_of(policy).await?.iter().any(|claim| claim.state.counts()))
    }

    /// What a policy's proposal says with its endorsements and a change.
    fn changed<L: SoldLine>(
        &self,
        subject: &Subject<L>,
        change: &EndorsementChange,
    ) -> Result<L::Application> {
        let Subject { policy, proposal, covered, .. } = subject;
        let members = covered.members.len();
        if change.member().is_some_and(|member| !(1..=members).contains(&usize::from(member))) {
            let message = format!("No such member: the policy has {members}.");
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
                return Err(Error::invalid("nominees", "A health policy has one nominee."));
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
                let message = format!("Must be less than the present cover of {now}.");
                return Err(Error::invalid("sum_insured", message));
            }
            _ => {}
        }
        let before = policy.endorsed(&proposal.application);
        let mut changed = before.clone();
        L::endorse(&mut changed, change);
        let mut cover = policy.cover.clone();
        L::endorse_cover(&mut cover, change);
        if changed == before && cover == policy.cover {
            return Err(Error::invalid(field_of(change.kind()), "The policy says so already."));
        }
        Ok(changed)
    }

    /// What a policy covers and costs with a change that is priced.
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
        // What the product's rules asked of the sale, they ask of the change. What was broken before is nobody's news.
        let issued = day_of(policy.issued_at);
        let sold = |application: L::Application, premium: Premium| Proposal {
            application,
            premium,
            ..proposal.clone()
        };
        let (before, after) = (
            sold(policy.endorsed(&proposal.application), policy.premium),
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

    /// What is to be paid or comes back, with the steps to it.
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
        };
        (nothing, Some(owed).filter(|owed| owed.amount.total() > Rupees::ZERO), refund.steps)
    }
}

/// The field of a request that a kind of change is in.
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

/// A policy is endorsed while it is issued and covers, and nobody wants it cancelled.
fn can_be_endorsed<L: Line>(policy: &Policy<L>, on: Date) -> Result<()> {
    match policy.state_on(on) {
        PolicyState::Issued => Ok(()),
        other => Err(Error::Refused(RefusedMove::NotEndorsable { stands: other.word() })),
    }
}

/// What the ledger says of an endorsement that is made.
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
