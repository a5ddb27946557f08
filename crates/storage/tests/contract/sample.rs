//! Sample records for tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::access::Scopes;
use domain::cancellation::{Cancellation, CancellationReason};
use domain::claim::{
    Claim, ClaimClocks, ClaimDocument, ClaimKind, ClaimNotice, ClaimState, Claimant, PaperType,
};
use domain::context::{Context, ContextEntry};
use domain::credit_life::{
    CreditApplication, CreditCover, CreditLife, EmbeddedProposal, ProposalRequest, ProposalStatus,
    QuotedCover, Submission,
};
use domain::date::{BirthDate, Date, Timestamp, day_of};
use domain::endorsement::{CoverTerms, Endorsement, EndorsementChange, EndorsementState, NewContact};
use domain::event::{EventData, EventType};
use domain::health_proposal::Health;
use domain::health_quote::{
    Age, Ask, Attribution, Customer, HealthOffer, HealthQuote, HealthRequest, Member, NotOffered, Outcome,
    PlanType, Porting, Relation, TenurePrice,
};
use domain::id::{Id, InsurerId, Kind, PartnerId, Uuid};
use domain::identifier::Reference;
use domain::line::LineOfBusiness;
use domain::money::{CoverAmount, Premium, Rupees};
use domain::partner::Partner;
use domain::person::{
    Address, Appointee, Document, DocumentType, Education, Email, Gender, HomePincode, Income, MaritalStatus,
    Mobile, Name, Nationality, Nominee, Occupation, Organization, Person, PersonalLine, Phone, Pincode,
    PlatformId, Relationship, Share, Title,
};
use domain::policy::{CheckCode, Cover, CoverPeriod, Policy, PolicyNumber};
use domain::policy_state::PolicyState;
use domain::premium::{
    Account, Books, Entry, Payee, PaymentReference, Posting, PremiumRoute, ProposalPremium, Receipt,
};
use domain::proposal::{Actor, Move, Underway};
use domain::quote::{CatalogueHash, EmbeddedQuote, NotPriced, PolicyTerm, QuoteItem, QuoteRequest};
use domain::refund::OwedRefund;
use domain::text::FromText;
use ports::clock::{Clock, Random};
use ports::storage::policies::PolicyPosting;
use ports::storage::premiums::{Deposit, Draw};
use ports::storage::responses::{IdempotencyKeyHash, StoredResponse};
use ports::storage::{Issue, KeyedResponse, NewEvent, Proposals, SecretRecord, Storage};
use storage::postgres::Database;
use storage::{Postgres, Sqlite, Store};

/// Source of bytes that differ every time. Tests do not need them to be secret.
pub struct Counted(AtomicU64);

impl Random for Counted {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let next = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
            chunk.copy_from_slice(&next.to_le_bytes()[..chunk.len()]);
        }
    }
}

pub struct At(pub Timestamp);

impl Clock for At {
    fn now(&self) -> Timestamp {
        self.0
    }
}

pub fn random() -> Arc<dyn Random> {
    Arc::new(Counted(AtomicU64::new(1)))
}

/// New store on SQLite, with its temporary folder.
pub fn sqlite() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = sqlite_in(folder.path());
    (folder, store)
}

pub fn sqlite_in(folder: &std::path::Path) -> Store {
    let random = random();
    Sqlite::open(folder, &folder.join("keyring"), Arc::new(At(now())), random).unwrap()
}

/// Store on PostgreSQL at an address. Its keyring is in the temporary folder.
pub async fn postgres_at(address: String, pooler: bool) -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let database = Database { address, connections: 8, pooler, reads_standbys: false, unsafe_is_fine: false };
    let keyring = folder.path().join("keyring");
    let store = Postgres::open(&database, &keyring, Arc::new(At(now())), random()).await.unwrap();
    (folder, store)
}

/// Creates a store in a database with Citus and spreads its tables.
pub fn spread(address: &str) {
    let address = address.to_owned();
    let spread = async {
        let database =
            Database { address, connections: 4, pooler: false, reads_standbys: false, unsafe_is_fine: false };
        let folder = tempfile::tempdir().unwrap();
        let made =
            Postgres::open(&database, &folder.path().join("keyring"), Arc::new(At(now())), random()).await;
        drop(made.unwrap());
        Postgres::spread(&database, 4).await.unwrap();
    };
    let run = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(spread);
    std::thread::scope(|scope| scope.spawn(run).join().unwrap());
}

