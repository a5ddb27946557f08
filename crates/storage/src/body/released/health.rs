//! Example bodies of health quotes and sessions, for the tests of released encodings.

use domain::date::{LeastAge, Timestamp};
use domain::health_quote::{
    Age, Ask, Attribution, Customer, HealthOffer, HealthQuote, HealthRequest, Member, NotOffered, Outcome,
    PlanType, Porting, Relation, TenurePrice,
};
use domain::id::{InsurerId, PartnerId, QuoteId, SessionId, Uuid, VariantId};
use domain::money::{Premium, Rupees};
use domain::person::{Email, HomePincode, Mobile, PersonalLine, PlatformId};
use domain::quote::CatalogueHash;
use rust_decimal::Decimal;

use super::super::{AskBody, HealthOutcomeBody, HealthQuoteBody, SessionBody};
use super::Example;

pub(super) fn examples() -> Vec<Example> {
    let quote = quote();
    let refused = quote.asks[1].outcomes.clone().expect("answered");
    let too_young = [LeastAge::Days(91), LeastAge::Months(3)];
    let too_young: Vec<Outcome> =
        too_young.into_iter().map(|least| Err(NotOffered::ChildAgeFrom { least, most: 25 })).collect();
    let metadata = vec![("channel".to_owned(), "app".to_owned())];
    vec![
        Example::newest("health_quote.v1", HealthQuoteBody::of(&quote)),
        Example::newest("health_ask.v1", AskBody { outcomes: refused.into() }),
        Example::newest("health_ask.v1.ages", AskBody { outcomes: too_young.into() }),
        Example::newest("health_outcome.v1", HealthOutcomeBody::of(&quote).expect("finished")),
        Example::newest("session.v1", SessionBody { metadata }),
    ]
}

/// Quote with every field set.
fn quote() -> HealthQuote {
    let line = |text: &str| Some(PersonalLine::kept(text.into()));
    let variant = |n| VariantId::from_uuid(Uuid::from_u128(n));
    let age = |years: &str| Age::of(years.parse().expect("a number")).expect("an age");
    let tenure = |years, base| TenurePrice {
        years,
        premium: Premium::of_parts(Rupees::from_paise(base), Rupees::from_paise(base / 5)).expect("small"),
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
            covered_since: None,
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

#[test]
fn a_health_quote_is_restored_from_its_quote_body_and_outcome_body() {
    let quote = quote();
    let mut read = HealthQuoteBody::of(&quote).into_quote(quote.id, quote.partner, quote.created_at);
    assert_eq!(read.ranking, None);
    HealthOutcomeBody::of(&quote).expect("finished").finish(&mut read).expect("it fits");
    assert_eq!(read, quote);
}
