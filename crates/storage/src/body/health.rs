//! Health quotes and sessions in bodies.

use domain::date::Timestamp;
use domain::health_quote::{
    Age, Ask, Attribution, Customer, HealthOffer, HealthQuote, HealthRequest, Member, NotOffered, Outcome,
    PlanType, Porting, Relation, TenurePrice,
};
use domain::id::{InsurerId, PartnerId, QuoteId, VariantId};
use domain::quote::CatalogueHash;
use rust_decimal::Decimal;
use service::storage::StorageError;

use super::codec::{Body, Damaged, bytes, record, words};

words!(Relation, PlanType);

/// A health quote without its ids and time, which are the row's, as it is when it is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HealthQuoteBody {
    request: HealthRequest,
    catalogue: CatalogueHash,
    work: Vec<Work>,
}

/// A part of the work list.
#[derive(Debug, Clone, PartialEq)]
struct Work {
    insurer: Option<InsurerId>,
    variants: Vec<VariantId>,
}

/// What came of every ask, and the places in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HealthOutcomeBody {
    asks: Vec<Vec<Outcome>>,
    ranking: Vec<u32>,
}

/// A session without its ids and time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SessionBody {
    pub(crate) metadata: Vec<(String, String)>,
}

impl HealthQuoteBody {
    pub(crate) fn of(quote: &HealthQuote) -> Self {
        let work = quote.asks.iter().map(|ask| Work { insurer: ask.insurer, variants: ask.variants.clone() });
        HealthQuoteBody { request: quote.request.clone(), catalogue: quote.catalogue, work: work.collect() }
    }

    /// The quote, with nothing known of its variants yet.
    pub(crate) fn into_quote(self, id: QuoteId, partner: PartnerId, created_at: Timestamp) -> HealthQuote {
        let ask = |Work { insurer, variants }| Ask { insurer, variants, outcomes: None };
        HealthQuote {
            id,
            partner,
            created_at,
            request: self.request,
            catalogue: self.catalogue,
            asks: self.work.into_iter().map(ask).collect(),
            ranking: None,
        }
    }
}

impl HealthOutcomeBody {
    /// `None` while an ask is open or the quote is not ranked.
    pub(crate) fn of(quote: &HealthQuote) -> Option<Self> {
        let asks = quote.asks.iter().map(|ask| ask.outcomes.clone()).collect::<Option<_>>()?;
        let ranking = quote.ranking.as_ref()?.iter().map(|place| *place as u32).collect();
        Some(HealthOutcomeBody { asks, ranking })
    }

    /// Brings a quote where it was finished.
    pub(crate) fn finish(self, quote: &mut HealthQuote) -> Result<(), StorageError> {
        if self.asks.len() != quote.asks.len() {
            return Err(Damaged.into());
        }
        for (ask, outcomes) in quote.asks.iter_mut().zip(self.asks) {
            ask.outcomes = Some(outcomes);
        }
        quote.ranking = Some(self.ranking.into_iter().map(|place| place as usize).collect());
        Ok(())
    }
}

record! {
    HealthQuoteBody { request, catalogue, work }
    Work { insurer, variants }
    HealthOutcomeBody { asks, ranking }
    SessionBody { metadata }
    HealthRequest {
        lead, user, session, customer, members, has_ped, selected_peds, plan, sum_insured, deductible, porting,
        attribution,
    }
    Customer { name, gender, phone, pincode, email }
    Member { relation, age }
    Porting { tenure }
    Attribution { partner, enterprise }
    HealthOffer { deductible, copay_percent, tenures }
    TenurePrice { years, premium }
}

impl Body for Age {
    fn put(&self, to: &mut Vec<u8>) {
        self.as_decimal().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        Age::of(Decimal::take(from)?).ok_or(Damaged)
    }
}

impl Body for Outcome {
    /// One byte says which; the facts of it follow.
    fn put(&self, to: &mut Vec<u8>) {
        let why = match self {
            Ok(offer) => {
                to.push(0);
                return offer.put(to);
            }
            Err(why) => why,
        };
        match why {
            NotOffered::Age { least, most } => {
                to.push(1);
                least.put(to);
                most.put(to);
            }
            NotOffered::ChildAge { least, most } => {
                to.push(2);
                least.put(to);
                most.put(to);
            }
            NotOffered::Family => to.push(3),
            NotOffered::Relation(relation) => {
                to.push(4);
                relation.put(to);
            }
            NotOffered::Zone => to.push(5),
            NotOffered::SumInsured => to.push(6),
            NotOffered::Deductible => to.push(7),
            NotOffered::Illness => to.push(8),
            NotOffered::TooLarge => to.push(9),
            NotOffered::InsurerRefused(reason) => {
                to.push(10);
                reason.put(to);
            }
            NotOffered::InsurerFailed => to.push(11),
            NotOffered::InsurerSlow => to.push(12),
        }
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        Ok(Err(match bytes(from, 1)?[0] {
            0 => return HealthOffer::take(from).map(Ok),
            1 => NotOffered::Age { least: Body::take(from)?, most: Body::take(from)? },
            2 => NotOffered::ChildAge { least: Body::take(from)?, most: Body::take(from)? },
            3 => NotOffered::Family,
            4 => NotOffered::Relation(Body::take(from)?),
            5 => NotOffered::Zone,
            6 => NotOffered::SumInsured,
            7 => NotOffered::Deductible,
            8 => NotOffered::Illness,
            9 => NotOffered::TooLarge,
            10 => NotOffered::InsurerRefused(Body::take(from)?),
            11 => NotOffered::InsurerFailed,
            12 => NotOffered::InsurerSlow,
            _ => return Err(Damaged),
        }))
    }
}