/// 20 November 2026, 10:00 in Kolkata.
pub fn now() -> Timestamp {
    "2026-11-20T04:30:00Z".parse().unwrap()
}

pub fn later(micros: i64) -> Timestamp {
    Timestamp::from_microsecond(now().as_microsecond() + micros).unwrap()
}

/// Id that is different in each call.
pub fn id<K: Kind>() -> Id<K> {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    Id::from_uuid(Uuid::from_u64_pair(0x0192_f3a1_b2c3_7000, 0x8000_0000_0000_0000 | next))
}

pub fn partner() -> Partner {
    let id: PartnerId = id();
    Partner {
        id,
        name: "A Lender".into(),
        client_id: format!("client-{id}"),
        enabled: true,
        scopes: Scopes::all(),
        legacy_reads: true,
        attribution: false,
        origins: vec!["https://a.example".into(), "https://b.example".into()],
        return_urls: Vec::new(),
        tokens_per_hour: 7,
        tokens_ended_at: None,
        contacts: Some(PersonalLine::kept("Ravi, ravi@partner.example".to_owned())),
        created_at: now(),
        sandbox: None,
    }
}

pub fn secret(number: u32) -> SecretRecord {
    SecretRecord { number, hash: [number as u8; 32], added_at: now(), revoked_at: None, tokens_ended: false }
}

pub fn premium(base: i64, gst: i64) -> Premium {
    Premium::of_parts(Rupees::from_paise(base), Rupees::from_paise(gst)).unwrap()
}

pub fn quote(of: PartnerId) -> EmbeddedQuote {
    let item = |outcome| QuoteItem { variant: id(), outcome };
    EmbeddedQuote {
        id: id(),
        partner: of,
        created_at: now(),
        request: QuoteRequest {
            born: BirthDate::kept(Date::constant(1990, 6, 15)),
            gender: Gender::Female,
            cover: CoverAmount::of(Rupees::whole(500_000)).unwrap(),
            term: PolicyTerm::months(24).unwrap(),
            context: Context::of(vec![ContextEntry::new("loan_amount", vec!["500000".into()])]),
        },
        catalogue: CatalogueHash([9; 32]),
        items: vec![
            item(Ok(premium(185_500, 33_390))),
            item(Err(NotPriced::Age { least: 18, most: 35 })),
            item(Err(NotPriced::AgeAtEnd { most: 70 })),
            item(Err(NotPriced::Cover { least: Rupees::whole(1), most: Rupees::whole(200_000) })),
            item(Err(NotPriced::Term { least: 60, most: 360 })),
            item(Err(NotPriced::TooLarge)),
            item(Err(NotPriced::InsurerFailed)),
            item(Err(NotPriced::InsurerSlow)),
        ],
    }
}

/// Health quote with open asks for every outcome: two variants priced here, then one of an insurer.
pub fn health_quote(of: PartnerId) -> HealthQuote {
    let ask = |insurer, variants| Ask { insurer, variants, outcomes: None };
    let age = |years: &str| Age::of(years.parse().unwrap()).unwrap();
    HealthQuote {
        id: id(),
        partner: of,
        created_at: now(),
        request: HealthRequest {
            lead: Some(PlatformId::kept("lead-7".into())),
            user: Some(PlatformId::kept("user-9".into())),
            session: None,
            customer: Customer {
                name: Some(line("आशा Rao")),
                gender: Some(line("Female")),
                phone: Some(Mobile::kept("9876543210".into())),
                pincode: HomePincode::kept("560038".into()),
                email: None,
            },
            members: vec![
                Member { relation: Relation::Own, age: age("34") },
                Member { relation: Relation::Son, age: age("0.5") },
            ],
            has_ped: true,
            selected_peds: vec!["diabetes".into(), "7".into()],
            plan: PlanType::SuperTopUp,
            sum_insured: Rupees::whole(1_000_000),
            deductible: Some(Rupees::whole(300_000)),
            porting: Some(Porting { tenure: Some("2.5".parse().unwrap()) }),
            attribution: Attribution { partner: None, enterprise: Some("ent".into()) },
            covered_since: None,
        },
        catalogue: CatalogueHash([9; 32]),
        asks: vec![ask(None, vec![id(), id()]), ask(Some(id()), vec![id()]), ask(Some(id()), vec![id(); 10])],
        ranking: None,
    }
}

