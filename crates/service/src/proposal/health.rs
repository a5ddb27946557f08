//! Health proposals from the journey (interface §10, §11, States; D9, D29, D31 to D35).
//!
//! The catalogue's rules judge a new proposal, which then moves towards its policy. Partners that may use the
//! deprecated read operations can read proposals.

use std::sync::Arc;

use HealthProposalStatus::{Cancelled, Initiated, Offline, Pending};
use aws_lc_rs::digest::{SHA256, digest};
use domain::date::{Timestamp, day_of};
use domain::health_proposal::{
    Chosen, Consent, ConsentPurpose, Health, HealthApplication, HealthForm, HealthProposal,
    HealthProposalStatus, JourneyProposal, ProposalOrigin, QuotedFamily,
};
use domain::health_quote::{HealthQuote, JobStatus};
use domain::id::{PartnerId, ProposalId};
use domain::identifier::Reference;
use domain::journey::Journey;
use domain::language::Language;
use domain::person::PersonalLine;
use domain::proposal::{Actor, Decision, Underway};
use rating::{Catalogue, Connector, Consequence, HealthVariant, InsuredPerson};

use crate::error::{ConflictReason, Error, Result};
use crate::line::health::variant_of;
use crate::line::{SoldLine, straight_through};
use crate::list::cursor::ListKind;
use crate::list::{ListAsk, ListPage, Lists};
use crate::proposal::not_kept::NotKept;
use crate::proposal::premium_owed::accepted_at_once;
use crate::proposal::{KeptWith, ProposalService, note_referred};
use crate::shared::Shared;
use crate::storage::lists::{ListPosition, Page};

/// Health proposal with the catalogue version that names its variant.
pub struct HealthProposalShown {
    pub proposal: HealthProposal,
    /// Catalogue version of the variant. `None` for an imported proposal, whose record names the variant.
    pub catalogue: Option<Arc<Catalogue>>,
}

/// Why a journey's proposal was not made.
#[derive(Debug)]
pub enum NotProposed {
    /// An earlier page has no answer, or its answers no longer fit together. The customer must go back to
    /// that page.
    Unanswered,
    /// A required consent was not given.
    ConsentMissing(ConsentPurpose),
    /// The quote has expired, or the ages or prices in it have changed. The customer needs a new quote.
    QuoteLapsed,
    /// The store failed, or there was an internal error.
    Failed(Error),
}

impl<E: Into<Error>> From<E> for NotProposed {
    fn from(fault: E) -> Self {
        NotProposed::Failed(fault.into())
    }
}

/// Answer of a customer to a consent question.
#[derive(Debug, Clone)]
pub struct ConsentAnswer {
    pub purpose: ConsentPurpose,
    pub given: bool,
    /// The text of the question, as it was shown to the customer.
    pub text: String,
    pub language: Language,
}

/// Makes health proposals from journeys, and reads health proposals for partners.
pub struct HealthProposalService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) proposals: Arc<ProposalService>,
    pub(crate) lists: Arc<Lists>,
}

impl HealthProposalService {
    /// Makes the proposal of a journey whose pages are all answered. A repeated call returns the same
    /// proposal, because the store allows only one active proposal for a quote and variant.
    ///
    /// # Errors
    /// [`NotProposed`].
    pub async fn propose(
        &self,
        journey: &Journey,
        consents: &[ConsentAnswer],
    ) -> Result<ProposalId, NotProposed> {
        if let Some(made) = journey.answers.proposal {
            return Ok(made);
        }
        let now = self.shared.partner_clock.now(journey.partner);
        for needed in ConsentPurpose::ALL.iter().filter(|purpose| purpose.is_needed()) {
            if !consents.iter().any(|answer| answer.purpose == *needed && answer.given) {
                return Err(NotProposed::ConsentMissing(*needed));
            }
        }
        let ProposableHealth { catalogue, quoted, chosen, form } = self.parts(journey, now).await?;
        let variant = variant_of(&catalogue, &chosen)?;
        if let Some(why) = self.proposals.rules.not_sold_now(journey.partner, &variant.product, day_of(now)) {
            return Err(Error::conflict_of(ConflictReason::NotOffered, why).into());
        }
        let choice = journey.answers.choice.ok_or(NotProposed::Unanswered)?;
        let consent = |answer: &ConsentAnswer| Consent {
            purpose: answer.purpose,
            given: answer.given,
            text_hash: digest(&SHA256, answer.text.as_bytes())
                .as_ref()
                .try_into()
                .expect("SHA-256 is 32 bytes"),
            at: now,
            text: Some(answer.text.clone()),
            language: Some(answer.language),
        };
        let consents_kept = consents.iter().map(consent).collect();
        let made = JourneyProposal { quoted, chosen, form, consents: consents_kept };
        let id = self.shared.ids.make();
        // The partner's only reference for this sale is the user id in the token that opened the journey.
        let reference = journey.user.as_ref().and_then(|user| Reference::of(user.reveal()));
        let proposal = HealthProposal {
            id,
            partner: journey.partner,
            session: Some(journey.session),
            status: Initiated,
            created_at: now,
            changed_at: now,
            premium: choice.premium,
            reason: None,
            insurer_reference: None,
            reference,
            application: HealthApplication {
                tenure: choice.years,
                origin: ProposalOrigin::Journey(Box::new(made)),
            },
        };
        if !Health::broken_rules(&self.proposals.rules, &catalogue, &proposal, day_of(now), Actor::Customer)
            .await?
            .0
            .is_empty()
        {
            // A birthday since the quote, or a new tax rate, has changed the price: show the customer today's
            // price first.
            return Err(NotProposed::QuoteLapsed);
        }
        let created = Underway::created(proposal, Actor::Customer);
        let judged = judge_before_underwriting(&created, variant)?;
        let mut after = journey.clone();
        after.answers.proposal = Some(id);
        after.version = after.version.wrapping_add(1);
        let with = KeptWith { journey: Some(&after), ..KeptWith::default() };
        match record_on_its_way(&self.proposals, &created, variant, judged, with).await {
            Ok(()) => Ok(id),
            Err(NotKept::AlreadyActive(active)) => Ok(active),
            Err(NotKept::JourneyChanged) => {
                let stands =
                    self.shared.storage.journey(journey.cookie).await?.ok_or(NotProposed::Unanswered)?;
                match stands.answers.proposal {
                    // The customer pressed the button twice. Both requests return the same proposal.
                    Some(made) => Ok(made),
                    // Only the time of the last visit or the language of the journey has changed meanwhile.
                    None if stands.answers == journey.answers => {
                        Box::pin(self.propose(&stands, consents)).await
                    }
                    None => Err(NotProposed::Unanswered),
                }
            }
            Err(why) => Err(Error::from(why).into()),
        }
    }

