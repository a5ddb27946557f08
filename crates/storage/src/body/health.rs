//! Encoding of health quotes and sessions, in the encrypted body of their rows.

use std::borrow::Cow;

use domain::date::Timestamp;
use domain::health_quote::{
    Age, Ask, Attribution, Customer, HealthOffer, HealthQuote, HealthRequest, Member, NotOffered, Outcome,
    Porting, TenurePrice,
};
use domain::id::{InsurerId, PartnerId, QuoteId, VariantId};
use domain::quote::CatalogueHash;
use ports::storage::Result;
use rust_decimal::Decimal;

use super::record::{record, union};
use super::stored::Stored;
use super::wire::{Ahead, Reader, Unreadable, Writer};

/// Encrypted part of a health quote as requested, without its outcomes: the fields that have no column of
/// their own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HealthQuoteBody {
    request: HealthRequest,
    catalogue: CatalogueHash,
    work: Vec<Work>,
}

/// One ask (request to an insurer): the insurer and the variants to price. `insurer` is `None` for variants
/// that this service prices itself.
#[derive(Debug, Clone, PartialEq)]
struct Work {
    insurer: Option<InsurerId>,
    variants: Vec<VariantId>,
}

/// Outcomes of one ask (request to an insurer), stored while other asks of the quote are open.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AskBody<'q> {
    pub(crate) outcomes: Cow<'q, [Outcome]>,
}

/// Outcomes of all asks (requests to insurers) of a quote, with the ranking of the offers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HealthOutcomeBody {
    asks: Vec<Vec<Outcome>>,
    ranking: Vec<u32>,
}

/// Encrypted part of a session: the fields that have no column of their own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SessionBody {
    pub(crate) metadata: Vec<(String, String)>,
}

impl HealthQuoteBody {
    pub(crate) fn of(quote: &HealthQuote) -> Self {
        let work = quote.asks.iter().map(|ask| Work { insurer: ask.insurer, variants: ask.variants.clone() });
        HealthQuoteBody { request: quote.request.clone(), catalogue: quote.catalogue, work: work.collect() }
    }

    /// Health quote without the outcomes of its asks.
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
    /// Outcomes and ranking of a quote. `None` if an ask is open or the offers are not ranked yet.
    pub(crate) fn of(quote: &HealthQuote) -> Option<Self> {
        let asks = quote.asks.iter().map(|ask| ask.outcomes.clone()).collect::<Option<_>>()?;
        let ranking = quote.ranking.as_ref()?.iter().map(|index| *index as u32).collect();
        Some(HealthOutcomeBody { asks, ranking })
    }

    /// Adds the stored outcomes and the ranking to a quote.
    pub(crate) fn finish(self, quote: &mut HealthQuote) -> Result<()> {
        if self.asks.len() != quote.asks.len() {
            return Err(Unreadable::Damaged.into());
        }
        for (ask, outcomes) in quote.asks.iter_mut().zip(self.asks) {
            ask.outcomes = Some(outcomes);
        }
        quote.ranking = Some(self.ranking.into_iter().map(|index| index as usize).collect());
        Ok(())
    }
}

record! {
    HealthQuoteBody { 0: request, 1: catalogue, 2: work }
    Work { 0: insurer, 1: variants }
    AskBody<'_> { 0: outcomes }
    HealthOutcomeBody { 0: asks, 1: ranking }
    SessionBody { 0: metadata }
    HealthRequest {
        0: lead, 1: user, 2: session, 3: customer, 4: members, 5: has_ped, 6: selected_peds, 7: plan, 8: sum_insured,
        9: deductible, 10: porting, 11: attribution, 12: covered_since,
    }
    Customer { 0: name, 1: gender, 2: phone, 3: pincode, 4: email }
    Member { 0: relation, 1: age }
    Porting { 0: tenure }
    Attribution { 0: partner, 1: enterprise }
    // Inlined, because a page of quotes has hundreds of offers and a thousand prices.
    #[inline(always)]
    HealthOffer { 0: deductible, 1: copay_percent, 2: tenures }
    #[inline(always)]
    TenurePrice { 0: years, 1: premium }
}

union! {
    Outcome {
        0 = (Ok(offer)) { 1: offer },
        1 = (Err(NotOffered::Age { least, most })) { 1: least, 2: most },
        2 = (Err(NotOffered::ChildAge { least, most })) { 1: least, 2: most },
        3 = (Err(NotOffered::Family)) {},
        4 = (Err(NotOffered::Relation(relation))) { 1: relation },
        5 = (Err(NotOffered::Zone)) {},
        6 = (Err(NotOffered::SumInsured)) {},
        7 = (Err(NotOffered::Deductible)) {},
        8 = (Err(NotOffered::Illness)) {},
        9 = (Err(NotOffered::TooLarge)) {},
        10 = (Err(NotOffered::InsurerRefused(reason))) { 1: reason },
        11 = (Err(NotOffered::InsurerFailed)) {},
        12 = (Err(NotOffered::InsurerSlow)) {},
        13 = (Err(NotOffered::ChildAgeFrom { least, most })) { 1: least, 2: most },
    }
}

impl Stored for Age {
    fn write(&self, to: &mut Writer) {
        self.as_decimal().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        Age::of(Decimal::read(from)?).ok_or(Unreadable::Damaged)
    }

    #[inline(always)]
    fn read_ahead(from: Ahead<'_>) -> Option<(Self, Ahead<'_>)> {
        let (years, behind) = Decimal::read_ahead(from)?;
        Some((Age::of(years)?, behind))
    }
}
