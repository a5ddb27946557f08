//! Journeys, health proposals and health policies in bodies.

use domain::date::Timestamp;
use domain::health_policy::{HealthPolicy, ImportedPolicy, IssuedPolicy, PolicyOrigin, PolicyWord, Rider};
use domain::health_proposal::{
    BankAccount, Chosen, Consent, ConsentPurpose, FamilyMember, HealthForm, HealthNominee, HealthProposal,
    HealthProposer, HomeAddress, Ifsc, ImportedProposal, InsuredMember, JourneyProposal, NamedPlan,
    ProposalOrigin,
};
use domain::id::SessionId;
use domain::journey::{Answers, Choice, CoverWanted, Journey};
use domain::language::Language;
use domain::money::{Premium, Rupees};
use domain::person::PlatformId;
use domain::policy::CheckCode;

use super::codec::{Body, Damaged, bytes, record, words};

words!(ConsentPurpose, Language);

/// A health proposal without its ids, session, status, times and reason, which are the row's.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HealthProposalBody {
    pub(crate) tenure: u8,
    pub(crate) premium: Premium,
    pub(crate) origin: ProposalOrigin,
}

impl HealthProposalBody {
    pub(crate) fn of(proposal: &HealthProposal) -> Self {
        let HealthProposal { tenure, premium, origin, .. } = proposal;
        HealthProposalBody { tenure: *tenure, premium: *premium, origin: origin.clone() }
    }
}

/// A health policy without its ids, session, numbers and time, which are the row's.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HealthPolicyBody {
    pub(crate) status: PolicyWord,
    pub(crate) kind: PolicyWord,
    pub(crate) sum_insured: Rupees,
    pub(crate) tenure: u8,
    pub(crate) premium: Premium,
    pub(crate) previous: Option<String>,
    pub(crate) proposer: HealthProposer,
    pub(crate) members: Vec<InsuredMember>,
    pub(crate) nominees: Vec<HealthNominee>,
    pub(crate) riders: Vec<Rider>,
    pub(crate) origin: PolicyOrigin,
}

impl HealthPolicyBody {
    pub(crate) fn of(policy: &HealthPolicy) -> Self {
        HealthPolicyBody {
            status: policy.status.clone(),
            kind: policy.kind.clone(),
            sum_insured: policy.sum_insured,
            tenure: policy.tenure,
            premium: policy.premium,
            previous: policy.previous.clone(),
            proposer: policy.proposer.clone(),
            members: policy.members.clone(),
            nominees: policy.nominees.clone(),
            riders: policy.riders.clone(),
            origin: policy.origin.clone(),
        }
    }
}

/// A journey without its ids, cookie, version and the time it was seen, which are the row's.
#[derive(Clone, PartialEq)]
pub(crate) struct JourneyBody {
    pub(crate) opened_at: Timestamp,
    pub(crate) session: SessionId,
    pub(crate) language: Language,
    pub(crate) user: Option<PlatformId>,
    pub(crate) return_url: Option<String>,
    pub(crate) answers: Answers,
}

impl JourneyBody {
    pub(crate) fn of(journey: &Journey) -> Self {
        JourneyBody {
            opened_at: journey.opened_at,
            session: journey.session,
            language: journey.language,
            user: journey.user.clone(),
            return_url: journey.return_url.clone(),
            answers: journey.answers.clone(),
        }
    }
}

record! {
    HealthProposalBody { tenure, premium, origin }
    HealthPolicyBody {
        status, kind, sum_insured, tenure, premium, previous, proposer, members, nominees, riders, origin,
    }
    JourneyBody { opened_at, session, language, user, return_url, answers }
    HomeAddress { line_1, line_2, city, state, country, pincode }
    BankAccount { bank_id, account_number, bank_name, branch_id, branch_name, ifsc }
    HealthProposer { name, phone, born, email, address, bank }
    InsuredMember { name, born, gender, relationship, illnesses }
    HealthNominee { name, relationship, phone }
    Consent { purpose, given, text_hash, at }
    HealthForm { proposer, gender, members, nominee }
    FamilyMember { member, illnesses }
    Chosen { quote, variant, catalogue, plan, sum_insured, deductible, copay_percent, porting }
    NamedPlan { insurer_id, insurer_name, insurer_logo, product_id, product_name, variant_id, variant_name }
    JourneyProposal { chosen, form, consents }
    ImportedProposal { plan, name, phone, email, quote_id, form_responses }
    Rider { id, name }
    IssuedPolicy { proposal, chosen, check, cover, settlement }
    ImportedPolicy { plan, proposal_id, quote_id, expires }
    Choice { variant, years, premium }
    CoverWanted { plan, sum_insured, deductible }
    Answers { family, pincode, has_illness, porting, cover, quote, choice, form, proposal }
}

