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

#[cfg(test)]
mod tests {
    use domain::date::Timestamp;
    use domain::id::{SessionId, Uuid};
    use domain::money::{Premium, Rupees};
    use domain::person::{Email, HomePincode, Mobile, PersonalLine, PlatformId};

    use super::super::codec::{decode, encode};
    use super::*;

    /// A quote with something in every field.
    fn quote() -> HealthQuote {
        let line = |text: &str| Some(PersonalLine::kept(text.into()));
        let variant = |n| VariantId::from_uuid(Uuid::from_u128(n));
        let age = |years: &str| Age::of(years.parse().expect("a number")).expect("an age");
        let tenure = |years, base| TenurePrice {
            years,
            premium: Premium::of_parts(Rupees::from_paise(base), Rupees::from_paise(base / 5))
                .expect("small"),
        };
        let offer = HealthOffer {
            deductible: Rupees::whole(300_000),
            copay_percent: 20,
            tenures: vec![tenure(1, 1_234_500), tenure(3, 3_333_000)],
        };
        let refused = [
            NotOffered::Age { least: 18, most: 65 },
            NotOffered::ChildAge { least: 0, most: 25 },
            NotOffered::Family,
            NotOffered::Relation(Relation::Mother),
            NotOffered::Zone,
            NotOffered::SumInsured,
            NotOffered::Deductible,
            NotOffered::Illness,
            NotOffered::TooLarge,
            NotOffered::InsurerRefused("No.".into()),
            NotOffered::InsurerFailed,
            NotOffered::InsurerSlow,
        ];
        let refused: Vec<Outcome> = refused.into_iter().map(Err).collect();
        let places = |from: u128, to: u128| (from..to).map(variant).collect();
        HealthQuote {
            id: QuoteId::from_uuid(Uuid::from_u128(1)),
            partner: PartnerId::from_uuid(Uuid::from_u128(2)),
            created_at: Timestamp::UNIX_EPOCH,
            request: HealthRequest {
                lead: Some(PlatformId::kept("lead".into())),
                user: Some(PlatformId::kept("user".into())),
                session: Some(SessionId::from_uuid(Uuid::from_u128(3))),
                customer: Customer {
                    name: line("Asha"),
                    gender: line("F"),
                    phone: Some(Mobile::kept("9876543210".into())),
                    pincode: HomePincode::kept("560038".into()),
                    email: Some(Email::kept("a@b.in".into())),
                },
                members: vec![Member { relation: Relation::Son, age: age("0.5") }],
                has_ped: true,
                selected_peds: vec!["diabetes".into()],
                plan: PlanType::SuperTopUp,
                sum_insured: Rupees::whole(1_000_000),
                deductible: Some(Rupees::whole(300_000)),
                porting: Some(Porting { tenure: Some(Decimal::new(25, 1)) }),
                attribution: Attribution { partner: Some("par".into()), enterprise: None },
            },
            catalogue: CatalogueHash([9; 32]),
            asks: vec![
                Ask { insurer: None, variants: places(10, 11), outcomes: Some(vec![Ok(offer)]) },
                Ask {
                    insurer: Some(InsurerId::from_uuid(Uuid::from_u128(4))),
                    variants: places(20, 32),
                    outcomes: Some(refused),
                },
            ],
            ranking: Some(vec![0]),
        }
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn version_1_of_a_health_quote_is_written_as_it_was_released() {
        let quote = quote();
        let body = encode(1, &HealthQuoteBody::of(&quote));
        let outcome = encode(1, &HealthOutcomeBody::of(&quote).expect("finished"));
        // Rows hold these very bytes. If this differs, old rows can no longer be read: add a version instead.
        assert_eq!(hex(&body), RELEASED_BODY);
        assert_eq!(hex(&outcome), RELEASED_OUTCOME);
        let read: HealthQuoteBody = decode(1, &body).expect("readable");
        let mut read = read.into_quote(quote.id, quote.partner, quote.created_at);
        assert_eq!(read.ranking, None);
        decode::<HealthOutcomeBody>(1, &outcome).expect("readable").finish(&mut read).expect("fits");
        assert_eq!(read, quote);
    }

    const RELEASED_BODY: &str = concat!(
        "0101046c6561640104757365720100000000000000000000000000000003010441736861010146010a3938373635",
        "34333231300635363030333801066140622e696e010503302e350101086469616265746573018084af5f01808ece",
        "1c010103322e35010370617200090909090909090909090909090909090909090909090909090909090909090902",
        "00010000000000000000000000000000000a01000000000000000000000000000000040c00000000000000000000",
        "00000000001400000000000000000000000000000015000000000000000000000000000000160000000000000000",
        "00000000000000170000000000000000000000000000001800000000000000000000000000000019000000000000",
        "0000000000000000001a0000000000000000000000000000001b0000000000000000000000000000001c00000000",
        "00000000000000000000001d0000000000000000000000000000001e0000000000000000000000000000001f",
    );
    const RELEASED_OUTCOME: &str = concat!(
        "01020100808ece1c14020188d99601e8911e0390ee9603d0af510c01124102001903040305060708090a034e6f2e",
        "0b0c0100",
    );
}
