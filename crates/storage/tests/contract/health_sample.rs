//! Sample journeys, health proposals and health policies with every field set.

use domain::bank::{BankAccount, Ifsc};
use domain::date::{BirthDate, Date, Timestamp};
use domain::health_policy::{HealthCover, ImportedPolicy, PolicyOrigin, PolicyWord, Rider};
use domain::health_proposal::{
    Chosen, Consent, ConsentPurpose, FamilyMember, HealthApplication, HealthForm, HealthNominee,
    HealthProposal, HealthProposalStatus, HealthProposer, HomeAddress, ImportedProposal, InsuredMember,
    JourneyProposal, NamedPlan, ProposalOrigin, QuotedFamily,
};
use domain::health_quote::{Age, Member, PlanType, Porting, Relation};
use domain::id::{PartnerId, Uuid};
use domain::journey::{Answers, Choice, CoverWanted, Journey};
use domain::language::Language;
use domain::money::Rupees;
use domain::person::{Email, FormResponses, HomePincode, Mobile, PersonalLine, Pincode, PlatformId};
use domain::policy::{CheckCode, Cover, IssueTerms, Policy, PolicyNumber};
use domain::proposal::{Actor, Move};
use domain::quote::CatalogueHash;
use ports::storage::{Issue, Records};

use crate::sample::{id, now, premium};

fn line(text: &str) -> PersonalLine {
    PersonalLine::kept(text.into())
}

fn born(year: i16) -> BirthDate {
    BirthDate::kept(Date::constant(year, 6, 15))
}

fn proposer() -> HealthProposer {
    HealthProposer {
        name: line("आशा Rao"),
        phone: Mobile::kept("9876543210".into()),
        born: born(1990),
        email: Some(Email::kept("asha@example.com".into())),
        address: HomeAddress {
            line_1: line("12 MG Road"),
            line_2: None,
            city: line("Bengaluru"),
            state: line("Karnataka"),
            country: line("India"),
            pincode: Pincode::kept("560038".into()),
        },
        bank: Some(BankAccount {
            bank_id: Some(line("B-1")),
            account_number: Some(line("000111222333")),
            bank_name: None,
            branch_id: None,
            branch_name: None,
            ifsc: Some(Ifsc::kept("NMNB0000001".into())),
        }),
    }
}

fn members() -> Vec<InsuredMember> {
    let member = |name, year, relationship, illnesses| InsuredMember {
        name: line(name),
        born: born(year),
        gender: line("Female"),
        relationship: line(relationship),
        illnesses,
    };
    vec![
        member("आशा Rao", 1990, "SELF", vec![line("diabetes"), line("asthma")]),
        member("Tara Rao", 2020, "DAUGHTER", Vec::new()),
    ]
}

fn nominee() -> HealthNominee {
    HealthNominee { name: line("Ravi Rao"), relationship: line("SPOUSE"), phone: None }
}

fn form() -> HealthForm {
    HealthForm { proposer: proposer(), gender: line("Female"), members: members(), nominee: nominee() }
}

fn plan() -> NamedPlan {
    NamedPlan {
        insurer_id: "OLD-18".into(),
        insurer_name: "Itihas General Insurance (fictional)".into(),
        insurer_logo: String::new(),
        product_id: "IGI-P-1".into(),
        product_name: "Itihas Parivar".into(),
        variant_id: "IGI-V-2".into(),
        variant_name: "Parivar Gold".into(),
    }
}

/// Journey without answers, just opened.
pub fn opened(of: PartnerId) -> Journey {
    let number = id::<domain::id::kind::Session>();
    let own = number.uuid();
    let mut cookie = [9; 32];
    cookie[..16].copy_from_slice(own.as_bytes());
    Journey {
        id: own,
        partner: of,
        session: number,
        token: Uuid::from_u128(own.as_u128() ^ 0xff00),
        cookie,
        opened_at: now(),
        seen_at: now(),
        version: 1,
        language: Language::Hindi,
        user: Some(PlatformId::kept("user-9".into())),
        return_url: Some("https://a.example/back".into()),
        answers: Answers::default(),
        as_read: None,
    }
}

/// Next version of a journey, with an answer on every page.
pub fn answered(journey: &Journey) -> Journey {
    let mut next = journey.clone();
    next.version += 1;
    let age = |years: &str| Age::of(years.parse().unwrap()).unwrap();
    next.answers = Answers {
        family: vec![
            FamilyMember {
                member: Member { relation: Relation::Own, age: age("36") },
                illnesses: vec!["diabetes".into(), "asthma".into()],
            },
            FamilyMember {
                member: Member { relation: Relation::Daughter, age: age("0.5") },
                illnesses: Vec::new(),
            },
        ],
        pincode: Some(HomePincode::kept("560038".into())),
        has_illness: Some(true),
        porting: Some(Some(Porting { tenure: Some("2.5".parse().unwrap()) })),
        cover: Some(CoverWanted {
            plan: PlanType::SuperTopUp,
            sum_insured: Rupees::whole(1_000_000),
            deductible: Some(Rupees::whole(300_000)),
        }),
        quote: Some(id()),
        choice: Some(Choice { variant: id(), years: 3, premium: premium(1_234_567, 0) }),
        form: Some(form()),
        proposal: None,
    };
    next
}

