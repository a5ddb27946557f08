//! Health proposals: made on the journey, judged by the catalogue's rules, moved along to a policy, and read by partners
//! that are existing users of the deprecated reads (interface §10, §11, States; D9, D29, D31 to D35).

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use domain::date::{Timestamp, day_of};
use domain::health_policy::HealthPolicy;
use domain::health_proposal::{
    Chosen, Consent, ConsentPurpose, HealthForm, HealthProposal, HealthProposalStatus, JourneyProposal,
    ProposalOrigin,
};
use domain::health_quote::{HealthQuote, JobStatus};
use domain::id::{PartnerId, ProposalId};
use domain::journey::Journey;
use domain::person::PersonalLine;
use domain::policy::{CheckCode, IssueTerms};
use domain::proposal::{Actor, Decision, Move};
use rating::{Catalogue, Connector, Consequence, HealthVariant, InsuredPerson, Product};

use crate::Service;
use crate::cursor::ListKind;
use crate::embedded_proposal::{Mover, unknown_proposal};
use crate::error::Error;
use crate::list::{ListAsk, ListPage};
use crate::storage::health_policies::HealthIssue;
use crate::storage::health_proposals::{HealthAct, Proposed};
use crate::storage::lists::{Page, Place};

use HealthProposalStatus::{Accepted, Cancelled, Initiated, Offline, Pending, Submitted, Underwriting};

/// How often a decision is tried that a step of the proposal was in the way of: there are two on its way.
const DECIDE_ATTEMPTS: usize = 4;

/// A health proposal with the catalogue that names its variant; `None` for an imported one, which names its own.
pub struct HealthProposalShown {
    /// The proposal.
    pub proposal: HealthProposal,
    /// The catalogue version.
    pub catalogue: Option<Arc<Catalogue>>,
}

/// What stands between a journey and its proposal.
#[derive(Debug)]
pub enum NotProposed {
    /// A page before was not answered, or its answers no longer fit together: the customer goes there.
    Unanswered,
    /// A consent without which there is no proposal was not given.
    ConsentMissing(ConsentPurpose),
    /// The quote has lapsed, or was made for other ages or prices than stand there now: it is to be made anew.
    QuoteLapsed,
    /// A fault of ours or of the store.
    Failed(Error),
}

impl<E: Into<Error>> From<E> for NotProposed {
    fn from(fault: E) -> Self {
        NotProposed::Failed(fault.into())
    }
}

/// What is asked of a customer beside the form.
#[derive(Debug, Clone, Copy)]
pub struct ConsentAnswer {
    /// To what.
    pub purpose: ConsentPurpose,
    /// Whether it was given.
    pub given: bool,
    /// SHA-256 of the text that was shown.
    pub text_hash: [u8; 32],
}

impl ConsentAnswer {
    /// An answer to the text that was shown.
    pub fn of(purpose: ConsentPurpose, given: bool, text: &str) -> Self {
        let hash = digest(&SHA256, text.as_bytes());
        let text_hash = hash.as_ref().try_into().expect("SHA-256 is 32 bytes");
        ConsentAnswer { purpose, given, text_hash }
    }
}

/// A proposal on its way: where it stands now, and how it came there.
struct OnItsWay {
    proposal: HealthProposal,
    moves: Vec<Move<HealthProposalStatus>>,
    at: Timestamp,
}

impl OnItsWay {
    fn go(&mut self, by: Actor, to: HealthProposalStatus, reason: Option<PersonalLine>) -> Result<(), Error> {
        let from = self.proposal.status;
        let to = from.move_to(to).map_err(Error::RefusedHealth)?;
        self.proposal.status = to;
        self.proposal.reason.clone_from(&reason);
        self.moves.push(Move { at: self.at, by, from: Some(from), to, reason });
        Ok(())
    }
}

