//! The sample catalogue with a word changed here and there, and requests to price.

use domain::context::{Context, ContextEntry, key};
use domain::date::{BirthDate, Date};
use domain::id::VariantId;
use domain::money::{CoverAmount, Rupees};
use domain::person::Gender;
use domain::quote::{PolicyTerm, QuoteRequest};
use rating::{Catalogue, CreditVariant, Files};

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

/// The files of the sample, each with its content.
pub(crate) fn sample() -> Vec<(String, Vec<u8>)> {
    let files = Files::sample();
    files.paths().map(|path| (path.to_owned(), files.get(path).expect("listed").to_vec())).collect()
}

/// The sample with the first occurrence of a text in a file replaced.
pub(crate) fn changed(path: &str, from: &str, to: &str) -> Files {
    let mut files = sample();
    let (_, content) = files.iter_mut().find(|(other, _)| other == path).expect("a file of the sample");
    let text = String::from_utf8(content.clone()).expect("text");
    assert!(text.contains(from), "{path} has no {from:?}");
    *content = text.replacen(from, to, 1).into_bytes();
    Files::of(files).expect("the sample's own paths")
}

/// The sample with one file more, or one replaced.
pub(crate) fn with(path: &str, content: &str) -> Files {
    let mut files = sample();
    files.retain(|(other, _)| other != path);
    files.push((path.to_owned(), content.as_bytes().to_vec()));
    Files::of(files).expect("plain paths")
}

/// The sample without a file.
pub(crate) fn without(path: &str) -> Files {
    let mut files = sample();
    let count = files.len();
    files.retain(|(other, _)| other != path);
    assert_eq!(files.len() + 1, count, "{path} is a file of the sample");
    Files::of(files).expect("the sample's own paths")
}

/// A catalogue that must be without fault.
pub(crate) fn load(files: &Files) -> Catalogue {
    Catalogue::load(files).unwrap_or_else(|faults| {
        panic!("{}", faults.iter().map(|fault| format!("{fault}\n")).collect::<String>())
    })
}

/// A variant by the text of its id.
pub(crate) fn variant<'c>(catalogue: &'c Catalogue, id: &str) -> &'c CreditVariant {
    let id: VariantId = id.parse().expect("an id");
    catalogue.credit_variant(id).expect("a variant of the catalogue")
}

/// The day most tests stand on.
pub(crate) const TODAY: Date = Date::constant(2026, 11, 20);

/// A request of one of so many completed years on [`TODAY`].
pub(crate) fn request(age: i16, cover_paise: i64, months: u32) -> QuoteRequest {
    QuoteRequest {
        born: BirthDate::kept(Date::constant(TODAY.year() - age, 6, 15)),
        gender: Gender::Female,
        cover: CoverAmount::of(Rupees::from_paise(cover_paise)).expect("above zero"),
        term: PolicyTerm::months(months).expect("a term"),
        context: Context::default(),
    }
}

/// The ordinary request: five lakh over two years at 36.
pub(crate) fn ordinary() -> QuoteRequest {
    request(36, 50_000_000, 24)
}

/// A request with the amount of a loan.
pub(crate) fn with_loan(request: QuoteRequest, loan: &str) -> QuoteRequest {
    let loan = ContextEntry::new(key::LOAN_AMOUNT, vec![loan.to_owned()]);
    QuoteRequest { context: Context::of(vec![loan]), ..request }
}
