//! Health records: imported by an operator, or made by a customer on the journey.

use domain::date::{BirthDate, Date, day_of};
use domain::health_proposal::{
    ConsentPurpose, FamilyMember, HealthForm, HealthNominee, HealthProposer, HomeAddress, InsuredMember,
    relationship_word,
};
use domain::health_quote::{Age, JobStatus, Member, PlanType, Relation};
use domain::id::VariantId;
use domain::journey::{Choice, CoverWanted, Journey};
use domain::language::Language;
use domain::money::Rupees;
use domain::person::{Email, HomePincode, Mobile, PersonalLine, Pincode};
use domain::text::FromText;
use serde_json::Value;
use service::Faults;
use service::clock::Clock;
use service::journey::{Arrival, Arrived};
use service::proposal::health::ConsentAnswer;
use service::proposal::operator::Verdict;
use service::storage::ImportEnd;
use web::import::Context;

use super::app::{App, Partner};

/// Variants of the tests' health catalogue: one that can be bought online, and one that cannot.
pub const PLAIN: &str = "vrt_01m6hea1thtest000000000021";
pub const PLUS: &str = "vrt_01m6hea1thtest000000000022";

/// Parses lines of an import as records of a partner, who is not named in them.
fn read<T>(
    app: &App,
    of: &Partner,
    lines: Vec<Value>,
    read: fn(&[u8], &Context<'_>) -> Result<T, Faults>,
) -> Vec<T> {
    let partner = |named: &str| app.service.shared.directory.partner_named(named);
    let context = Context { partner: &partner, now: app.clock.now() };
    let one = |mut line: Value| {
        line["partner_id"] = of.id.to_string().into();
        read(line.to_string().as_bytes(), &context).unwrap_or_else(|faults| panic!("{faults:?}: {line:#}"))
    };
    lines.into_iter().map(one).collect()
}

#[track_caller]
fn kept(end: &ImportEnd, number: usize) {
    assert_eq!(*end, ImportEnd::Kept(number as u64));
}

impl App {
    /// Imports health proposals of a partner. Returns their ids in the order of the lines. A second proposal
    /// for the same quote gets its own quote, because only one may be active.
    pub async fn imports_proposals_of(&self, of: &Partner, mut lines: Vec<Value>) -> Vec<String> {
        for at in 1..lines.len() {
            if lines[..at].iter().any(|earlier| earlier["quote_id"] == lines[at]["quote_id"]) {
                lines[at]["quote_id"] = format!("Q-of-line-{at}").into();
            }
        }
        let records = read(self, of, lines, web::import::proposal);
        let ids: Vec<String> = records.iter().map(|record| record.id.to_string()).collect();
        let end = self.service.imports.proposals(Box::new(records.into_iter().map(Ok))).await;
        kept(&end.expect("the store is there"), ids.len());
        ids
    }

    /// Imports health proposals of the default partner. Returns their ids in the order of the lines.
    pub async fn imports_proposals(&self, lines: Vec<Value>) -> Vec<String> {
        self.imports_proposals_of(self.partner(), lines).await
    }

    /// Imports health policies of a partner. Returns their ids in the order of the lines.
    pub async fn imports_policies_of(&self, of: &Partner, lines: Vec<Value>) -> Vec<String> {
        let records = read(self, of, lines, web::import::policy);
        let ids: Vec<String> = records.iter().map(|record| record.id.to_string()).collect();
        let end = self.service.imports.policies(Box::new(records.into_iter().map(Ok))).await;
        kept(&end.expect("the store is there"), ids.len());
        ids
    }

    /// Imports health policies of the default partner. Returns their ids in the order of the lines.
    pub async fn imports_policies(&self, lines: Vec<Value>) -> Vec<String> {
        self.imports_policies_of(self.partner(), lines).await
    }

    /// The journey of a customer who has answered every page: aged 34, alone, with these illnesses, for one
    /// year of a variant of the tests' health catalogue.
    pub async fn has_answered_journey(&self, variant: &str, illnesses: &[&str]) -> Journey {
        let partner = self.refreshed().await;
        self.has_answered_journey_of(&partner, variant, illnesses).await
    }

    /// The journey of a partner's customer. See [`App::has_answered_journey`].
    pub async fn has_answered_journey_of(
        &self,
        partner: &Partner,
        variant: &str,
        illnesses: &[&str],
    ) -> Journey {
        let token = self.token_of(partner, &["business.session"]).await;
        let language = Language::English;
        let arrival = Arrival { token: &token, session: None, return_url: None, language, cookie: None };
        let arrived =
            self.service.journeys.arrive(arrival).await.unwrap_or_else(|turned| panic!("{turned:?}"));
        let Arrived::Opened { cookie } = arrived else { panic!("a fresh token opens a journey") };
        let visit = self.service.journeys.visit(&cookie).await.expect("read").expect("just opened");
        let answered = self
            .service
            .journeys
            .change(visit.journey, |journey| {
                let age = Age::of(34.into()).expect("an age");
                journey.answers.family = vec![FamilyMember {
                    member: Member { relation: Relation::Own, age },
                    illnesses: illnesses.iter().map(|illness| (*illness).to_owned()).collect(),
                }];
                journey.answers.pincode = HomePincode::from_text("560038").ok();
                journey.answers.has_illness = Some(!illnesses.is_empty());
                journey.answers.porting = Some(None);
                let sum_insured = Rupees::whole(1_000_000);
                journey.answers.cover =
                    Some(CoverWanted { plan: PlanType::Base, sum_insured, deductible: None });
            })
            .await
            .expect("changed");
        let asked = self.service.journeys.recommend(answered).await.expect("asked").expect("answered");
        let quote = asked.answers.quote.expect("noted");
        let variant: VariantId = variant.parse().expect("an id");
        let price = self
            .eventually("the quote is ready", async || {
                let shown = self.service.health_quotes.find(partner.id, quote).await.expect("there");
                let offer = shown.quote.offers().find(|(_, offered, _)| *offered == variant);
                let ready = shown.quote.status() == JobStatus::Success;
                ready.then(|| offer.expect("the variant is offered").2.tenures[0])
            })
            .await;
        let form = form(illnesses);
        self.service
            .journeys
            .change(asked, |journey| {
                journey.answers.choice = Some(Choice { variant, years: price.years, premium: price.premium });
                journey.answers.form = Some(form.clone());
            })
            .await
            .expect("changed")
    }

    /// The id of the proposal of a journey whose customer gives all required consents.
    pub async fn proposes(&self, journey: &Journey) -> String {
        let consent = |purpose| ConsentAnswer {
            purpose,
            given: true,
            text: "I agree.".to_owned(),
            language: Language::English,
        };
        let consents = [ConsentPurpose::Declaration, ConsentPurpose::Insurer].map(consent);
        self.service.health_proposals.propose(journey, &consents).await.expect("proposed").to_string()
    }

    /// The id of a health proposal that the operator accepted.
    pub async fn has_accepted_health_proposal(&self) -> String {
        let journey = self.has_answered_journey(PLAIN, &["diabetes"]).await;
        let id = self.proposes(&journey).await;
        let accepted =
            self.service.operator_proposals.decide(id.parse().expect("an id"), Verdict::of(true, None)).await;
        assert_eq!(accepted.expect("decided").status, "ACCEPTED");
        id
    }

    /// Today in Kolkata.
    pub fn today(&self) -> Date {
        day_of(self.clock.now())
    }
}

/// The details that a customer fills in.
pub fn form(illnesses: &[&str]) -> HealthForm {
    let line = |text: &str| PersonalLine::kept(text.to_owned());
    let born = BirthDate::kept(Date::constant(1992, 1, 15));
    HealthForm {
        proposer: HealthProposer {
            name: line("Asha Rao"),
            phone: Mobile::kept("9876543210".into()),
            born,
            email: Some(Email::kept("asha.rao@example.com".into())),
            address: HomeAddress {
                line_1: line("12 MG Road"),
                line_2: Some(line("Indiranagar")),
                city: line("Bengaluru"),
                state: line("Karnataka"),
                country: line("India"),
                pincode: Pincode::kept("560038".into()),
            },
            bank: None,
        },
        gender: line("Female"),
        members: vec![InsuredMember {
            name: line("Asha Rao"),
            born,
            gender: line("Female"),
            relationship: relationship_word(Relation::Own),
            illnesses: illnesses.iter().map(|illness| line(illness)).collect(),
        }],
        nominee: HealthNominee {
            name: line("Ravi Rao"),
            relationship: line("SPOUSE"),
            phone: Some(Mobile::kept("9876543211".into())),
        },
    }
}
