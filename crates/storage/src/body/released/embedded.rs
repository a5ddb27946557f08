//! Example bodies of embedded quotes, proposals and policies, for the tests of released encodings.

use std::borrow::Cow;

use domain::cancellation::{Cancellation, CancellationReason};
use domain::context::{Context, ContextEntry};
use domain::credit_life::{CreditApplication, CreditCover, ProposalRequest, QuotedCover, Submission};
use domain::date::{BirthDate, Date, LeastAge, Timestamp};
use domain::endorsement::{
    ChargePayment, CoverTerms, Endorsement, EndorsementChange, EndorsementState, NewContact,
};
use domain::id::{ClaimId, PolicyId, QuoteId, RecommendationId, Uuid, VariantId};
use domain::identifier::Reference;
use domain::money::{CoverAmount, Premium, Rupees};
use domain::person::{
    Address, Appointee, Document, DocumentType, Education, Email, Gender, Income, MaritalStatus, Mobile,
    Name, Nationality, Nominee, Occupation, Organization, Person, PersonalLine, Phone, Pincode, PrintedLine,
    Relationship, Share, Title,
};
use domain::policy::{CheckCode, CoverPeriod};
use domain::premium::PaymentReference;
use domain::proposal::Actor;
use domain::quote::{CatalogueHash, NotPriced, PolicyTerm, QuoteItem, QuoteRequest};
use domain::refund::{OwedRefund, RefundPayment};
use domain::text::FromText;

use super::super::{CreditPolicyBody, CreditProposalBody, PolicyBody, ProposalBody, QuoteBody};
use super::Example;
use super::claims::claims;

pub(super) fn examples() -> Vec<Example> {
    vec![
        Example::newest("embedded_quote.v1", quote()),
        Example::newest("embedded_quote.v1.ages", quote_of_ages()),
        Example::newest("embedded_quote.v1.rider", quote_of_a_rider()),
        Example::newest("credit_proposal.v1", proposal()),
        Example::newest("credit_proposal.v1.fewest", fewest()),
        Example::newest(
            "credit_proposal.v1.reference",
            ProposalBody { reference: Some(reference()), ..fewest() },
        ),
        Example::newest("credit_policy.v1", policy()),
        Example::newest("credit_policy.v1.claims", PolicyBody { claims: claims(), ..policy() }),
        Example::newest(
            "credit_policy.v1.reference",
            PolicyBody { reference: Some(reference()), ..policy() },
        ),
        Example::newest(
            "credit_policy.v1.cancelled",
            PolicyBody { cancellation: Some(Cow::Owned(cancellation())), ..policy() },
        ),
        Example::newest(
            "credit_policy.v1.renewed",
            PolicyBody {
                renewable_until: Some(Date::constant(2029, 12, 19)),
                renewed_by: Some(PolicyId::from_uuid(Uuid::from_u128(6))),
                ..policy()
            },
        ),
        Example::newest("credit_policy.v1.endorsed", PolicyBody { endorsements: endorsements(), ..policy() }),
        Example::older(
            "credit_policy.v1.before_deposits",
            PolicyBody { cancellation: Some(Cow::Owned(cancellation_before_deposits())), ..policy() },
        ),
        Example::older("credit_policy.v1.before_check", PolicyBody { check: None, ..policy() }),
    ]
}

pub(super) fn reference() -> Reference {
    Reference::kept("LN-0001")
}

/// Quote with a priced item, and with items that could not be priced for different reasons.
fn quote() -> QuoteBody<'static> {
    let outcomes = [
        Premium::of_parts(Rupees::from_paise(185_500), Rupees::from_paise(33_390)).ok_or(NotPriced::TooLarge),
        Err(NotPriced::Age { least: 18, most: 35 }),
        Err(NotPriced::AgeAtEnd { most: 70 }),
        Err(NotPriced::Cover { least: Rupees::whole(1), most: Rupees::whole(2) }),
        Err(NotPriced::Term { least: 60, most: 360 }),
        Err(NotPriced::TooLarge),
        Err(NotPriced::InsurerFailed),
        Err(NotPriced::InsurerSlow),
        Err(NotPriced::InsurerRefused("No.".into())),
    ];
    let item = |(n, outcome)| QuoteItem { variant: VariantId::from_uuid(Uuid::from_u128(n)), outcome };
    QuoteBody {
        created_at: Timestamp::from_microsecond(1_795_000_000_000_000).expect("in range"),
        request: Cow::Owned(QuoteRequest {
            born: BirthDate::kept(Date::constant(1990, 6, 15)),
            gender: Gender::Female,
            cover: CoverAmount::of(Rupees::whole(500_000)).expect("above zero"),
            term: PolicyTerm::months(24).expect("above zero"),
            context: Context::of(vec![ContextEntry::new("loan_amount", vec!["500000".into()])]),
        }),
        catalogue: CatalogueHash([9; 32]),
        items: (1..).zip(outcomes).map(item).collect(),
    }
}