impl Body for Ifsc {
    fn put(&self, to: &mut Vec<u8>) {
        self.reveal().to_owned().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        String::take(from).map(Ifsc::kept)
    }
}

impl Body for PolicyWord {
    fn put(&self, to: &mut Vec<u8>) {
        self.as_str().to_owned().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        String::take(from).map(PolicyWord::kept)
    }
}

impl Body for CheckCode {
    fn put(&self, to: &mut Vec<u8>) {
        self.0.put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        <[u8; 16]>::take(from).map(CheckCode)
    }
}

impl Body for ProposalOrigin {
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            ProposalOrigin::Journey(made) => {
                to.push(0);
                made.put(to);
            }
            ProposalOrigin::Import(brought) => {
                to.push(1);
                brought.put(to);
            }
        }
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        match bytes(from, 1)? {
            [0] => Body::take(from).map(|made| ProposalOrigin::Journey(Box::new(made))),
            [1] => Body::take(from).map(|brought| ProposalOrigin::Import(Box::new(brought))),
            _ => Err(Damaged),
        }
    }
}

impl Body for PolicyOrigin {
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            PolicyOrigin::Issued(issued) => {
                to.push(0);
                issued.put(to);
            }
            PolicyOrigin::Import(brought) => {
                to.push(1);
                brought.put(to);
            }
        }
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        match bytes(from, 1)? {
            [0] => Body::take(from).map(|issued| PolicyOrigin::Issued(Box::new(issued))),
            [1] => Body::take(from).map(|brought| PolicyOrigin::Import(Box::new(brought))),
            _ => Err(Damaged),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::date::{BirthDate, Date};
    use domain::health_quote::{Age, Member, PlanType, Porting, Relation};
    use domain::id::{ProposalId, QuoteId, Uuid, VariantId};
    use domain::person::{Email, FormResponses, HomePincode, Mobile, PersonalLine, Pincode};
    use domain::policy::CoverPeriod;
    use domain::quote::CatalogueHash;

    use super::super::codec::{decode, encode};
    use super::*;

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

    /// A form with something in every field.
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

    fn proposal(origin: ProposalOrigin) -> HealthProposalBody {
        HealthProposalBody { tenure: 3, premium: premium(), origin }
    }

    fn made() -> HealthProposalBody {
        let consent = |purpose, given| Consent { purpose, given, text_hash: [8; 32], at: instant() };
        proposal(ProposalOrigin::Journey(Box::new(JourneyProposal {
            chosen: chosen(),
            form: form(),
            consents: vec![consent(ConsentPurpose::Insurer, true), consent(ConsentPurpose::Messages, false)],
        })))
    }

    fn brought() -> HealthProposalBody {
        proposal(ProposalOrigin::Import(Box::new(ImportedProposal {
            plan: plan(),
            name: line("Meera"),
            phone: Mobile::kept("9876500003".into()),
            email: Email::kept("m@b.in".into()),
            quote_id: "q1".into(),
            form_responses: FormResponses::kept("{}".into()),
        })))
    }

    fn policy(origin: PolicyOrigin) -> HealthPolicyBody {
        let form = form();
        HealthPolicyBody {
            status: PolicyWord::issued(),
            kind: PolicyWord::of_kind(true),
            sum_insured: Rupees::whole(1_000_000),
            tenure: 3,
            premium: premium(),
            previous: Some("old".into()),
            proposer: form.proposer,
            members: form.members,
            nominees: vec![form.nominee],
            riders: vec![Rider { id: "r1".into(), name: "r2".into() }],
            origin,
        }
    }

    fn issued() -> HealthPolicyBody {
        policy(PolicyOrigin::Issued(Box::new(IssuedPolicy {
            proposal: ProposalId::from_uuid(Uuid::from_u128(3)),
            chosen: chosen(),
            check: CheckCode([5; 16]),
            cover: CoverPeriod { starts: Date::constant(2026, 11, 20), ends: Date::constant(2029, 11, 19) },
            settlement: "Paid.".into(),
        })))
    }

    fn imported() -> HealthPolicyBody {
        policy(PolicyOrigin::Import(Box::new(ImportedPolicy {
            plan: plan(),
            proposal_id: Some("p".into()),
            quote_id: Some("q".into()),
            expires: Date::constant(2028, 11, 19),
        })))
    }

    fn journey() -> JourneyBody {
        let member = Member {
            relation: Relation::Son,
            age: Age::of("0.5".parse().expect("a number")).expect("an age"),
        };
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

    /// It is written as it was released, reads back, and is damage wherever it is cut.
    #[track_caller]
    fn is_written_as_it_was_released<B: Body + PartialEq>(body: &B, released: &str) {
        let written = encode(1, body);
        let shown: String = written.iter().map(|byte| format!("{byte:02x}")).collect();
        // Rows hold these very bytes. If this differs, old rows can no longer be read: add a version instead.
        assert_eq!(shown, released);
        assert!(decode::<B>(1, &written).is_ok_and(|read| read == *body));
        for length in 0..written.len() {
            assert!(decode::<B>(1, &written[..length]).is_err(), "cut at {length}");
        }
    }

    #[test]
    fn version_1_of_a_health_proposal_is_written_as_it_was_released() {
        is_written_as_it_was_released(&made(), MADE);
        is_written_as_it_was_released(&brought(), BROUGHT);
    }

    #[test]
    fn version_1_of_a_health_policy_is_written_as_it_was_released() {
        is_written_as_it_was_released(&issued(), ISSUED);
        is_written_as_it_was_released(&imported(), IMPORTED);
    }

    #[test]
    fn version_1_of_a_journey_is_written_as_it_was_released() {
        is_written_as_it_was_released(&journey(), JOURNEY);
        let bare = JourneyBody { user: None, return_url: None, answers: Answers::default(), ..journey() };
        let written = encode(1, &bare);
        assert!(decode::<JourneyBody>(1, &written).is_ok_and(|read| read == bare));
    }

    const MADE: &str = concat!(
        "010388d9960184901b00000000000000000000000000000000010000000000000000000000000000000209090909",
        "09090909090909090909090909090909090909090909090909090909018084af5f808ece1c14010103322e350441",
        "7368610a393837363534333231308c1f060f01066140622e696e026131010261320163017302494e063536303033",
        "38010102623101026232010262330102623401026235010b4e4d4e423030303030303101460104546172618c1f06",
        "0f01460453454c460106617374686d6104526176690653504f555345010a39383736353433323131020101080808",
        "080808080808080808080808080808080808080808080808080808080880c0f995e0a2b006020008080808080808",
        "0808080808080808080808080808080808080808080808080880c0f995e0a2b006",
    );

    const BROUGHT: &str = concat!(
        "010388d9960184901b01026931026932026933027031027032027631027632054d656572610a3938373635303030",
        "3033066d40622e696e027131027b7d",
    );

    const ISSUED: &str = concat!(
        "01064953535545440b504f52544142494c4954598084af5f0388d9960184901b01036f6c6404417368610a393837",
        "363534333231308c1f060f01066140622e696e026131010261320163017302494e06353630303338010102623101",
        "026232010262330102623401026235010b4e4d4e42303030303030310104546172618c1f060f01460453454c4601",
        "06617374686d610104526176690653504f555345010a393837363534333231310102723102723200000000000000",
        "00000000000000000003000000000000000000000000000000010000000000000000000000000000000209090909",
        "09090909090909090909090909090909090909090909090909090909018084af5f808ece1c14010103322e350505",
        "0505050505050505050505050505d41f0b14da1f0b1305506169642e",
    );

    const IMPORTED: &str = concat!(
        "01064953535545440b504f52544142494c4954598084af5f0388d9960184901b01036f6c6404417368610a393837",
        "363534333231308c1f060f01066140622e696e026131010261320163017302494e06353630303338010102623101",
        "026232010262330102623401026235010b4e4d4e42303030303030310104546172618c1f060f01460453454c4601",
        "06617374686d610104526176690653504f555345010a393837363534333231310102723102723201026931026932",
        "026933027031027032027631027632010170010171d81f0b13",
    );

    const JOURNEY: &str = concat!(
        "0180c0f995e0a2b0060000000000000000000000000000000401010475736572010c68747470733a2f2f612e696e",
        "010503302e350106617374686d610106353630303338010101010103322e35010080c2d72f01c801010000000000",
        "000000000000000000000101000000000000000000000000000000020388d9960184901b0104417368610a393837",
        "363534333231308c1f060f01066140622e696e026131010261320163017302494e06353630303338010102623101",
        "026232010262330102623401026235010b4e4d4e423030303030303101460104546172618c1f060f01460453454c",
        "460106617374686d6104526176690653504f555345010a3938373635343332313101000000000000000000000000",
        "00000003",
    );
}
