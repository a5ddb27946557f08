//! Embedded proposals: made from a quote, changed and viewed by their partner (interface §5 to §7; D24 to
//! D30).

use std::sync::Arc;

use domain::credit_life::{
    CreditApplication, CreditLife, EmbeddedProposal, ProposalRequest, ProposalStatus, QuotedCover, Submission,
};
use domain::date::{Timestamp, day_of, in_words};
use domain::id::{PartnerId, ProposalId, QuoteId, RecommendationId, VariantId};
use domain::identifier::Reference;
use domain::line::ProposalState as _;
use domain::money::Premium;
use domain::premium::PremiumState;
use domain::proposal::{Actor, RefusedMove, Underway};
use domain::quote::{EmbeddedQuote, QuoteItem};
use rating::{Catalogue, Product};

use crate::error::{Error, Fault, Faults, Result};
use crate::line::credit_life::variant as credit_variant;
use crate::line::{SoldLine, straight_through};
use crate::policy::document::PolicyDocumentService;
use crate::proposal::not_kept::NotKept;
use crate::proposal::premium_owed::accepted_at_once;
use crate::proposal::{KeptWith, ProposalService, note_referred};
use crate::quote::embedded::EmbeddedQuoteService;
use crate::shared::Shared;
use crate::shared::idempotency::{Draft, KeptResponse, Outcome};

/// Id and status of a proposal in a response.
#[derive(Debug, Clone, Copy)]
pub struct ProposalState {
    pub id: ProposalId,
    /// Status of the proposal that the response shows.
    pub status: ProposalStatus,
}

/// Status of a proposal, with the address of its certificate once the policy is issued.
#[derive(Debug)]
pub struct ProposalView {
    pub state: ProposalState,
    /// Signed address of the certificate, new in each response (D30). `None` while there is no certificate.
    pub policy_url: Option<String>,
    /// State of the premium. `None` unless the policy waits for the premium.
    pub premium: Option<PremiumState>,
}

/// Proposal that was made or changed, but is not saved yet.
pub struct ProposalDraft {
    /// Id and status in the response. For a straight-through product, the same transaction also issues the
    /// policy, but the contract requires PENDING in the response (D29).
    pub state: ProposalState,
    from: Option<ProposalStatus>,
    is_replaced: bool,
    underway: Underway<EmbeddedProposal>,
    /// The proposal after the issue of its policy, if the product is straight-through and its rules allow the
    /// policy (D29, D61).
    issued: Option<Underway<EmbeddedProposal>>,
}

impl Draft for ProposalDraft {
    fn at(&self) -> Timestamp {
        self.underway.at()
    }
}

/// Makes credit-life proposals from quotes, and changes their status for their partner.
pub struct EmbeddedProposalService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) proposals: Arc<ProposalService>,
    pub(crate) quotes: Arc<EmbeddedQuoteService>,
    pub(crate) documents: Arc<PolicyDocumentService>,
}

impl EmbeddedProposalService {
    /// Makes a proposal from one recommendation of a quote, without saving it.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the quote or recommendation cannot be proposed (D24, D40), or the product's
    /// rules do not allow the sale (D61); [`Error::InsurerUnavailable`].
    pub async fn make(&self, of: PartnerId, request: ProposalRequest) -> Result<ProposalDraft> {
        let (proposal, product) = self.proposed(of, None, request).await?;
        let state = ProposalState { id: proposal.id, status: proposal.status };
        let underway = Underway::created(proposal, Actor::Partner);
        let issued = straight_to_policy(&underway, &product)?;
        Ok(ProposalDraft { state, from: None, is_replaced: false, underway, issued })
    }

    /// Replaces a draft, and submits it if the request says so, without saving it.
    ///
    /// # Errors
    /// As [`EmbeddedProposalService::make`]; [`Error::Unknown`]; [`Error::Refused`] if the proposal is no draft.
    pub async fn replace(
        &self,
        of: PartnerId,
        id: ProposalId,
        request: ProposalRequest,
    ) -> Result<ProposalDraft> {
        let before = self.proposals.find::<CreditLife>(of, id).await?;
        let from = before.status;
        if from != ProposalStatus::Draft {
            return Err(Error::Refused(RefusedMove::between(from, ProposalStatus::Draft)));
        }
        let (proposal, product) = self.proposed(of, Some(id), request).await?;
        let (status, at) = (proposal.status, proposal.changed_at);
        let EmbeddedProposal { created_at, changed_at, .. } = before;
        let draft = EmbeddedProposal { id, status: from, created_at, changed_at, ..proposal };
        let mut underway = Underway::resumed(draft, at);
        if status != from {
            underway.go(Actor::Partner, status, None).map_err(Error::Refused)?;
        }
        let issued = straight_to_policy(&underway, &product)?;
        Ok(ProposalDraft {
            state: ProposalState { id, status },
            from: Some(from),
            is_replaced: true,
            underway,
            issued,
        })
    }

