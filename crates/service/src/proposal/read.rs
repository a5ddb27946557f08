//! Partners' view of proposals of every line of business: the status, the missing steps and who must take
//! them (D80).

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use domain::credit_life::EmbeddedProposal;
use domain::date::Timestamp;
use domain::health_proposal::HealthProposal;
use domain::id::{PartnerId, PolicyId, ProposalId};
use domain::identifier::Reference;
use domain::line::{Line, LineOfBusiness, ProposalState, QuotedVariant};
use domain::money::Premium;
use domain::period::Period;
use domain::person::PersonalLine;
use domain::premium::{PremiumRoute, PremiumState, ProposalPremium};
use domain::proposal::{Actor, Decision, Move, Proposal};
use domain::text::vocabulary;

use crate::error::Result;
use crate::line::SoldLine;
use crate::list::cursor::ListKind;
use crate::list::{ListAsk, ListPage, Lists};
use crate::policy::EXPORTED_AT_ONCE;
use crate::proposal::{ProposalService, unknown_proposal};
use crate::shared::Shared;
use crate::storage::lists::{Beyond, ListPosition, ListStart, Page, Selection};

vocabulary! {
    /// What a proposal waits for before it can become a policy.
    Awaited, "one of SUBMISSION, PREMIUM, DECISION" {
        /// The proposal is saved, but not submitted.
        Submission = "SUBMISSION",
        Premium = "PREMIUM",
        /// The partner, the insurer or the operator must decide the proposal.
        Decision = "DECISION",
    }
}

/// Step that is missing before the policy, with the actor who must take it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Awaits {
    pub what: Awaited,
    /// Actor who must take the step.
    pub from: Actor,
}

/// A proposal of any line of business, as its partner reads it.
#[derive(Debug, Clone)]
pub struct ProposalShown {
    pub id: ProposalId,
    pub line: LineOfBusiness,
    /// Status, in the contract's word for the line of business.
    pub status: &'static str,
    /// Time since which the proposal has this status.
    pub status_since: Timestamp,
    /// Reason of the last status change.
    pub reason: Option<PersonalLine>,
    pub created_at: Timestamp,
    /// Id of the session in which the proposal was made.
    pub session: Option<String>,
    /// Partner's reference for the sale.
    pub reference: Option<Reference>,
    /// Id of the quote. For an imported proposal, the id in the imported record.
    pub quote_id: String,
    /// Id of the variant. For an imported proposal, the id in the imported record.
    pub variant_id: String,
    /// Names of the insurer and the product. `None` for an imported proposal.
    pub sold: Option<Sold>,
    pub premium: Premium,
    /// Route and state of the premium. `None` if the product is unknown here, or the proposal was not
    /// submitted or was refused.
    pub payment: Option<Payment>,
    /// Steps that are missing before the policy. Empty once the proposal is decided.
    pub awaits: Vec<Awaits>,
    /// Policy of the proposal, once it is issued.
    pub policy: Option<PolicyId>,
}

/// Names of the insurer and the product.
#[derive(Debug, Clone)]
pub struct Sold {
    pub insurer: String,
    pub product: String,
}

/// Route and state of a proposal's premium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payment {
    pub route: PremiumRoute,
    /// `None` if nothing is recorded yet, because a deposit pays the premium only when the policy is issued.
    pub state: Option<PremiumState>,
}

/// Proposal with its history.
pub struct ProposalReading {
    pub shown: ProposalShown,
    /// Every status change, oldest first, including the creation of the proposal.
    pub history: Vec<Moved>,
}

/// Status change, in the contract's words for the line of business.
pub struct Moved {
    pub at: Timestamp,
    pub by: Actor,
    /// Previous status. `None` for the creation of the proposal.
    pub from: Option<&'static str>,
    /// New status.
    pub to: &'static str,
    pub reason: Option<PersonalLine>,
}

/// Reads proposals of every line of business for their partners.
pub struct ProposalReadService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) proposals: Arc<ProposalService>,
    pub(crate) lists: Arc<Lists>,
}

/// Evaluates the same expression for the line of business of a value.
macro_rules! on_line {
    ($line:expr, $l:ident => $words:expr) => {
        match $line {
            LineOfBusiness::CreditLife => {
                type $l = domain::credit_life::CreditLife;
                $words
            }
            LineOfBusiness::Health => {
                type $l = domain::health_proposal::Health;
                $words
            }
        }
    };
}

/// Proposal of any line of business, as the store has it.
enum StoredProposal {
    CreditLife(Box<EmbeddedProposal>),
    Health(Box<HealthProposal>),
}

impl From<EmbeddedProposal> for StoredProposal {
    fn from(proposal: EmbeddedProposal) -> Self {
        StoredProposal::CreditLife(Box::new(proposal))
    }
}

impl From<HealthProposal> for StoredProposal {
    fn from(proposal: HealthProposal) -> Self {
        StoredProposal::Health(Box::new(proposal))
    }
}