/// Next version of a journey, with its proposal.
pub fn proposed(journey: &Journey, proposal: &HealthProposal) -> Journey {
    let mut next = journey.clone();
    next.version += 1;
    next.answers.proposal = Some(proposal.id);
    next
}

/// Proposal that a journey makes from its answers.
pub fn health_proposal(journey: &Journey, status: HealthProposalStatus) -> HealthProposal {
    let (quote, variant) = match (journey.answers.quote, journey.answers.choice) {
        (Some(quote), Some(choice)) => (quote, choice.variant),
        _ => (id(), id()),
    };
    let consent = |purpose, given| Consent {
        purpose,
        given,
        text_hash: [8; 32],
        at: now(),
        text: Some("I agree.".into()),
        language: Some(Language::Hindi),
    };
    HealthProposal {
        id: id(),
        partner: journey.partner,
        session: Some(journey.session),
        status,
        created_at: now(),
        changed_at: now(),
        premium: premium(1_234_567, 222_222),
        reason: None,
        insurer_reference: None,
        reference: None,
        application: HealthApplication {
            tenure: 3,
            origin: ProposalOrigin::Journey(Box::new(JourneyProposal {
                quoted: QuotedFamily {
                    at: now(),
                    pincode: HomePincode::kept("560038".into()),
                    members: vec![Member {
                        relation: Relation::Own,
                        age: Age::of("36".parse().unwrap()).unwrap(),
                    }],
                    has_ped: true,
                    illnesses: vec!["diabetes".into()],
                },
                chosen: Chosen {
                    quote,
                    variant,
                    catalogue: CatalogueHash([9; 32]),
                    plan: PlanType::Base,
                    sum_insured: Rupees::whole(1_000_000),
                    deductible: Rupees::ZERO,
                    copay_percent: 20,
                    porting: None,
                    renewal: None,
                },
                form: form(),
                consents: vec![
                    consent(ConsentPurpose::Declaration, true),
                    consent(ConsentPurpose::Insurer, true),
                    consent(ConsentPurpose::Messages, false),
                ],
            })),
        },
    }
}

/// Imported proposal.
pub fn imported_proposal(of: PartnerId, created_at: Timestamp) -> HealthProposal {
    HealthProposal {
        id: id(),
        partner: of,
        session: None,
        status: HealthProposalStatus::Rejected,
        created_at,
        changed_at: created_at,
        premium: premium(100, 18),
        reason: Some(line("आय का प्रमाण नहीं")),
        insurer_reference: Some("OLD-18/2026002".into()),
        reference: None,
        application: HealthApplication {
            tenure: 1,
            origin: ProposalOrigin::Import(Box::new(ImportedProposal {
                plan: plan(),
                name: line("Meera Nair"),
                phone: Mobile::kept("9876500003".into()),
                email: Email::kept("meera@example.com".into()),
                quote_id: "Q-17".into(),
                form_responses: FormResponses::kept(r#"{"proposer":{}}"#.into()),
            })),
        },
    }
}

/// Imported policy.
pub fn imported_policy(of: PartnerId, issued_at: Timestamp) -> Policy {
    let id: domain::id::PolicyId = id();
    Policy {
        id,
        partner: of,
        session: None,
        proposal: None,
        number: PolicyNumber::kept(format!("CN-{id}")),
        insurer_number: Some(PolicyNumber::kept(format!("IGI/{id}"))),
        reference: None,
        check: None,
        issued_at,
        sum_insured: Rupees::whole(500_000),
        premium: premium(100, 18),
        state: domain::policy_state::PolicyState::Issued,
        changed_at: issued_at,
        version: 1,
        document_read_at: None,
        cancellation: None,
        claims: Vec::new(),
        endorsements: Vec::new(),
        renewable_until: None,
        renewed_by: None,
        cover: Cover::Health(Box::new(HealthCover {
            status: PolicyWord::kept("LAPSED".into()),
            kind: PolicyWord::kept("RENEWAL".into()),
            tenure: 2,
            previous: Some("OLD-1".into()),
            proposer: proposer(),
            members: members(),
            nominees: vec![nominee()],
            riders: vec![Rider { id: "R-1".into(), name: "Hospital cash".into() }],
            origin: PolicyOrigin::Import(Box::new(ImportedPolicy {
                plan: plan(),
                proposal_id: Some("P-17".into()),
                quote_id: None,
                expires: Date::constant(2028, 11, 19),
            })),
        })),
    }
}

/// Policy that a journey's proposal becomes, with its certificate.
pub fn health_issue(proposal: &HealthProposal) -> Issue {
    let id: domain::id::PolicyId = id();
    let terms = IssueTerms {
        id,
        check: CheckCode(*id.uuid().as_bytes()),
        number_prefix: "TST".into(),
        insurer_number: Some(PolicyNumber::kept("IGI/2026/00002".into())),
        settlement: "Paid before the cover begins.".into(),
        grace_days: Some(30),
    };
    let policy = Policy::issue(proposal, terms, now()).unwrap();
    Issue { policy, certificate: b"%PDF-sample".to_vec(), is_told: false, renewed: None }
}

pub fn made(from: Option<HealthProposalStatus>, to: HealthProposalStatus) -> Move<HealthProposalStatus> {
    Move { at: now(), by: Actor::Service, from, to, reason: None }
}

/// Records in the form that an import takes.
pub fn records<T: Clone + Send + 'static>(records: &[T]) -> Records<T> {
    let records = records.to_vec();
    Box::new(records.into_iter().map(Ok))
}