/// Quote whose items require a least age in days or in months.
fn quote_of_ages() -> QuoteBody<'static> {
    let from = |least| Err(NotPriced::AgeFrom { least, most: 65 });
    let item = |(n, outcome)| QuoteItem { variant: VariantId::from_uuid(Uuid::from_u128(n)), outcome };
    let outcomes = [from(LeastAge::Days(91)), from(LeastAge::Months(18))];
    QuoteBody { items: (1..).zip(outcomes).map(item).collect(), ..quote() }
}

/// Quote for a cover that lacks the requested rider.
fn quote_of_a_rider() -> QuoteBody<'static> {
    let outcome = Err(NotPriced::Rider("accident".into()));
    let item = QuoteItem { variant: VariantId::from_uuid(Uuid::from_u128(1)), outcome };
    QuoteBody { items: vec![item].into(), ..quote() }
}

fn line(text: &str) -> PersonalLine {
    PersonalLine::kept(text.into())
}

fn born() -> BirthDate {
    BirthDate::kept(Date::constant(1990, 6, 15))
}

fn premium() -> Premium {
    Premium::of_parts(Rupees::from_paise(185_500), Rupees::from_paise(33_390)).expect("small")
}

fn name() -> Name {
    Name { title: Title::Ms, first: line("Asha"), middle: Some(line("K")), last: line("Rao") }
}

fn phone() -> Phone {
    Phone { country_code: line("+91"), mobile: Mobile::kept("9876543210".into()) }
}

fn address() -> Address {
    Address {
        line_1: line("a1"),
        line_2: line("a2"),
        line_3: Some(line("a3")),
        city: line("c"),
        state: line("s"),
        country: line("India"),
        pincode: Pincode::kept("560038".into()),
    }
}

fn documents() -> Vec<Document> {
    vec![Document::kept(DocumentType::Pan, "ABCPK1234L".into())]
}

/// Person with every field set.
fn person() -> Person {
    Person {
        name: name(),
        email: Email::kept("a@b.in".into()),
        phone: phone(),
        born: born(),
        address: address(),
        nationality: Nationality::Indian,
        gender: Gender::Female,
        marital_status: MaritalStatus::Married,
        annual_income: Some(Income::of(Rupees::whole(900_000))),
        occupation: Occupation::SelfEmployed,
        organization: Some(Organization::PrivateLtd),
        education: Education::TwelfthPass,
        employer: Some(line("e")),
        documents: documents(),
    }
}

fn nominee() -> Nominee {
    Nominee {
        name: name(),
        born: born(),
        phone: Some(phone()),
        relationship: Relationship::SisterInLaw,
        address: address(),
        share: Share::percent("33.33".parse().expect("a number")).expect("a share"),
        documents: documents(),
        appointee: Some(Appointee {
            name: name(),
            relationship: Relationship::Uncle,
            born: born(),
            phone: Some(phone()),
            address: address(),
            documents: documents(),
        }),
    }
}

fn quoted() -> QuotedCover {
    let QuoteBody { created_at, request, catalogue, .. } = quote();
    QuotedCover { at: created_at, request: request.into_owned(), catalogue }
}

fn proposal() -> CreditProposalBody<'static> {
    let application = CreditApplication {
        variant: VariantId::from_uuid(Uuid::from_u128(1)),
        quoted: quoted(),
        request: ProposalRequest {
            quote: QuoteId::from_uuid(Uuid::from_u128(2)),
            recommendation: RecommendationId::from_uuid(Uuid::from_u128(3)),
            submission: Submission::Submitted,
            proposer: person(),
            insured_members: vec![person()],
            nominees: vec![nominee()],
            context: Context::of(vec![ContextEntry::new("loan_amount", vec!["500000".into()])]),
        },
    };
    ProposalBody { premium: premium(), application: Cow::Owned(application), reference: None }
}

/// Proposal without optional fields, as an older program without these fields wrote it.
fn fewest() -> CreditProposalBody<'static> {
    let mut body = proposal();
    let application = body.application.to_mut();
    application.quoted.request.context = Context::default();
    application.request = ProposalRequest {
        proposer: Person {
            name: Name { middle: None, ..name() },
            address: Address { line_3: None, ..address() },
            annual_income: None,
            organization: None,
            employer: None,
            documents: Vec::new(),
            ..person()
        },
        insured_members: Vec::new(),
        nominees: vec![Nominee { phone: None, appointee: None, ..nominee() }],
        context: Context::default(),
        ..application.request.clone()
    };
    body
}

