//! Edits of the sample catalogue for tests.

use std::sync::OnceLock;

use domain::context::{Context, ContextEntry, key};
use domain::date::{BirthDate, Date};
use domain::health_quote::{Attribution, Customer, HealthRequest, PlanType};
use domain::id::VariantId;
use domain::money::{CoverAmount, Rupees};
use domain::person::{Gender, HomePincode};
use domain::quote::{PolicyTerm, QuoteRequest};
use domain::text::FromText;
use rating::{Catalogue, CreditVariant, Files, HealthVariant, Members};

pub(crate) const INSURER: &str = "insurers/kalpanik/insurer.toml";
pub(crate) const PRODUCT: &str = "insurers/kalpanik/loan-suraksha.toml";
pub(crate) const LEVEL_TABLE: &str = "insurers/kalpanik/loan-suraksha-level.csv";
pub(crate) const PER_LAKH: &str = "insurers/parikatha/one-price-loan-cover.toml";
pub(crate) const PER_LAKH_TABLE: &str = "insurers/parikatha/one-price-loan-cover.csv";

pub(crate) const LEVEL: &str = "vrt_01m5w4nayge0zt63z13f3ajgpk";
pub(crate) const REDUCING: &str = "vrt_01m5w70szrefd8xfkwrdd6c53q";
pub(crate) const ACCIDENT: &str = "vrt_01m5w8rr10ezpaxa54cw6yv5xv";
pub(crate) const TAX_INCLUDED: &str = "vrt_01m5waf85geqgaee9ajw5me0pj";
pub(crate) const ONE_PRICE: &str = "vrt_01m5ws87x8eknbraw4m6mwrbzq";
pub(crate) const HOME: &str = "vrt_01m5wsqaared0rnt6fb6a4f0pq";
pub(crate) const HOME_LOAN: &str = "insurers/udaharan/home-loan-kavach.toml";

pub(crate) const ZONES: &str = "zones.csv";
pub(crate) const ILLNESSES: &str = "illnesses.toml";
pub(crate) const FILTER_TAGS: &str = "filter_tags.toml";
pub(crate) const SENIOR_INSURER: &str = "insurers/drishtant/insurer.toml";
pub(crate) const SENIOR: &str = "insurers/drishtant/parivar-raksha.toml";
pub(crate) const SENIOR_TABLE: &str = "insurers/drishtant/parivar-raksha-eldest.csv";
pub(crate) const OTHERS_TABLE: &str = "insurers/drishtant/parivar-raksha-others.csv";
pub(crate) const FLOATER: &str = "insurers/nidarshan/sampoorna.toml";
pub(crate) const FLOATER_TABLE: &str = "insurers/nidarshan/sampoorna.csv";
pub(crate) const PER_MEMBER: &str = "insurers/prayog/apna.toml";
pub(crate) const PER_MEMBER_TABLE: &str = "insurers/prayog/apna.csv";
pub(crate) const TOP_UP: &str = "insurers/abhas/suraksha-kavach.toml";
pub(crate) const TOP_UP_TABLE: &str = "insurers/abhas/suraksha-kavach.csv";

/// Variant of the published chart, by senior-most plus others.
pub(crate) const RAKSHA: &str = "vrt_01m7w48n5meyvaef05gq348hkr";
pub(crate) const RAKSHA_PLUS: &str = "vrt_01m7w48pdnea3r6qfc2eeqwx4m";
/// Variant of a floater.
pub(crate) const SAMPOORNA: &str = "vrt_01m7w48q6be27tbsrje1mgw558";
/// Variant with a co-pay from age 61.
pub(crate) const SARAL: &str = "vrt_01m7w48qv2f3a8bqatrjd3njrd";
/// Variant that is priced per member.
pub(crate) const APNA: &str = "vrt_01m7w48tf8farb21d2p9gw6t1h";
/// Variant of a super top-up.
pub(crate) const KAVACH: &str = "vrt_01m7w4902pf1h80kcemqdqbw2d";
/// Variant that covers only one person.
pub(crate) const YUVA: &str = "vrt_01m7w491xbf7dt6a23m1sy2dja";
/// Variant that covers only parents.
pub(crate) const MATA_PITA: &str = "vrt_01m7w49330e25vyb3nk6cy27c5";

/// Files of the sample with their contents.
pub(crate) fn sample() -> Vec<(String, Vec<u8>)> {
    let files = Files::sample();
    files.paths().map(|path| (path.to_owned(), files.get(path).expect("listed").to_vec())).collect()
}