/// Possible outcomes of each ask of [`health_quote`].
pub fn outcomes() -> [Vec<Outcome>; 3] {
    let tenure = |years, base| TenurePrice { years, premium: premium(base, 0) };
    let offer = HealthOffer {
        deductible: Rupees::whole(300_000),
        copay_percent: 20,
        tenures: vec![tenure(1, 1_234_567), tenure(2, 2_222_222)],
    };
    let refused = vec![
        Err(NotOffered::ChildAge { least: 0, most: 25 }),
        Err(NotOffered::Family),
        Err(NotOffered::Relation(Relation::Mother)),
        Err(NotOffered::Zone),
        Err(NotOffered::SumInsured),
        Err(NotOffered::Deductible),
        Err(NotOffered::Illness),
        Err(NotOffered::TooLarge),
        Err(NotOffered::InsurerFailed),
        Err(NotOffered::InsurerSlow),
    ];
    [
        vec![Ok(offer), Err(NotOffered::Age { least: 18, most: 65 })],
        vec![Err(NotOffered::InsurerRefused("Not in this month.".into()))],
        refused,
    ]
}

fn line(text: &str) -> PersonalLine {
    PersonalLine::kept(text.into())
}

fn name() -> Name {
    Name { title: Title::Ms, first: line("आशा"), middle: None, last: line("Rao") }
}

fn address() -> Address {
    Address {
        line_1: line("12 MG Road"),
        line_2: line("Indiranagar"),
        line_3: Some(line("Near the lake")),
        city: line("Bengaluru"),
        state: line("Karnataka"),
        country: Address::default_country(),
        pincode: Pincode::kept("560038".into()),
    }
}

fn phone() -> Phone {
    Phone { country_code: line("+91"), mobile: Mobile::kept("9876543210".into()) }
}

pub fn person() -> Person {
    Person {
        name: name(),
        email: Email::kept("asha@example.com".into()),
        phone: phone(),
        born: BirthDate::kept(Date::constant(1990, 6, 15)),
        address: address(),
        nationality: Nationality::Indian,
        gender: Gender::Female,
        marital_status: MaritalStatus::Married,
        annual_income: Some(Income::of(Rupees::whole(900_000))),
        occupation: Occupation::Salaried,
        organization: Some(Organization::PrivateLtd),
        education: Education::TwelfthPass,
        employer: None,
        documents: vec![Document::of(DocumentType::Aadhaar, "234567890124").unwrap()],
    }
}

fn nominee() -> Nominee {
    Nominee {
        name: name(),
        born: BirthDate::kept(Date::constant(2020, 1, 1)),
        phone: None,
        relationship: Relationship::Son,
        address: address(),
        share: Share::percent("33.34".parse().unwrap()).unwrap(),
        documents: Vec::new(),
        appointee: Some(Appointee {
            name: name(),
            relationship: Relationship::Uncle,
            born: BirthDate::kept(Date::constant(1970, 1, 1)),
            phone: Some(phone()),
            address: address(),
            documents: Vec::new(),
        }),
    }
}

pub fn proposal(of: PartnerId, status: ProposalStatus) -> EmbeddedProposal {
    let quote = quote(of);
    EmbeddedProposal {
        id: id(),
        partner: of,
        session: None,
        status,
        created_at: now(),
        changed_at: now(),
        premium: premium(185_500, 33_390),
        reason: None,
        insurer_reference: None,
        reference: None,
        application: CreditApplication {
            variant: id(),
            quoted: QuotedCover { at: now(), request: quote.request, catalogue: quote.catalogue },
            request: ProposalRequest {
                quote: quote.id,
                recommendation: id(),
                submission: Submission::Submitted,
                proposer: person(),
                insured_members: vec![person(), person()],
                nominees: vec![nominee()],
                context: Context::default(),
            },
        },
    }
}