/// Evaluates the same expression on a proposal of any line of business.
macro_rules! on_found {
    ($found:expr, $proposal:ident => $words:expr) => {
        match $found {
            StoredProposal::CreditLife($proposal) => $words,
            StoredProposal::Health($proposal) => $words,
        }
    };
}

impl StoredProposal {
    fn position(&self) -> ListPosition {
        on_found!(self, proposal => ListPosition { created_at: proposal.created_at, id: proposal.id.uuid() })
    }
}

/// Pages of a partner's proposals.
pub struct ProposalPages<'a> {
    reads: &'a ProposalReadService,
    of: PartnerId,
    which: Selection,
    from: Option<ListStart>,
}

impl ProposalPages<'_> {
    /// Next page. `None` after the last page.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn next(&mut self) -> Result<Option<Vec<ProposalShown>>> {
        let Some(from) = self.from.take() else { return Ok(None) };
        let page = self.reads.page(self.of, &self.which, from, EXPORTED_AT_ONCE).await?;
        let Some(last) = page.records.last().map(ProposalShown::position) else { return Ok(None) };
        self.from = page.has_older.then_some(Some(Beyond::After(last)));
        Ok(Some(page.records))
    }
}

impl ProposalReadService {
    /// A page of a partner's proposals of every line of business, newest first.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] with every fault of the query (D80).
    pub async fn list(&self, of: PartnerId, ask: ListAsk) -> Result<ListPage<ProposalShown>> {
        let list = ListKind::AnyProposals;
        let resolved = self.lists.resolve(of, list, ask)?;
        let page = match &resolved.which {
            Some(which) => self.page(of, which, resolved.from, resolved.limit.into()).await?,
            None => Page::default(),
        };
        Ok(self.lists.page(of, list, resolved, page, ProposalShown::position))
    }

    /// Pages of a partner's proposals, newest first: every proposal, or those that were made in a period.
    pub fn pages(&self, of: PartnerId, days: Option<Period>) -> ProposalPages<'_> {
        let which = days.map_or(Selection::All, Selection::Period);
        ProposalPages { reads: self, of, which, from: Some(None) }
    }

    /// Page of the proposals of all lines of business together. Each line has its own list, so this page
    /// takes the nearest records of their pages.
    async fn page(
        &self,
        of: PartnerId,
        which: &Selection,
        from: ListStart,
        most: usize,
    ) -> Result<Page<ProposalShown>> {
        let mut all = Page::default();
        for line in LineOfBusiness::ALL {
            on_line!(line, L => {
                let page = L::storage(self.shared.storage.as_ref()).proposals(of, which.clone(), from, most).await?;
                all.has_newer |= page.has_newer;
                all.has_older |= page.has_older;
                all.count += page.count;
                all.records.extend(page.records.into_iter().map(StoredProposal::from));
            });
        }
        // Proposals with a given reference are ordered by their ids.
        match which {
            Selection::Reference(_) => all.records.sort_by_key(|found| Reverse(found.position().id)),
            _ => all.records.sort_by_key(|found| Reverse(found.position())),
        }
        if let Some(beyond) = all.records.len().checked_sub(most).filter(|beyond| *beyond > 0) {
            match from {
                Some(Beyond::Before(_)) => {
                    all.has_newer = true;
                    all.records.drain(..beyond);
                }
                None | Some(Beyond::After(_)) => {
                    all.has_older = true;
                    all.records.truncate(most);
                }
            }
        }
        let Page { records, has_newer, has_older, count } = all;
        Ok(Page { records: self.all_shown(of, &records).await?, has_newer, has_older, count })
    }

    /// Proposals in the form that partners read. The premiums and policies of all proposals are read at once.
    async fn all_shown(&self, of: PartnerId, found: &[StoredProposal]) -> Result<Vec<ProposalShown>> {
        let (mut submitted, mut issued) = (Vec::new(), Vec::new());
        for found in found {
            on_found!(found, proposal => {
                submitted.extend((!proposal.status.is_unsubmitted()).then_some(proposal.id));
                issued.extend(is_issued(proposal).then_some(proposal.id));
            });
        }
        let premiums = self.shared.storage.premiums_of(of, &submitted).await?;
        let premiums: HashMap<ProposalId, ProposalPremium> =
            premiums.into_iter().map(|premium| (premium.proposal, premium)).collect();
        let policies: HashMap<ProposalId, PolicyId> =
            self.shared.storage.policies_of_proposals(of, &issued).await?.into_iter().collect();
        let mut shown = Vec::with_capacity(found.len());
        for found in found {
            shown.push(on_found!(found, proposal => {
                let policy = policies.get(&proposal.id).copied();
                self.shown(proposal, premiums.get(&proposal.id), policy).await?
            }));
        }
        Ok(shown)
    }

    /// Proposals of a partner in one line of business, in the order of `ids`. Proposals that do not exist are
    /// left out.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn shown_of(
        &self,
        of: PartnerId,
        line: LineOfBusiness,
        ids: &[ProposalId],
    ) -> Result<Vec<ProposalShown>> {
        on_line!(line, L => {
            let mut found = Vec::with_capacity(ids.len());
            for id in ids {
                found.extend(self.proposals.find_if_any::<L>(of, *id).await?.map(StoredProposal::from));
            }
            self.all_shown(of, &found).await
        })
    }

    /// Proposal of a partner, with its history.
    ///
    /// # Errors
    /// [`crate::Error::Unknown`].
    pub async fn view(&self, of: PartnerId, id: ProposalId) -> Result<ProposalReading> {
        let owner = self.shared.storage.owner_of_proposal(id).await?;
        let (_, line) = owner.filter(|(owner, _)| *owner == of).ok_or_else(|| unknown_proposal(id))?;
        on_line!(line, L => self.view_of::<L>(of, id).await)
    }

    async fn view_of<L: SoldLine>(&self, of: PartnerId, id: ProposalId) -> Result<ProposalReading>
    where
        StoredProposal: From<Proposal<L>>,
    {
        let found = self.proposals.find::<L>(of, id).await?.into();
        let shown = self.all_shown(of, &[found]).await?.pop().ok_or_else(|| unknown_proposal(id))?;
        let made = |made: Move<L::Status>| Moved {
            at: made.at,
            by: made.by,
            from: made.from.map(L::Status::word),
            to: made.to.word(),
            reason: made.reason,
        };
        let history = self.proposals.history::<L>(of, id).await?.into_iter().map(made).collect();
        Ok(ProposalReading { shown, history })
    }

    async fn shown<L: SoldLine>(
        &self,
        proposal: &Proposal<L>,
        noted: Option<&ProposalPremium>,
        policy: Option<PolicyId>,
    ) -> Result<ProposalShown> {
        let catalogue = self.proposals.catalogue_of(proposal).await?;
        let product = match &catalogue {
            Some(catalogue) => Some(L::product(catalogue, proposal)?),
            None => None,
        };
        let status = proposal.status;
        let is_open = !status.is_final();
        let route = product.map(|product| product.premium.route());
        let is_paid_for = is_issued(proposal) || is_open && !status.is_unsubmitted();
        let payment = route
            .filter(|_| is_paid_for)
            .map(|route| Payment { route, state: noted.map(|noted| noted.books.state()) });
        let awaits = match product.map(|product| product.decision) {
            Some(decision) if is_open => awaits::<L>(proposal, decision, payment, noted),
            _ => Vec::new(),
        };
        let (quote_id, variant_id) = match L::quoted(&proposal.application) {
            QuotedVariant::Here(quote, variant) => (quote.to_string(), variant.to_string()),
            QuotedVariant::Elsewhere { quote, variant } => (quote.to_owned(), variant.to_owned()),
        };
        Ok(ProposalShown {
            id: proposal.id,
            line: L::LINE,
            status: status.word(),
            status_since: proposal.changed_at,
            reason: proposal.reason.clone(),
            created_at: proposal.created_at,
            session: proposal.session.map(|session| session.to_string()),
            reference: proposal.reference.clone(),
            quote_id,
            variant_id,
            sold: product
                .map(|product| Sold { insurer: product.insurer.name.clone(), product: product.name.clone() }),
            premium: proposal.premium,
            payment,
            awaits,
            policy,
        })
    }
}

