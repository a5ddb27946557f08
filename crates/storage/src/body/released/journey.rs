//! Example bodies of journeys, health proposals and health policies, for the tests of released encodings.

use std::borrow::Cow;

use domain::bank::{BankAccount, Ifsc};
use domain::date::{BirthDate, Date, Timestamp};
use domain::health_policy::{HealthCover, ImportedPolicy, IssuedPolicy, PolicyOrigin, PolicyWord, Rider};
use domain::health_proposal::{
    Chosen, Consent, ConsentPurpose, FamilyMember, HealthApplication, HealthForm, HealthNominee,
    HealthProposer, HomeAddress, ImportedProposal, InsuredMember, JourneyProposal, NamedPlan, ProposalOrigin,
    QuotedFamily,
};
use domain::health_quote::{Age, Member, PlanType, Porting, Relation};
use domain::id::{PolicyId, ProposalId, QuoteId, SessionId, Uuid, VariantId};
use domain::journey::{Answers, Choice, CoverWanted};
use domain::language::Language;
use domain::money::{Premium, Rupees};
use domain::person::{Email, FormResponses, HomePincode, Mobile, PersonalLine, Pincode, PlatformId};
use domain::policy::{CheckCode, CoverPeriod, PolicyNumber};
use domain::quote::CatalogueHash;
use domain::renewal::Renewal;

use super::super::{HealthPolicyBody, HealthProposalBody, JourneyBody, PolicyBody, ProposalBody};
use super::Example;
use super::claims::claims;
use super::embedded::{cancellation, endorsements, reference};

pub(super) fn examples() -> Vec<Example> {
    vec![
        Example::newest("health_proposal.v1.journey", made()),
        Example::newest("health_proposal.v1.import", brought()),
        Example::newest("health_policy.v1.issued", issued()),
        Example::older("health_policy.v1.before_check", PolicyBody { check: None, ..issued() }),
        Example::newest(
            "health_policy.v1.cancelled",
            PolicyBody { cancellation: Some(Cow::Owned(cancellation())), ..issued() },
        ),
        Example::newest("health_policy.v1.endorsed", PolicyBody { endorsements: endorsements(), ..issued() }),
        Example::newest("health_policy.v1.renewed", renewed()),
        Example::newest("health_policy.v1.import", imported()),
        Example::newest("health_policy.v1.claims", PolicyBody { claims: claims(), ..imported() }),
        Example::newest(
            "health_policy.v1.reference",
            PolicyBody { reference: Some(reference()), ..imported() },
        ),
        Example::newest(
            "health_proposal.v1.reference",
            ProposalBody { reference: Some(reference()), ..brought() },
        ),
        Example::newest("journey.v1", journey()),
        Example::newest("journey.v1.opened", opened()),
        Example::newest("journey.v1.new_customer", new_customer()),
    ]
}

fn line(text: &str) -> PersonalLine {
    PersonalLine::kept(text.into())
}

fn some(text: &str) -> Option<PersonalLine> {
    Some(line(text))
}

fn premium() -> Premium {
    Premium::of_parts(Rupees::from_paise(1_234_500), Rupees::from_paise(222_210)).expect("small")
}

fn porting() -> Option<Porting> {
    Some(Porting { tenure: Some("2.5".parse().expect("a number")) })
}

fn instant() -> Timestamp {
    Timestamp::from_microsecond(1_795_000_000_000_000).expect("in range")
}

/// Application form with every field set.
fn form() -> HealthForm {
    let born = BirthDate::kept(Date::constant(1990, 6, 15));
    HealthForm {
        proposer: HealthProposer {
            name: line("Asha"),
            phone: Mobile::kept("9876543210".into()),
            born,
            email: Some(Email::kept("a@b.in".into())),
            address: HomeAddress {
                line_1: line("a1"),
                line_2: some("a2"),
                city: line("c"),
                state: line("s"),
                country: line("IN"),
                pincode: Pincode::kept("560038".into()),
            },
            bank: Some(BankAccount {
                bank_id: some("b1"),
                account_number: some("b2"),
                bank_name: some("b3"),
                branch_id: some("b4"),
                branch_name: some("b5"),
                ifsc: Some(Ifsc::kept("NMNB0000001".into())),
            }),
        },
        gender: line("F"),
        members: vec![InsuredMember {
            name: line("Tara"),
            born,
            gender: line("F"),
            relationship: line("SELF"),
            illnesses: vec![line("asthma")],
        }],
        nominee: HealthNominee {
            name: line("Ravi"),
            relationship: line("SPOUSE"),
            phone: Some(Mobile::kept("9876543211".into())),
        },
    }
}

fn chosen() -> Chosen {
    Chosen {
        quote: QuoteId::from_uuid(Uuid::from_u128(1)),
        variant: VariantId::from_uuid(Uuid::from_u128(2)),
        catalogue: CatalogueHash([9; 32]),
        plan: PlanType::SuperTopUp,
        sum_insured: Rupees::whole(1_000_000),
        deductible: Rupees::whole(300_000),
        copay_percent: 20,
        porting: porting(),
        renewal: None,
    }
}

fn plan() -> NamedPlan {
    let text = str::to_owned;
    NamedPlan {
        insurer_id: text("i1"),
        insurer_name: text("i2"),
        insurer_logo: text("i3"),
        product_id: text("p1"),
        product_name: text("p2"),
        variant_id: text("v1"),
        variant_name: text("v2"),
    }
}