impl Service {
    /// Makes the proposal of a journey whose pages are all answered. Asked again, it is the same proposal: the store
    /// keeps one active proposal for a quote and variant.
    ///
    /// # Errors
    /// [`NotProposed`].
    pub async fn propose_health(
        &self,
        journey: &Journey,
        consents: &[ConsentAnswer],
    ) -> Result<ProposalId, NotProposed> {
        if let Some(made) = journey.answers.proposal {
            return Ok(made);
        }
        let now = self.clock.now();
        for needed in ConsentPurpose::ALL.iter().filter(|purpose| purpose.is_needed()) {
            if !consents.iter().any(|answer| answer.purpose == *needed && answer.given) {
                return Err(NotProposed::ConsentMissing(*needed));
            }
        }
        let (catalogue, chosen, form) = self.proposable_health(journey, now).await?;
        let variant = variant_of(&catalogue, &chosen)?;
        let choice = journey.answers.choice.ok_or(NotProposed::Unanswered)?;
        let consent = |answer: &ConsentAnswer| Consent {
            purpose: answer.purpose,
            given: answer.given,
            text_hash: answer.text_hash,
            at: now,
        };
        let made = JourneyProposal { chosen, form, consents: consents.iter().map(consent).collect() };
        let mut way = OnItsWay {
            proposal: HealthProposal {
                id: self.ids.make_at(now),
                partner: journey.partner,
                session: Some(journey.session),
                status: Initiated,
                created_at: now,
                changed_at: now,
                tenure: choice.years,
                premium: choice.premium,
                reason: None,
                insurer_reference: None,
                origin: ProposalOrigin::Journey(Box::new(made)),
            },
            moves: vec![Move { at: now, by: Actor::Customer, from: None, to: Initiated, reason: None }],
            at: now,
        };
        let ask_insurer = self.send_on_its_way(&mut way, variant)?;
        let issue = match way.proposal.status {
            Accepted => Some(self.issue_health(&way.proposal, &catalogue, None, now).await?),
            _ => None,
        };
        let (id, status) = (way.proposal.id, way.proposal.status);
        let mut after = journey.clone();
        after.answers.proposal = Some(id);
        after.version = after.version.wrapping_add(1);
        let act =
            HealthAct { moves: &way.moves, issue: issue.as_ref(), ask_insurer: ask_insurer.then_some(now) };
        match self.storage.keep_health_proposal(&way.proposal, act, &after).await? {
            Proposed::New => {
                self.wake_workers();
                let of = journey.partner;
                tracing::info!(partner.id = %of, proposal.id = %id, proposal.status = %status, "health proposal {id} was created and is {status}");
                Ok(id)
            }
            Proposed::AlreadyActive(id) => Ok(id),
            Proposed::JourneyChanged => {
                let stands = self.storage.journey(journey.cookie).await?.ok_or(NotProposed::Unanswered)?;
                match stands.answers.proposal {
                    // A second press of the same button was first: what it made is what this one asked for.
                    Some(made) => Ok(made),
                    // It was only noted that the customer is here, or in which language.
                    None if stands.answers == journey.answers => {
                        Box::pin(self.propose_health(&stands, consents)).await
                    }
                    None => Err(NotProposed::Unanswered),
                }
            }
        }
    }

    /// The parts of a proposal, where a journey has them all and they fit together.
    async fn proposable_health(
        &self,
        journey: &Journey,
        now: Timestamp,
    ) -> Result<(Arc<Catalogue>, Chosen, HealthForm), NotProposed> {
        let answers = &journey.answers;
        let unanswered = || NotProposed::Unanswered;
        let id = answers.quote.ok_or_else(unanswered)?;
        let choice = answers.choice.ok_or_else(unanswered)?;
        let form = answers.form.clone().ok_or_else(unanswered)?;
        let quote = self.storage.health_quote(journey.partner, id).await?.ok_or_else(unanswered)?;
        let catalogue = self.catalogue_version(quote.catalogue).await?;
        if quote.status() != JobStatus::Success {
            return Err(NotProposed::QuoteLapsed);
        }
        let offer = quote.offers().into_iter().find(|(_, variant, _)| *variant == choice.variant);
        let (_, _, offer) = offer.ok_or(NotProposed::QuoteLapsed)?;
        let price = offer.tenures.iter().find(|price| price.years == choice.years);
        let same_price = price.is_some_and(|price| price.premium == choice.premium);
        let born = form.members.iter().map(|member| member.born);
        if !same_price || !quote.has_ages_of(born) || has_lapsed(&quote, &catalogue, now) {
            return Err(NotProposed::QuoteLapsed);
        }
        let chosen = Chosen {
            quote: quote.id,
            variant: choice.variant,
            catalogue: quote.catalogue,
            plan: quote.request.plan,
            sum_insured: quote.request.sum_insured,
            deductible: offer.deductible,
            copay_percent: offer.copay_percent,
            porting: quote.request.porting,
        };
        Ok((catalogue, chosen, form))
    }