fn policy() -> CreditPolicyBody<'static> {
    let cover = CreditCover {
        period: CoverPeriod { starts: Date::constant(2026, 11, 20), ends: Date::constant(2028, 11, 19) },
        term_months: 24,
        variant: VariantId::from_uuid(Uuid::from_u128(1)),
        catalogue: CatalogueHash([9; 32]),
        settlement: "Paid.".into(),
        holder: name(),
    };
    PolicyBody {
        sum_insured: Rupees::whole(500_000),
        premium: premium(),
        cover: Cow::Owned(cover),
        check: Some(CheckCode([3; 16])),
        cancellation: None,
        claims: None,
        reference: None,
        endorsements: None,
        renewable_until: None,
        renewed_by: None,
    }
}

/// Endorsements of every kind: four are only requested, one was refused, one was made with a payment, and one
/// with a refund.
pub(super) fn endorsements() -> Option<Cow<'static, [Endorsement]>> {
    let line = |text: &str| PrintedLine::kept(text.to_owned());
    let person = person();
    let contact = NewContact {
        address: Some(person.address.clone()),
        phone: Some(person.phone.clone()),
        email: Some(person.email.clone()),
    };
    let changes = [
        EndorsementChange::Nominees(vec![nominee()]),
        EndorsementChange::Contact { member: 1, contact: Box::new(contact) },
        EndorsementChange::Name { member: 2, name: Box::new(name()) },
        EndorsementChange::DateOfBirth { member: 1, born: person.born },
        EndorsementChange::LoanAccount(line("LN-2")),
        EndorsementChange::Assignment(line("Udaharan Bank")),
        EndorsementChange::CoverReduction(Rupees::whole(400_000)),
    ];
    let terms = |rupees| CoverTerms { sum_insured: Rupees::whole(rupees), premium: premium() };
    let asked = |(number, change): (u16, EndorsementChange)| Endorsement {
        number,
        change,
        asked_by: Actor::Partner,
        asked_at: Timestamp::UNIX_EPOCH,
        note: None,
        state: EndorsementState::Requested,
        decided_at: None,
        decided_by: None,
        reason: None,
        before: terms(500_000),
        after: terms(500_000),
        charge: Premium::default(),
        payment: None,
        refund: None,
    };
    let mut all: Vec<Endorsement> = (1..).zip(changes).map(asked).collect();
    let why = PersonalLine::kept("As the document says.".to_owned());
    for (made, state) in
        [(3, EndorsementState::Made), (6, EndorsementState::Made), (0, EndorsementState::Refused)]
    {
        let made = &mut all[made];
        made.state = state;
        (made.decided_at, made.decided_by) = (Some(Timestamp::UNIX_EPOCH), Some(Actor::Operator));
        (made.note, made.reason) = (Some(why.clone()), Some(why.clone()));
    }
    all[3].charge = premium();
    all[3].payment = Some(ChargePayment {
        reference: PaymentReference::from_text("UTR-2").expect("a reference"),
        received_on: Date::constant(2026, 12, 7),
    });
    all[6].after = terms(400_000);
    all[6].refund = Some(refund());
    Some(Cow::Owned(all))
}

/// Cancellation whose refund was paid late.
pub(super) fn cancellation() -> Cancellation {
    Cancellation {
        reason: CancellationReason::FreeLook,
        asked_by: Actor::Partner,
        asked_at: Timestamp::UNIX_EPOCH,
        refund: refund(),
        confirmed_at: Some(Timestamp::UNIX_EPOCH),
        claimed_since: Some(ClaimId::from_uuid(Uuid::from_u128(0x31))),
    }
}

/// Cancellation as written before refunds could go back to deposits.
fn cancellation_before_deposits() -> Cancellation {
    Cancellation { refund: OwedRefund { to_deposit: Rupees::ZERO, ..refund() }, ..cancellation() }
}

/// Refund that was paid late, with interest.
fn refund() -> OwedRefund {
    OwedRefund {
        amount: premium(),
        due_on: Date::constant(2026, 12, 6),
        late_interest: 775,
        paid: Some(RefundPayment {
            reference: PaymentReference::from_text("UTR-1").expect("a reference"),
            paid_on: Date::constant(2026, 12, 7),
            interest: Rupees::from_paise(80),
        }),
        to_deposit: Rupees::from_paise(300),
        bounced: None,
    }
}