    /// Proposal of a request with its product. `id`: the draft that it replaces.
    async fn proposed(
        &self,
        of: PartnerId,
        id: Option<ProposalId>,
        request: ProposalRequest,
    ) -> Result<(EmbeddedProposal, Arc<Product>)> {
        let now = self.shared.partner_clock.now(of);
        let quote = self.quotes.find(of, request.quote).await?;
        let quote = quote.ok_or_else(|| Error::invalid("quote_id", UNKNOWN_QUOTE))?;
        let catalogue = self.shared.catalogues.version(quote.catalogue).await?;
        let proposed = proposable(&quote, &catalogue, Some(request.recommendation), now);
        let (variant, premium) = proposed.map_err(Error::Invalid)?;
        let status = match request.submission {
            Submission::Draft => ProposalStatus::Draft,
            Submission::Submitted => ProposalStatus::Pending,
        };
        let quoted = QuotedCover { at: quote.created_at, request: quote.request, catalogue: quote.catalogue };
        let context = request.context.over(&quoted.request.context);
        let reference = context.first(&self.shared.settings.reference_key).and_then(Reference::of);
        let application = CreditApplication { variant, quoted, request };
        let today = day_of(now);
        if application.period(today).is_none() {
            return Err(Error::invalid("context_data", BEYOND_THE_CALENDAR));
        }
        let sold = credit_variant(&catalogue, variant)?;
        let rules = &self.proposals.rules;
        if let Some(why) = rules.not_sold_now(of, &sold.product, today) {
            return Err(Error::invalid("recommendation_id", why));
        }
        let broken = rules.credit_life((of, id), sold, &application, premium, today, Actor::Partner).await?;
        if !broken.0.is_empty() {
            return Err(Error::Invalid(broken));
        }
        let proposal = EmbeddedProposal {
            id: self.shared.ids.make(),
            partner: of,
            session: None,
            status,
            created_at: now,
            changed_at: now,
            premium,
            reason: None,
            insurer_reference: None,
            reference,
            application,
        };
        let product = credit_variant(&catalogue, variant)?.product.clone();
        Ok((proposal, product))
    }

    /// Faults of the quote and the recommendation that a request names. For a request that has other faults
    /// too, so that one response lists all (D11, D24).
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn quote_faults(
        &self,
        of: PartnerId,
        quote: QuoteId,
        recommendation: Option<RecommendationId>,
    ) -> Result<Faults> {
        let Some(quote) = self.quotes.find(of, quote).await? else {
            return Ok(Faults::one("quote_id", UNKNOWN_QUOTE));
        };
        let catalogue = self.shared.catalogues.version(quote.catalogue).await?;
        Ok(proposable(&quote, &catalogue, recommendation, self.shared.partner_clock.now(of))
            .err()
            .unwrap_or_default())
    }

    /// Status of a proposal, with a new address of its certificate once the policy is issued (D30).
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn view(&self, of: PartnerId, id: ProposalId) -> Result<ProposalView> {
        let status = self.proposals.status::<CreditLife>(of, id).await?;
        let completed = status == ProposalStatus::Completed;
        let policy_url = completed.then(|| self.documents.signed_address(of, id));
        let premium = match status.is_undecided() {
            true => self.shared.storage.premium(of, id).await?.map(|premium| premium.books.state()),
            false => None,
        };
        Ok(ProposalView { state: ProposalState { id, status }, policy_url, premium })
    }