    /// Judges a new proposal by the catalogue's rules, and sends it as far as it goes by itself. `true`: its insurer is
    /// to be asked.
    fn send_on_its_way(&self, way: &mut OnItsWay, variant: &HealthVariant) -> Result<bool, Error> {
        let product = &variant.product;
        let made = way.proposal.journey().ok_or_else(|| Error::Internal("not of a journey".into()))?;
        let on = day_of(way.at);
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
        let rule = product.pre_underwriting(&people, made.chosen.sum_insured);
        let reason = rule.and_then(|rule| PersonalLine::of_words(rule.reason.english()));
        if rule.is_some_and(|rule| rule.then == Consequence::Cancel) {
            way.go(Actor::Service, Cancelled, reason)?;
            return Ok(false);
        }
        way.go(Actor::Service, Pending, None)?;
        if rule.is_some() || !variant.online {
            way.go(Actor::Service, Offline, reason)?;
            return Ok(false);
        }
        match (product.decision, &product.insurer.connector) {
            (Decision::StraightThrough, _) => {
                for next in [Submitted, Underwriting, Accepted] {
                    way.go(Actor::Service, next, None)?;
                }
                Ok(false)
            }
            (Decision::Insurer, Connector::Http(_)) => Ok(true),
            (Decision::Insurer | Decision::Operator | Decision::Partner, _) => {
                way.go(Actor::Service, Offline, None)?;
                Ok(false)
            }
        }
    }

    /// Makes the policy and its certificate. Nothing is kept yet.
    pub(crate) async fn issue_health(
        &self,
        proposal: &HealthProposal,
        catalogue: &Arc<Catalogue>,
        insurer_number: Option<domain::policy::PolicyNumber>,
        now: Timestamp,
    ) -> Result<HealthIssue, Error> {
        let made = proposal.journey().ok_or_else(|| Error::Internal("not of a journey".into()))?;
        let variant = variant_of(catalogue, &made.chosen)?;
        let product = &variant.product;
        let mut check = [0; 16];
        self.random.fill(&mut check);
        let terms = IssueTerms {
            id: self.ids.make(),
            check: CheckCode(check),
            number_prefix: product.policy_number_prefix.clone(),
            insurer_number,
            settlement: product.settlement.english().to_owned(),
        };
        let policy = HealthPolicy::issue(proposal, terms, now);
        let policy = policy.ok_or_else(|| Error::Internal("cover would run beyond the calendar".into()))?;
        let facts = crate::certificate::health_facts(&policy, catalogue, variant, &self.settings.base_url)?;
        let certificate = crate::certificate::render(facts).await?;
        Ok(HealthIssue { policy, certificate })
    }