impl ProposalShown {
    fn position(&self) -> ListPosition {
        ListPosition { created_at: self.created_at, id: self.id.uuid() }
    }
}

/// Whether this service may have issued a policy for the proposal.
fn is_issued<L: Line>(proposal: &Proposal<L>) -> bool {
    proposal.status == L::Status::ISSUED
}

/// What an undecided proposal waits for.
fn awaits<L: SoldLine>(
    proposal: &Proposal<L>,
    decision: Decision,
    payment: Option<Payment>,
    noted: Option<&ProposalPremium>,
) -> Vec<Awaits> {
    if proposal.status.is_unsubmitted() {
        return vec![Awaits { what: Awaited::Submission, from: L::SUBMITTED_BY }];
    }
    let mut awaits = Vec::new();
    let is_decided = noted.is_some_and(|noted| noted.decision.is_some());
    if !is_decided {
        let from = match decision {
            Decision::Partner => Actor::Partner,
            Decision::Insurer if proposal.status.is_undecided() => Actor::Insurer,
            // The operator also decides proposals for a straight-through product whose rules did not allow
            // the policy.
            Decision::Insurer | Decision::Operator | Decision::StraightThrough => Actor::Operator,
        };
        awaits.push(Awaits { what: Awaited::Decision, from });
    }
    let is_missing = match noted {
        Some(noted) => noted.waits(),
        // The deposit pays the premium only at the issue of the policy, which was not tried yet.
        None => false,
    };
    if let Some(Payment { route, .. }) = payment.filter(|_| is_missing) {
        let from = match route {
            PremiumRoute::Link | PremiumRoute::Here => Actor::Customer,
            PremiumRoute::Deposit | PremiumRoute::Partner => Actor::Partner,
        };
        awaits.push(Awaits { what: Awaited::Premium, from });
    }
    awaits
}
