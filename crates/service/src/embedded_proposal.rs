//! Embedded proposals: created from a quote, moved along, completed with a policy (interface §5 to §7; D24 to D30).

use std::sync::Arc;

use domain::date::{Date, Timestamp, day_of, in_words};
use domain::id::{PartnerId, ProposalId, QuoteId, RecommendationId, VariantId};
use domain::money::Premium;
use domain::person::PersonalLine;
use domain::policy::{CheckCode, CoverPeriod, IssueTerms, Policy, PolicyNumber};
use domain::proposal::{
    Actor, Decision, Move, Proposal, ProposalRequest, ProposalStatus, RefusedMove, Submission,
};
use domain::quote::{EmbeddedQuote, QuoteItem};
use rating::{Catalogue, Connector, Product};

use crate::Service;
use crate::error::{Error, Fault, Faults};
use crate::idempotency::{Answered, Answering};
use crate::storage::{Issue, Kept, Moved, ProposalAct};

/// What an answer about a proposal says.
#[derive(Debug, Clone, Copy)]
pub struct ProposalState {
    /// Which.
    pub id: ProposalId,
    /// Where it stands for the one who asked.
    pub status: ProposalStatus,
}

/// A proposal's status with the address of its certificate, once there is one.
#[derive(Debug)]
pub struct ProposalView {
    /// Where it stands.
    pub state: ProposalState,
    /// The signed address, fresh at every look (D30).
    pub policy_url: Option<String>,
}

impl Service {
    /// The day of the request in Asia/Kolkata, by which dates and ages are judged (D25).
    pub fn today(&self) -> Date {
        day_of(self.clock.now())
    }

    /// Keeps a proposal made from a quote's recommendation.
    ///
    /// # Errors
    /// [`Error::Invalid`] when quote or recommendation cannot be proposed (D24, D40).
    pub async fn propose(
        &self,
        of: PartnerId,
        request: ProposalRequest,
        answering: Answering<'_, ProposalState>,
    ) -> Result<Answered, Error> {
        let now = self.clock.now();
        let quote = self.quote_of(of, request.quote).await?;
        let quote = quote.ok_or_else(|| Error::invalid("quote_id", UNKNOWN_QUOTE))?;
        let catalogue = self.catalogue_version(quote.catalogue).await?;
        let proposed = proposable(&quote, &catalogue, Some(request.recommendation), now);
        let (variant, premium) = proposed.map_err(Error::Invalid)?;
        if CoverPeriod::proposed(&request, &quote, day_of(now)).is_none() {
            return Err(Error::invalid("context_data", BEYOND_THE_CALENDAR));
        }
        let product = catalogue.product_of(variant)?;
        let mut proposal = Proposal {
            id: self.ids.make(),
            partner: of,
            status: ProposalStatus::Draft,
            created_at: now,
            changed_at: now,
            variant,
            premium,
            request,
        };
        let mut moves = Vec::with_capacity(2);
        if proposal.request.submission == Submission::Submitted {
            proposal.status = ProposalStatus::Pending;
        }
        moves.push(Move { at: now, by: Actor::Partner, from: None, to: proposal.status, reason: None });
        // The answer says what the contract has it say; a straight-through policy follows in the same breath (D29).
        let state = ProposalState { id: proposal.id, status: proposal.status };
        let issue =
            self.issue_straight_through(&mut proposal, &mut moves, &quote, &catalogue, product, now).await?;
        let (bytes, once) = answering.answer(&state, now);
        let ask_insurer = asks_insurer(&proposal, product).then_some(now);
        let act = ProposalAct { moves: &moves, issue: issue.as_ref(), ask_insurer, once: once.as_ref() };
        let kept = self.storage.keep_proposal(&proposal, act).await?;
        if kept == Kept::New {
            self.wake_workers();
            let (id, to) = (state.id, proposal.status);
            tracing::info!(partner.id = %of, proposal.id = %id, proposal.status = %to, "proposal {id} was created and is {to}");
        }
        self.settle(kept, bytes, answering.attempt()).await
    }

    /// What is wrong with a quote and its recommendation, for a request that has other faults already (D11, D24).
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn quote_faults(
        &self,
        of: PartnerId,
        quote: QuoteId,
        recommendation: Option<RecommendationId>,
    ) -> Result<Faults, Error> {
        let Some(quote) = self.quote_of(of, quote).await? else {
            return Ok(Faults::one("quote_id", UNKNOWN_QUOTE));
        };
        let catalogue = self.catalogue_version(quote.catalogue).await?;
        Ok(proposable(&quote, &catalogue, recommendation, self.clock.now()).err().unwrap_or_default())
    }