    /// Parts of a proposal, if the journey has all of them and they fit together.
    async fn parts(&self, journey: &Journey, now: Timestamp) -> Result<ProposableHealth, NotProposed> {
        let answers = &journey.answers;
        let unanswered = || NotProposed::Unanswered;
        let id = answers.quote.ok_or_else(unanswered)?;
        let choice = answers.choice.ok_or_else(unanswered)?;
        let form = answers.form.clone().ok_or_else(unanswered)?;
        let quote = self.shared.storage.health_quote(journey.partner, id).await?.ok_or_else(unanswered)?;
        let catalogue = self.shared.catalogues.version(quote.catalogue).await?;
        if quote.status() != JobStatus::Success {
            return Err(NotProposed::QuoteLapsed);
        }
        let offer = quote.offers().find(|(_, variant, _)| *variant == choice.variant);
        let (_, _, offer) = offer.ok_or(NotProposed::QuoteLapsed)?;
        let (deductible, copay_percent) = (offer.deductible, offer.copay_percent);
        let price = offer.tenures.iter().find(|price| price.years == choice.years);
        let same_price = price.is_some_and(|price| price.premium == choice.premium);
        let born = form.members.iter().map(|member| member.born);
        if !same_price || !quote.has_ages_of(born) || has_lapsed(&quote, &catalogue, now) {
            return Err(NotProposed::QuoteLapsed);
        }
        let HealthQuote { request, .. } = quote;
        let illnesses = if request.has_ped { request.selected_peds } else { Vec::new() };
        let quoted = QuotedFamily {
            at: quote.created_at,
            pincode: request.customer.pincode,
            members: request.members,
            has_ped: request.has_ped,
            illnesses,
        };
        let chosen = Chosen {
            quote: quote.id,
            variant: choice.variant,
            catalogue: quote.catalogue,
            plan: request.plan,
            sum_insured: request.sum_insured,
            deductible,
            copay_percent,
            porting: request.porting,
            renewal: None,
        };
        Ok(ProposableHealth { catalogue, quoted, chosen, form })
    }

    /// Checks that a partner may use the deprecated read operations (D9).
    ///
    /// # Errors
    /// [`Error::NotPermitted`].
    pub fn may_read_legacy(&self, of: PartnerId) -> Result<()> {
        let known = self.shared.directory.known();
        if known.partner(of).is_some_and(|partner| partner.legacy_reads) {
            return Ok(());
        }
        Err(Error::NotPermitted(
            "This operation is deprecated and closed to new integrations. Only partners that the operator marked as existing users can call it.",
        ))
    }