fn proposal(origin: ProposalOrigin) -> HealthProposalBody<'static> {
    let application = Cow::Owned(HealthApplication { tenure: 3, origin });
    ProposalBody { premium: premium(), application, reference: None }
}

fn quoted() -> QuotedFamily {
    let age = Age::of("36".parse().expect("a number")).expect("an age");
    QuotedFamily {
        at: instant(),
        pincode: HomePincode::kept("560038".into()),
        members: vec![Member { relation: Relation::Own, age }],
        has_ped: true,
        illnesses: vec!["asthma".into()],
    }
}

fn made() -> HealthProposalBody<'static> {
    let consent = |purpose, given| Consent {
        purpose,
        given,
        text_hash: [8; 32],
        at: instant(),
        text: None,
        language: None,
    };
    proposal(ProposalOrigin::Journey(Box::new(JourneyProposal {
        quoted: quoted(),
        chosen: chosen(),
        form: form(),
        consents: vec![consent(ConsentPurpose::Insurer, true), consent(ConsentPurpose::Messages, false)],
    })))
}

fn brought() -> HealthProposalBody<'static> {
    proposal(ProposalOrigin::Import(Box::new(ImportedProposal {
        plan: plan(),
        name: line("Meera"),
        phone: Mobile::kept("9876500003".into()),
        email: Email::kept("m@b.in".into()),
        quote_id: "q1".into(),
        form_responses: FormResponses::kept("{}".into()),
    })))
}

fn policy(origin: PolicyOrigin) -> HealthPolicyBody<'static> {
    let form = form();
    let cover = HealthCover {
        status: PolicyWord::issued(),
        kind: PolicyWord::kept("PORTABILITY".into()),
        tenure: 3,
        previous: Some("old".into()),
        proposer: form.proposer,
        members: form.members,
        nominees: vec![form.nominee],
        riders: vec![Rider { id: "r1".into(), name: "r2".into() }],
        origin,
    };
    PolicyBody {
        sum_insured: Rupees::whole(1_000_000),
        premium: premium(),
        cover: Cow::Owned(cover),
        check: None,
        cancellation: None,
        claims: None,
        reference: None,
        endorsements: None,
        renewable_until: None,
        renewed_by: None,
    }
}

fn issued() -> HealthPolicyBody<'static> {
    let body = policy(PolicyOrigin::Issued(Box::new(IssuedPolicy {
        chosen: chosen(),
        period: CoverPeriod { starts: Date::constant(2026, 11, 20), ends: Date::constant(2029, 11, 19) },
        settlement: "Paid.".into(),
    })));
    PolicyBody { check: Some(CheckCode([3; 16])), ..body }
}

fn renewed() -> HealthPolicyBody<'static> {
    let day = Date::constant;
    let renewal = Renewal {
        policy: PolicyId::from_uuid(Uuid::from_u128(5)),
        number: PolicyNumber::kept("A/1".into()),
        insurer_number: Some(PolicyNumber::kept("B/1".into())),
        certificate_version: 2,
        ended: day(2026, 11, 19),
        covered_since: day(2025, 11, 20),
    };
    let body = policy(PolicyOrigin::Issued(Box::new(IssuedPolicy {
        chosen: Chosen { renewal: Some(renewal), ..chosen() },
        period: CoverPeriod { starts: day(2026, 11, 20), ends: day(2029, 11, 19) },
        settlement: "Paid.".into(),
    })));
    let renewed_by = Some(PolicyId::from_uuid(Uuid::from_u128(6)));
    PolicyBody { renewable_until: Some(day(2029, 12, 19)), renewed_by, ..body }
}

fn imported() -> HealthPolicyBody<'static> {
    policy(PolicyOrigin::Import(Box::new(ImportedPolicy {
        plan: plan(),
        proposal_id: Some("p".into()),
        quote_id: Some("q".into()),
        expires: Date::constant(2028, 11, 19),
    })))
}

pub(in crate::body) fn journey() -> JourneyBody {
    let member =
        Member { relation: Relation::Son, age: Age::of("0.5".parse().expect("a number")).expect("an age") };
    JourneyBody {
        opened_at: instant(),
        session: SessionId::from_uuid(Uuid::from_u128(4)),
        language: Language::Hindi,
        user: Some(PlatformId::kept("user".into())),
        return_url: Some("https://a.in".into()),
        answers: Answers {
            family: vec![FamilyMember { member, illnesses: vec!["asthma".into()] }],
            pincode: Some(HomePincode::kept("560038".into())),
            has_illness: Some(true),
            porting: Some(porting()),
            cover: Some(CoverWanted {
                plan: PlanType::Base,
                sum_insured: Rupees::whole(500_000),
                deductible: Some(Rupees::whole(1)),
            }),
            quote: Some(QuoteId::from_uuid(Uuid::from_u128(1))),
            choice: Some(Choice {
                variant: VariantId::from_uuid(Uuid::from_u128(2)),
                years: 3,
                premium: premium(),
            }),
            form: Some(form()),
            proposal: Some(ProposalId::from_uuid(Uuid::from_u128(3))),
        },
    }
}

/// Journey without answers or other optional fields, as an older program wrote it.
fn opened() -> JourneyBody {
    JourneyBody { user: None, return_url: None, answers: Answers::default(), ..journey() }
}

/// Journey of a customer who has no policy to port.
fn new_customer() -> JourneyBody {
    JourneyBody { answers: Answers { porting: Some(None), ..Answers::default() }, ..journey() }
}