pub(crate) fn text(path: &str) -> String {
    let files = Files::sample();
    String::from_utf8(files.get(path).expect("a file of the sample").to_vec()).expect("text")
}

/// Line on which a text first occurs in a file of the sample.
pub(crate) fn line(path: &str, wanted: &str) -> usize {
    let text = text(path);
    let (before, _) = text.split_once(wanted).expect("a text of the file");
    1 + before.matches('\n').count()
}

/// The sample, with the first occurrence of a text in a file replaced.
pub(crate) fn changed(path: &str, from: &str, to: &str) -> Files {
    let mut files = sample();
    let (_, content) = files.iter_mut().find(|(other, _)| other == path).expect("a file of the sample");
    let text = String::from_utf8(content.clone()).expect("text");
    assert!(text.contains(from), "{path} has no {from:?}");
    *content = text.replacen(from, to, 1).into_bytes();
    Files::of(files).expect("the sample's own paths")
}

/// The sample with a file added or replaced.
pub(crate) fn with(path: &str, content: &str) -> Files {
    let mut files = sample();
    files.retain(|(other, _)| other != path);
    files.push((path.to_owned(), content.as_bytes().to_vec()));
    Files::of(files).expect("plain paths")
}

pub(crate) fn without(path: &str) -> Files {
    let mut files = sample();
    let count = files.len();
    files.retain(|(other, _)| other != path);
    assert_eq!(files.len() + 1, count, "{path} is a file of the sample");
    Files::of(files).expect("the sample's own paths")
}

/// Loads a catalogue that must have no faults.
pub(crate) fn load(files: &Files) -> Catalogue {
    Catalogue::load(files).unwrap_or_else(|faults| {
        panic!("{}", faults.iter().map(|fault| format!("{fault}\n")).collect::<String>())
    })
}

/// The sample, loaded once for tests that read it many times.
pub(crate) fn shared() -> &'static Catalogue {
    static SAMPLE: OnceLock<Catalogue> = OnceLock::new();
    SAMPLE.get_or_init(|| load(&Files::sample()))
}

pub(crate) fn variant<'c>(catalogue: &'c Catalogue, id: &str) -> &'c CreditVariant {
    let id: VariantId = id.parse().expect("an id");
    catalogue.credit_variant(id).expect("a variant of the catalogue")
}

pub(crate) fn health<'c>(catalogue: &'c Catalogue, id: &str) -> &'c HealthVariant {
    let id: VariantId = id.parse().expect("an id");
    catalogue.health_variant(id).expect("a health variant of the catalogue")
}

/// Date of most tests.
pub(crate) const TODAY: Date = Date::constant(2026, 11, 20);

/// Request of a person with this age on [`TODAY`], in completed years.
pub(crate) fn request(age: i16, cover_paise: i64, months: u32) -> QuoteRequest {
    QuoteRequest {
        born: BirthDate::kept(Date::constant(TODAY.year() - age, 6, 15)),
        gender: Gender::Female,
        cover: CoverAmount::of(Rupees::from_paise(cover_paise)).expect("above zero"),
        term: PolicyTerm::months(months).expect("a term"),
        context: Context::default(),
    }
}

/// Request of a family at a pincode for a sum insured in rupees.
pub(crate) fn family(members: &str, pincode: &str, sum_insured: i64) -> HealthRequest {
    HealthRequest {
        lead: None,
        user: None,
        session: None,
        customer: Customer {
            name: None,
            gender: None,
            phone: None,
            pincode: HomePincode::from_text(pincode).expect("a pincode"),
            email: None,
        },
        members: Members::from_text(members).expect("a family").0,
        has_ped: false,
        selected_peds: Vec::new(),
        plan: PlanType::Base,
        sum_insured: Rupees::whole(sum_insured),
        deductible: None,
        porting: None,
        attribution: Attribution::default(),
        covered_since: None,
    }
}

pub(crate) fn ill(request: HealthRequest, illnesses: &[&str]) -> HealthRequest {
    let selected_peds = illnesses.iter().map(|id| (*id).to_owned()).collect();
    HealthRequest { has_ped: true, selected_peds, ..request }
}

/// The usual request: five lakh over two years at age 36.
pub(crate) fn ordinary() -> QuoteRequest {
    request(36, 50_000_000, 24)
}

pub(crate) fn with_loan(request: QuoteRequest, loan: &str) -> QuoteRequest {
    let loan = ContextEntry::new(key::LOAN_AMOUNT, vec![loan.to_owned()]);
    QuoteRequest { context: Context::of(vec![loan]), ..request }
}