    /// Health proposal of a partner by its id.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find(&self, of: PartnerId, id: ProposalId) -> Result<HealthProposalShown> {
        let proposal = self.proposals.find::<Health>(of, id).await?;
        self.shown(proposal).await
    }

    /// A page of a partner's health proposals.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every fault of the query (D31 to D33).
    pub async fn list(&self, of: PartnerId, ask: ListAsk) -> Result<ListPage<HealthProposalShown>> {
        let resolved = self.lists.resolve(of, ListKind::Proposals, ask)?;
        let page = match resolved.which.clone() {
            Some(which) => {
                self.shared.storage.proposals(of, which, resolved.from, resolved.limit.into()).await?
            }
            None => Page::default(),
        };
        let Page { records, has_newer, has_older, count } = page;
        let mut shown = Vec::with_capacity(records.len());
        for proposal in records {
            shown.push(self.shown(proposal).await?);
        }
        let page = Page { records: shown, has_newer, has_older, count };
        let position = |HealthProposalShown { proposal, .. }: &HealthProposalShown| ListPosition {
            created_at: proposal.created_at,
            id: proposal.id.uuid(),
        };
        Ok(self.lists.page(of, ListKind::Proposals, resolved, page, position))
    }

    async fn shown(&self, proposal: HealthProposal) -> Result<HealthProposalShown> {
        let catalogue = self.proposals.catalogue_of(&proposal).await?;
        Ok(HealthProposalShown { proposal, catalogue })
    }
}

/// Parts of a health proposal, taken from the journey.
struct ProposableHealth {
    catalogue: Arc<Catalogue>,
    quoted: QuotedFamily,
    chosen: Chosen,
    form: HealthForm,
}

/// Saves a new proposal, with every status change that needs no decision. If the product's rules do not allow
/// the policy, the proposal waits for the operator. If the premium is due, the proposal is accepted and waits
/// for the premium.
pub(crate) async fn record_on_its_way(
    proposals: &ProposalService,
    created: &Underway<HealthProposal>,
    variant: &HealthVariant,
    judged: Judged,
    with: KeptWith<'_>,
) -> Result<(), NotKept> {
    let mut underway = created.clone();
    send_on_its_way(&mut underway, variant, judged)?;
    match proposals.record(&underway, None, with).await {
        Err(NotKept::Failed(Error::AgainstRules(broken))) => {
            note_referred(created.proposal().id, &broken);
            underway = created.clone();
            send_to_operator(&mut underway)?;
            proposals.record(&underway, None, with).await
        }
        Err(NotKept::Failed(Error::PremiumDue(_))) => {
            underway = created.clone();
            underway.go(Actor::Service, Pending, None).map_err(Error::Refused)?;
            let accepted = accepted_at_once(created.at());
            let with = KeptWith { accepted: Some(&accepted), ..with };
            proposals.record(&underway, None, with).await
        }
        other => other,
    }
}

/// Applies every status change of a new proposal that needs no decision. Depending on the product's rules,
/// the proposal is cancelled, waits for its insurer or a person, or is accepted at once.
fn send_on_its_way(
    underway: &mut Underway<HealthProposal>,
    variant: &HealthVariant,
    (consequence, reason): Judged,
) -> Result<()> {
    let product = &variant.product;
    let mut go = |to, reason| underway.go(Actor::Service, to, reason).map_err(Error::Refused);
    if consequence == Some(Consequence::Cancel) {
        return go(Cancelled, reason);
    }
    go(Pending, None)?;
    if consequence.is_some() || !variant.online {
        return go(Offline, reason);
    }
    match (product.decision, &product.insurer.connector) {
        (Decision::StraightThrough, _) => {
            straight_through::<Health>(Pending, product).into_iter().try_for_each(|next| go(next, None))
        }
        (Decision::Insurer, Connector::Http(_)) => Ok(()),
        (Decision::Insurer | Decision::Operator | Decision::Partner, _) => go(Offline, None),
    }
}

/// Moves a new proposal to the status in which the operator decides it.
fn send_to_operator(underway: &mut Underway<HealthProposal>) -> Result<()> {
    [Pending, Offline]
        .into_iter()
        .try_for_each(|next| underway.go(Actor::Service, next, None))
        .map_err(Error::Refused)
}

/// Consequence of a product's rules before underwriting, with the reason of the rule that has this
/// consequence.
pub(crate) type Judged = (Option<Consequence>, Option<PersonalLine>);

/// Applies the product's rules before underwriting to a new proposal.
fn judge_before_underwriting(underway: &Underway<HealthProposal>, variant: &HealthVariant) -> Result<Judged> {
    let made = underway.proposal().application.journey();
    let made = made.ok_or_else(|| Error::Internal("the proposal is not from a journey".into()))?;
    let on = day_of(underway.at());
    let people: Vec<(u16, Vec<&str>)> = made
        .form
        .members
        .iter()
        .map(|member| {
            let age = u16::try_from(member.born.age_on(on)).unwrap_or(0);
            (age, member.illnesses.iter().map(PersonalLine::reveal).collect())
        })
        .collect();
    let people: Vec<InsuredPerson<'_>> =
        people.iter().map(|(age, illnesses)| InsuredPerson { age: *age, illnesses }).collect();
    let rule = variant.product.pre_underwriting(&people, made.chosen.sum_insured);
    Ok((rule.map(|rule| rule.then), rule.and_then(|rule| PersonalLine::of_words(rule.reason.english()))))
}

/// Whether a quote has expired, so that no proposal can be made from it (D40).
pub(crate) fn has_lapsed(quote: &HealthQuote, catalogue: &Catalogue, now: Timestamp) -> bool {
    day_of(now) > quote.last_day(catalogue.quote_validity_days())
}