pub fn issue(proposal: &EmbeddedProposal) -> Issue {
    let policy_id = id();
    let policy = Policy {
        id: policy_id,
        partner: proposal.partner,
        session: None,
        proposal: Some(proposal.id),
        number: PolicyNumber::of("TST", 2026, policy_id),
        insurer_number: None,
        reference: None,
        check: Some(CheckCode(*policy_id.uuid().as_bytes())),
        issued_at: now(),
        sum_insured: Rupees::whole(500_000),
        premium: proposal.premium,
        state: domain::policy_state::PolicyState::Issued,
        changed_at: now(),
        version: 1,
        document_read_at: None,
        cancellation: None,
        claims: Vec::new(),
        endorsements: Vec::new(),
        renewable_until: None,
        renewed_by: None,
        cover: Cover::CreditLife(CreditCover {
            period: CoverPeriod { starts: Date::constant(2026, 11, 20), ends: Date::constant(2028, 11, 19) },
            term_months: 24,
            variant: proposal.application.variant,
            catalogue: CatalogueHash([9; 32]),
            settlement: "Deducted from the loan.".into(),
            holder: name(),
        }),
    };
    Issue { policy, certificate: b"%PDF-sample".to_vec(), is_told: false, renewed: None }
}

/// Policy after its cancellation, with the moves.
pub fn cancelled(policy: &Policy) -> (Policy, Vec<Move<PolicyState>>) {
    let mut policy = policy.clone();
    policy.cancellation = Some(Cancellation {
        reason: CancellationReason::Duplicate,
        asked_by: Actor::Partner,
        asked_at: later(60),
        refund: OwedRefund {
            amount: policy.premium,
            due_on: Date::constant(2026, 11, 27),
            late_interest: 775,
            paid: None,
            to_deposit: domain::money::Rupees::ZERO,
            bounced: None,
        },
        confirmed_at: Some(later(60)),
        claimed_since: None,
    });
    let mut underway = Underway::resumed(policy, later(60));
    let why = PersonalLine::from_text("Sold twice.").unwrap();
    underway.go(Actor::Partner, PolicyState::CancellationRequested, Some(why)).unwrap();
    underway.go(Actor::Service, PolicyState::Cancelled, None).unwrap();
    underway.into_parts()
}

/// Policy with a requested endorsement: a new e-mail address, which costs nothing.
pub fn asked(policy: &Policy) -> Policy {
    let mut policy = policy.clone();
    let email = Some(Email::from_text("new@example.com").unwrap());
    let terms = CoverTerms { sum_insured: policy.sum_insured, premium: policy.premium };
    policy.endorsements.push(Endorsement {
        number: policy.endorsements.len() as u16 + 1,
        change: EndorsementChange::Contact {
            member: 1,
            contact: Box::new(NewContact { email, ..NewContact::default() }),
        },
        asked_by: Actor::Partner,
        asked_at: later(30),
        note: None,
        state: EndorsementState::Requested,
        decided_at: None,
        decided_by: None,
        reason: None,
        before: terms,
        after: terms,
        charge: Premium::default(),
        payment: None,
        refund: None,
    });
    policy
}

/// Policy after that endorsement was made.
pub fn endorsed(policy: &Policy, at: Timestamp) -> Policy {
    let mut policy = asked(policy);
    policy.make_endorsement(Actor::Operator, at).unwrap();
    policy
}

/// Ledger posting for the refund that a policy owes.
pub fn owes(policy: &Policy) -> PolicyPosting {
    let (entry, debit, credit) = (Entry::Cancellation, Account::ReturnedPremium, Account::PolicyRefund);
    let posting = Posting { entry, debit, credit, amount: policy.premium.total() };
    PolicyPosting { insurer: id(), posting, reference: None, deposit: None, at: later(60) }
}

/// Operations of a store on proposals of credit life.
pub fn credit(store: &dyn Storage) -> &dyn Proposals<CreditLife> {
    store
}

/// Operations of a store on proposals of health.
pub fn health(store: &dyn Storage) -> &dyn Proposals<Health> {
    store
}

pub fn response(key: u8, bytes: &[u8]) -> KeyedResponse {
    response_at(key, bytes, now())
}

pub fn response_at(key: u8, bytes: &[u8], kept_at: Timestamp) -> KeyedResponse {
    let response = StoredResponse { body: [7; 32], bytes: bytes.to_vec(), kept_at };
    KeyedResponse { key: IdempotencyKeyHash([key; 32]), response }
}

/// Insurer that receives the premiums.
fn insurer() -> InsurerId {
    InsurerId::from_uuid(Uuid::from_u128(0x1a5))
}