    /// Brings an undecided proposal of the journey to a decision, by as many moves as it takes.
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::RefusedHealth`], [`Error::Conflict`] for an acceptance of an imported one.
    pub(crate) async fn decide_health(
        &self,
        of: PartnerId,
        id: ProposalId,
        decision: HealthProposalStatus,
        mover: Mover,
    ) -> Result<(), Error> {
        let mut attempts = 0;
        loop {
            let proposal = self.storage.health_proposal(of, id).await?.ok_or_else(|| unknown_proposal(id))?;
            let refused = domain::health_proposal::NoSuchMove { from: proposal.status, to: decision };
            let steps = proposal.status.way_to(decision).ok_or(Error::RefusedHealth(refused))?;
            attempts += 1;
            match self.move_health(proposal, &steps, mover.clone()).await {
                // It came a step further meanwhile, and is still undecided.
                Err(Error::RefusedHealth(stands))
                    if attempts < DECIDE_ATTEMPTS && stands.from.way_to(decision).is_some() => {}
                other => return other,
            }
        }
    }

    /// Moves a health proposal along several steps in one transaction.
    pub(crate) async fn move_health(
        &self,
        proposal: HealthProposal,
        steps: &[HealthProposalStatus],
        mover: Mover,
    ) -> Result<(), Error> {
        let now = self.clock.now();
        let (of, id, from) = (proposal.partner, proposal.id, proposal.status);
        let mut way = OnItsWay { proposal, moves: Vec::new(), at: now };
        for (place, next) in (1..).zip(steps) {
            let reason = if place == steps.len() { mover.reason.clone() } else { None };
            way.go(mover.by, *next, reason)?;
        }
        let to = way.proposal.status;
        let issue = match to {
            Accepted => {
                let made = way.proposal.journey().ok_or_else(|| {
                    Error::Conflict("The proposal was imported: its policy is imported as well.".into())
                })?;
                let catalogue = self.catalogue_version(made.chosen.catalogue).await?;
                let number = mover.insurer_number;
                Some(self.issue_health(&way.proposal, &catalogue, number, now).await?)
            }
            _ => None,
        };
        let act = HealthAct { moves: &way.moves, issue: issue.as_ref(), ask_insurer: None };
        if self.storage.move_health_proposal(of, id, from, act).await? {
            tracing::info!(partner.id = %of, proposal.id = %id, proposal.status = %to, "health proposal {id} moved to {to}");
            return Ok(());
        }
        let stands = self.storage.health_proposal(of, id).await?.map_or(from, |proposal| proposal.status);
        Err(Error::RefusedHealth(domain::health_proposal::NoSuchMove { from: stands, to }))
    }

    /// Judges whether a partner may use the deprecated reads (D9).
    ///
    /// # Errors
    /// [`Error::NotPermitted`].
    pub fn may_read_legacy(&self, of: PartnerId) -> Result<(), Error> {
        let known = self.directory.known();
        if known.partner(of).is_some_and(|partner| partner.legacy_reads) {
            return Ok(());
        }
        Err(Error::NotPermitted(
            "This read is deprecated and closed to new integrations: it serves only partners that the operator marked as its existing users.",
        ))
    }

    /// A health proposal of a partner.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn health_proposal(&self, of: PartnerId, id: ProposalId) -> Result<HealthProposalShown, Error> {
        let proposal = self.storage.health_proposal(of, id).await?.ok_or_else(|| unknown_proposal(id))?;
        self.show_health_proposal(proposal).await
    }

    /// A page of a partner's health proposals.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every fault of what is asked (D31 to D33).
    pub async fn health_proposals(
        &self,
        of: PartnerId,
        ask: ListAsk,
    ) -> Result<ListPage<HealthProposalShown>, Error> {
        let resolved = self.resolve(of, ListKind::Proposals, ask)?;
        let page = match resolved.which {
            Some(which) => {
                self.storage.health_proposals(of, which, resolved.from, resolved.limit.into()).await?
            }
            None => Page::default(),
        };
        let Page { records, has_newer, has_older, count } = page;
        let mut shown = Vec::with_capacity(records.len());
        for proposal in records {
            shown.push(self.show_health_proposal(proposal).await?);
        }
        let page = Page { records: shown, has_newer, has_older, count };
        let place = |HealthProposalShown { proposal, .. }: &HealthProposalShown| Place {
            created_at: proposal.created_at,
            id: proposal.id.uuid(),
        };
        Ok(self.page(of, ListKind::Proposals, resolved, page, place))
    }

    async fn show_health_proposal(&self, proposal: HealthProposal) -> Result<HealthProposalShown, Error> {
        let catalogue = match proposal.journey() {
            Some(made) => Some(self.catalogue_version(made.chosen.catalogue).await?),
            None => None,
        };
        Ok(HealthProposalShown { proposal, catalogue })
    }

    /// Every move of a partner's health proposal, oldest first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn health_history(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Vec<Move<HealthProposalStatus>>, Error> {
        Ok(self.storage.health_history(of, id).await?)
    }
}

/// The variant that was chosen, in its own catalogue version.
pub(crate) fn variant_of<'c>(catalogue: &'c Catalogue, chosen: &Chosen) -> Result<&'c HealthVariant, Error> {
    let lost = || crate::health_quote::lost_variant(chosen.variant);
    catalogue.health_variant(chosen.variant).ok_or_else(|| lost().into())
}

/// The product of a proposal of the journey.
pub(crate) fn product_of<'c>(catalogue: &'c Catalogue, chosen: &Chosen) -> Result<&'c Product, Error> {
    variant_of(catalogue, chosen).map(|variant| variant.product.as_ref())
}

/// Whether a quote can no longer become a proposal (D40).
pub(crate) fn has_lapsed(quote: &HealthQuote, catalogue: &Catalogue, now: Timestamp) -> bool {
    day_of(now) > quote.last_day(catalogue.quote_validity_days())
}