    /// Where a proposal stands, with a fresh address of its certificate once it is completed (D30).
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn proposal_view(&self, of: PartnerId, id: ProposalId) -> Result<ProposalView, Error> {
        let proposal = self.storage.proposal(of, id).await?.ok_or_else(|| unknown_proposal(id))?;
        let completed = proposal.status == ProposalStatus::Completed;
        let policy_url = completed.then(|| self.signed_address(of, id));
        Ok(ProposalView { state: ProposalState { id, status: proposal.status }, policy_url })
    }

    /// Moves a proposal along for its partner. Of two racing moves exactly one wins (D28).
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::Refused`].
    pub async fn move_proposal(
        &self,
        of: PartnerId,
        id: ProposalId,
        next: ProposalStatus,
        answering: Answering<'_, ProposalState>,
    ) -> Result<Answered, Error> {
        let mover = Mover { by: Actor::Partner, reason: None, insurer_number: None };
        match self.try_move(of, id, next, mover, &answering).await {
            // A twin with the same key may have moved it between our look-up and our look: its answer is ours.
            Err(Error::Refused(refused)) => match answering.attempt() {
                Some(attempt) => {
                    let earlier = self.replay(attempt).await?.ok_or(Error::Refused(refused))?;
                    Ok(Answered { bytes: earlier, replayed: true })
                }
                None => Err(Error::Refused(refused)),
            },
            other => other,
        }
    }

    /// Moves a proposal for its operator, whatever the product's decision (D29).
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::Refused`].
    pub(crate) async fn decide_embedded(
        &self,
        of: PartnerId,
        id: ProposalId,
        next: ProposalStatus,
        reason: Option<PersonalLine>,
    ) -> Result<(), Error> {
        let nothing = |_: &ProposalState| Vec::new();
        let mover = Mover { by: Actor::Operator, reason, insurer_number: None };
        self.try_move(of, id, next, mover, &Answering::new(None, &nothing)).await.map(|_| ())
    }

    pub(crate) async fn try_move(
        &self,
        of: PartnerId,
        id: ProposalId,
        next: ProposalStatus,
        mover: Mover,
        answering: &Answering<'_, ProposalState>,
    ) -> Result<Answered, Error> {
        let now = self.clock.now();
        let found = self.storage.proposal_with_quote(of, id).await?;
        let (mut proposal, quote) = found.ok_or_else(|| unknown_proposal(id))?;
        let from = proposal.status;
        from.move_to(next).map_err(Error::Refused)?;
        let quote = quote.ok_or_else(|| Error::Internal(format!("proposal {id} has lost its quote")))?;
        let catalogue = self.catalogue_version(quote.catalogue).await?;
        let product = catalogue.product_of(proposal.variant)?;
        if mover.by == Actor::Partner {
            product.decision.partner_move(from, next).map_err(Error::Refused)?;
        }
        proposal.status = next;
        proposal.changed_at = now;
        let mut moves =
            vec![Move { at: now, by: mover.by, from: Some(from), to: next, reason: mover.reason }];
        let issue = match next {
            ProposalStatus::Completed => {
                let number = mover.insurer_number;
                Some(self.issue(&proposal, &quote, &catalogue, product, number, now).await?)
            }
            _ => {
                self.issue_straight_through(&mut proposal, &mut moves, &quote, &catalogue, product, now)
                    .await?
            }
        };
        let state = ProposalState { id, status: next };
        let (bytes, once) = answering.answer(&state, now);
        let ask_insurer = asks_insurer(&proposal, product).then_some(now);
        let act = ProposalAct { moves: &moves, issue: issue.as_ref(), ask_insurer, once: once.as_ref() };
        match self.storage.move_proposal(of, id, from, act).await? {
            Moved::Won => {
                self.wake_workers();
                let to = proposal.status;
                tracing::info!(partner.id = %of, proposal.id = %id, proposal.status = %to, "proposal {id} moved to {to}");
                Ok(Answered { bytes, replayed: false })
            }
            Moved::Lost => {
                // Somebody was first: say what the state machine says from where it stands now.
                let stands = self.storage.proposal(of, id).await?.map_or(from, |proposal| proposal.status);
                Err(Error::Refused(
                    stands
                        .move_to(next)
                        .err()
                        .unwrap_or(RefusedMove::NoSuchTransition { from: stands, to: next }),
                ))
            }
            Moved::Twin => self.replay_twin(answering.attempt()).await,
        }
    }

    /// Completes a pending proposal of a straight-through product at once (D29).
    async fn issue_straight_through(
        &self,
        proposal: &mut Proposal,
        moves: &mut Vec<Move>,
        quote: &EmbeddedQuote,
        catalogue: &Arc<Catalogue>,
        product: &Product,
        now: Timestamp,
    ) -> Result<Option<Issue>, Error> {
        if proposal.status != ProposalStatus::Pending || product.decision != Decision::StraightThrough {
            return Ok(None);
        }
        let next = proposal.status.move_to(ProposalStatus::Completed).map_err(Error::Refused)?;
        moves.push(Move { at: now, by: Actor::Service, from: Some(proposal.status), to: next, reason: None });
        proposal.status = next;
        self.issue(proposal, quote, catalogue, product, None, now).await.map(Some)
    }

    /// Makes the policy and its certificate. Nothing is kept yet.
    async fn issue(
        &self,
        proposal: &Proposal,
        quote: &EmbeddedQuote,
        catalogue: &Arc<Catalogue>,
        product: &Product,
        insurer_number: Option<PolicyNumber>,
        now: Timestamp,
    ) -> Result<Issue, Error> {
        let mut check = [0; 16];
        self.random.fill(&mut check);
        let terms = IssueTerms {
            id: self.ids.make(),
            check: CheckCode(check),
            number_prefix: product.policy_number_prefix.clone(),
            insurer_number,
            settlement: product.settlement.clone(),
        };
        let policy = Policy::issue(proposal, quote, terms, now);
        let policy = policy.ok_or_else(|| Error::Internal("cover would run beyond the calendar".into()))?;
        let certificate =
            crate::certificate::facts(&policy, proposal, quote, catalogue, &self.settings.base_url)?;
        let certificate = crate::certificate::render(certificate).await?;
        Ok(Issue { policy, certificate })
    }
}