/// Deposit with a balance of `paise`.
pub fn deposit(paise: i64) -> Deposit {
    Deposit { insurer: insurer(), name: "deposit".into(), balance: Rupees::from_paise(paise) }
}

/// Draw on the deposit of [`deposit`].
pub fn draw(amount: Rupees) -> Draw {
    Draw { insurer: insurer(), deposit: "deposit".into(), amount, guaranteed: false, at: now() }
}

/// Premium that a proposal owes and its partner pays.
pub fn owed(proposal: &EmbeddedProposal) -> ProposalPremium {
    ProposalPremium {
        partner: proposal.partner,
        proposal: proposal.id,
        line: LineOfBusiness::CreditLife,
        insurer: insurer(),
        route: PremiumRoute::Partner,
        deposit: None,
        books: Books::owed(proposal.premium.total()),
        held_since: None,
        decision: None,
        created_at: now(),
        changed_at: now(),
    }
}

/// Receipt for a proposal.
pub fn receipt(proposal: &EmbeddedProposal, amount: Rupees) -> Receipt {
    Receipt {
        partner: proposal.partner,
        reference: PaymentReference::from_text("UTR-1").unwrap(),
        amount,
        received_on: day_of(now()),
        by: Actor::Partner,
        at: now(),
        payee: Payee::Insurer,
        late: false,
        is_live: false,
        tolerance: Rupees::ZERO,
        lines: vec![(proposal.id, amount)],
    }
}

/// New claim on a policy.
pub fn claim(policy: &Policy) -> Claim {
    let line = |text: &str| PersonalLine::kept(text.to_owned());
    Claim {
        id: id(),
        partner: policy.partner,
        policy: policy.id,
        line: policy.line(),
        session: policy.session,
        reference: Some(Reference::kept("LN-0001")),
        created_at: now(),
        notice: ClaimNotice {
            kind: ClaimKind::Death,
            event_on: Date::constant(2026, 11, 20),
            cause: line("Accident"),
            place: None,
            member: 1,
            claimant: Claimant {
                name: line("Ravi Rao"),
                relation: line("SPOUSE"),
                phone: Mobile::kept("9876543211".to_owned()),
                email: None,
            },
            account: None,
            claimed: None,
        },
        member_name: line("Asha Rao"),
        state: ClaimState::Intimated,
        changed_at: now(),
        version: 1,
        wanted: Vec::new(),
        clocks: ClaimClocks { settle_within_days: 15, investigated_within_days: 45, late_interest: 875 },
        investigated: false,
        approved: None,
        deducted: None,
        transfers: Vec::new(),
        paid: None,
        waived: Vec::new(),
        asked: None,
    }
}

/// First move of a claim.
pub fn noticed(claim: &Claim) -> [Move<ClaimState>; 1] {
    [Move { at: claim.created_at, by: Actor::Partner, from: None, to: claim.state, reason: None }]
}

/// Paper of a claim with these bytes.
pub fn paper(claim: &Claim, bytes: &[u8]) -> ClaimDocument {
    ClaimDocument {
        id: id(),
        claim: claim.id,
        added_at: now(),
        paper: None,
        media: PaperType::Pdf,
        bytes: bytes.len() as u64,
        hash: aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, bytes)
            .as_ref()
            .try_into()
            .expect("32 bytes"),
    }
}

/// Stores a paper in two parts. Returns whether it could be finished.
pub async fn has_paper(store: &dyn Storage, of: PartnerId, paper: &ClaimDocument, bytes: &[u8]) -> bool {
    let begun = ClaimDocument { bytes: 0, ..paper.clone() };
    store.begin_paper(of, &begun).await.unwrap();
    let (first, last) = bytes.split_at(bytes.len() / 2);
    for (number, part) in (0..).zip([first, last]) {
        store.add_part(of, paper.id, number, part).await.unwrap();
    }
    store.finish_paper(of, paper, 1000).await.unwrap()
}

/// Event about a subject.
pub fn event_of(subject: Uuid, kind: EventType, at: Timestamp) -> NewEvent {
    let data = EventData { status: Some("ISSUED".into()), ..EventData::default() };
    NewEvent { id: id(), kind, at, subject, data, sale: None }
}

/// Event of a finished quote.
pub fn finished_event(quote: &HealthQuote) -> NewEvent {
    event_of(quote.id.uuid(), EventType::RecommendationCompleted, now())
}