    /// Changes the status of a proposal for its partner, without saving it.
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::Refused`].
    pub async fn make_move(
        &self,
        of: PartnerId,
        id: ProposalId,
        next: ProposalStatus,
    ) -> Result<ProposalDraft> {
        let proposal = self.proposals.find::<CreditLife>(of, id).await?;
        let from = proposal.status;
        from.move_to(next).map_err(Error::Refused)?;
        let catalogue = self.shared.catalogues.version(proposal.application.quoted.catalogue).await?;
        let product = CreditLife::product(&catalogue, &proposal)?;
        if from.is_undecided() {
            product.decision.by_partner().map_err(Error::Refused)?;
        }
        let mut underway = Underway::resumed(proposal, self.shared.partner_clock.now(of));
        underway.go(Actor::Partner, next, None).map_err(Error::Refused)?;
        let issued = straight_to_policy(&underway, product)?;
        let state = ProposalState { id, status: next };
        Ok(ProposalDraft { state, from: Some(from), is_replaced: false, underway, issued })
    }

    /// Saves a new proposal or a status change, in one transaction with its response if the request has an
    /// idempotency key. If two status changes of a proposal arrive at once, only one is saved (D28).
    ///
    /// # Errors
    /// [`Error::Refused`] for the status change that was not saved; [`Error::AgainstRules`] if the product's
    /// rules do not allow the policy; [`Error::Storage`] if nothing was saved.
    pub async fn keep(
        &self,
        draft: ProposalDraft,
        response: Option<KeptResponse>,
    ) -> Result<Outcome<ProposalState>> {
        let response_kept = response.as_ref().map(KeptResponse::keyed);
        let with =
            KeptWith { response: response_kept, is_replaced: draft.is_replaced, ..KeptWith::default() };
        let kept = match Box::pin(self.record(&draft, with)).await {
            // The earlier sale may be that of an identical request, whose answer is this one's.
            Err(NotKept::Failed(Error::AgainstRules(broken))) => match &response {
                Some(response) if self.shared.idempotency.has_kept(response).await? => Err(NotKept::Twin),
                _ => Err(Error::AgainstRules(broken).into()),
            },
            kept => kept,
        };
        let kept = NotKept::or_twin(kept)?;
        self.shared.idempotency.outcome(kept, draft.state, response).await
    }

    /// Fault of a proposal whose quote and variant were already sold to the same person (D140).
    async fn sold_before(&self, proposal: &EmbeddedProposal) -> Result<Option<Fault>> {
        let catalogue = self.shared.catalogues.version(proposal.application.quoted.catalogue).await?;
        let variant = credit_variant(&catalogue, proposal.application.variant)?;
        Ok(self.proposals.rules.earlier_sales(proposal, variant).await?.same)
    }

    /// Saves a draft, with its policy if the policy is issued at once. If the product's rules do not allow
    /// the policy, the proposal stays submitted for the operator to decide. If the premium is due, the
    /// proposal is accepted and waits for the premium.
    async fn record(&self, draft: &ProposalDraft, with: KeptWith<'_>) -> Result<(), NotKept> {
        if let Some(issued) = &draft.issued {
            match self.proposals.record(issued, draft.from, with).await {
                Err(NotKept::Failed(Error::AgainstRules(broken))) => {
                    // The operator could only reject a second sale from the same quote.
                    if let Some(sold) = self.sold_before(issued.proposal()).await? {
                        return Err(Error::AgainstRules(Faults(vec![sold])).into());
                    }
                    note_referred(draft.state.id, &broken);
                }
                Err(NotKept::Failed(Error::PremiumDue(_))) => {
                    let accepted = accepted_at_once(issued.at());
                    let with = KeptWith { accepted: Some(&accepted), ..with };
                    return self.proposals.record(&draft.underway, draft.from, with).await;
                }
                other => return other,
            }
        }
        self.proposals.record(&draft.underway, draft.from, with).await
    }
}

/// Copy of a submitted proposal in which its policy is issued, for a straight-through product (D29). `None`
/// for other products.
fn straight_to_policy(
    underway: &Underway<EmbeddedProposal>,
    product: &Product,
) -> Result<Option<Underway<EmbeddedProposal>>> {
    let steps = straight_through::<CreditLife>(underway.proposal().status, product);
    if steps.is_empty() {
        return Ok(None);
    }
    let mut issued = underway.clone();
    for next in steps {
        issued.go(Actor::Service, next, None).map_err(Error::Refused)?;
    }
    Ok(Some(issued))
}

const BEYOND_THE_CALENDAR: &str =
    "disbursement_date, here or in the quote, is too late: cover would end after the year 9999.";
const UNKNOWN_QUOTE: &str = "Must be the id of one of your quotes.";
const NOT_PRICED: &str = "This recommendation has no price: choose a recommendation without is_error.";
const OTHER_QUOTES: &str = "Must be a recommendation of this quote.";

/// Variant and premium of a quote's recommendation, if both can be proposed (D24, D40).
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
        fault("quote_id", format!("The quote was valid until {}. Get a new quote.", in_words(last_day)));
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