/// Who moves a proposal, and why.
#[derive(Clone)]
pub(crate) struct Mover {
    pub(crate) by: Actor,
    pub(crate) reason: Option<PersonalLine>,
    /// The insurer's own number of the policy that it accepts.
    pub(crate) insurer_number: Option<PolicyNumber>,
}

/// Whether a proposal waits for its insurer, and the insurer can be asked (D29).
fn asks_insurer(proposal: &Proposal, product: &Product) -> bool {
    proposal.status == ProposalStatus::Pending
        && product.decision == Decision::Insurer
        && product.insurer.connector != Connector::RateTable
}

pub(crate) fn unknown_proposal(id: ProposalId) -> Error {
    Error::Unknown { what: "proposal", id: id.to_string() }
}

const BEYOND_THE_CALENDAR: &str = "A disbursement_date from which the cover would run beyond the calendar was found, here or in the quote; an earlier date is wanted.";
const UNKNOWN_QUOTE: &str =
    "The id of a quote that does not exist was found; the id of one of your quotes is wanted.";
const NOT_PRICED: &str = "A recommendation without a price was found; one that was priced is wanted.";
const OTHER_QUOTES: &str =
    "The id of a recommendation of another quote was found; one of this quote's is wanted.";

/// The variant that a quote's recommendation proposes and its premium, when both can be proposed (D24, D40).
fn proposable(
    quote: &EmbeddedQuote,
    catalogue: &Catalogue,
    recommendation: Option<RecommendationId>,
    now: Timestamp,
) -> Result<(VariantId, Premium), Faults> {
    let mut faults = Faults::default();
    let mut fault = |field: &str, message: String| faults.0.push(Fault { field: field.into(), message });
    let last_day = quote.last_day(catalogue.quote_validity_days());
    if day_of(now) > last_day {
        fault(
            "quote_id",
            format!(
                "A quote that lapsed after {} was found; a quote that still holds is wanted.",
                in_words(last_day)
            ),
        );
    }
    let item = recommendation.map(|id| quote.item(id));
    match item {
        Some(None) => fault("recommendation_id", OTHER_QUOTES.into()),
        Some(Some(QuoteItem { outcome: Err(_), .. })) => fault("recommendation_id", NOT_PRICED.into()),
        _ => {}
    }
    match item.flatten() {
        Some(QuoteItem { variant, outcome: Ok(premium) }) if faults.0.is_empty() => Ok((*variant, *premium)),
        _ => Err(faults),
    }
}

/// Looks up what a kept record refers to in its own catalogue version.
pub(crate) trait ProductOf {
    fn product_of(&self, variant: VariantId) -> Result<&Product, Error>;
}

impl ProductOf for Catalogue {
    fn product_of(&self, variant: VariantId) -> Result<&Product, Error> {
        let known = self.credit_variant(variant).map(|variant| variant.product.as_ref());
        known.ok_or_else(|| Error::Internal(format!("variant {variant} is not in its catalogue version")))
    }
}
