//! Rules of a credit-life product that are checked at the proposal, then again at issue (D61).

use domain::context::{Context, key};
use domain::credit_life::CreditApplication;
use domain::date::{Date, days_later, in_words};
use domain::money::Rupees;
use domain::person::Person;
use domain::quote::QuoteRequest;
use rust_decimal::Decimal;

use crate::credit_limits::{Limits, SaleTerms};

/// Planned sale of a credit-life variant.
#[derive(Debug, Clone)]
pub struct Sale<'a> {
    /// Quote request with the data of the real borrower, and all known facts about the loan
    /// ([`CreditApplication::sold`]).
    pub sold: QuoteRequest,
    /// Day of the sale in Asia/Kolkata.
    pub on: Date,
    /// First day of cover.
    pub starts: Date,
    proposer: &'a Person,
    insured: &'a [Person],
    /// Context data that the proposal itself sent, without the context data of its quote.
    told: &'a Context,
    quoted: &'a QuoteRequest,
    /// Cover that one person already has from other policies on the same loan account. If several people are
    /// insured, the highest of these amounts.
    pub covered_already: Rupees,
}

/// Rule that a sale breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleFault {
    /// Field of the proposal's request body, such as `insured_members[0].date_of_birth`.
    pub field: String,
    /// The broken rule, as a sentence for people.
    pub message: String,
}

impl<'a> Sale<'a> {
    /// Builds the sale of an application on a day.
    pub(crate) fn of(application: &'a CreditApplication, on: Date) -> Self {
        let sold = application.sold();
        let starts = sold.starts(on);
        let request = &application.request;
        Sale {
            sold,
            on,
            starts,
            proposer: &request.proposer,
            insured: &request.insured_members,
            told: &request.context,
            quoted: &application.quoted.request,
            covered_already: Rupees::ZERO,
        }
    }

    /// Replaces the occupation of the quote by the borrower's own occupation, which then decides the price.
    #[must_use]
    pub(crate) fn with_true_occupation(mut self) -> Self {
        if let Some(borrower) = self.insured.first() {
            self.sold.context = Context::of_occupation(borrower.occupation).over(&self.sold.context);
        }
        self
    }

    /// Field by which the partner sent a context entry: `context_data` of the proposal, or `quote_id`.
    pub fn field_of(&self, key: &str) -> &'static str {
        if self.told.first(key).is_some() { "context_data" } else { "quote_id" }
    }
}

/// Rules that the sale breaks, in the order of the checks.
#[derive(Default)]
struct Faults(Vec<SaleFault>);

impl Faults {
    fn add(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.0.push(SaleFault { field: field.into(), message: message.into() });
    }
}

/// Every rule of a variant that the sale breaks.
pub(crate) fn faults(limits: &Limits, sale: &Sale<'_>) -> Vec<SaleFault> {
    let mut faults = Faults::default();
    check_start(&limits.sale, sale, &mut faults);
    check_loan(&limits.sale, sale, &mut faults);
    check_people(&limits.sale, sale, &mut faults);
    if limits.sale.joint_life {
        check_joint_life(sale, &mut faults);
    }
    for (at, member) in sale.insured.iter().enumerate() {
        check_member(limits, sale, at, member, &mut faults);
    }
    faults.0
}

fn check_start(terms: &SaleTerms, sale: &Sale<'_>, faults: &mut Faults) {
    let last = days_later(sale.on, terms.start_within_days).unwrap_or(Date::MAX);
    if sale.starts > last {
        let (starts, last) = (in_words(sale.starts), in_words(last));
        let message = format!("This cover must start by {last}; disbursement_date is {starts}.");
        faults.add(sale.field_of(key::DISBURSEMENT_DATE), message);
    }
}

fn check_loan(terms: &SaleTerms, sale: &Sale<'_>, faults: &mut Faults) {
    let (own, context) = (sale.sold.cover.amount(), &sale.sold.context);
    let cover = own + sale.covered_already;
    if terms.loan_required && context.loan_amount().is_none() {
        faults.add("context_data", "Required: loan_amount. This cover is sold only for a loan.");
    }
    if let (Some(percent), Some(loan)) = (terms.cover_up_to, context.loan_amount())
        && is_above(cover.to_decimal(), loan.to_decimal(), percent)
    {
        let already = match sale.covered_already {
            Rupees::ZERO => String::new(),
            already => format!(", of which other policies on this loan account have {},", already.grouped()),
        };
        let message = format!(
            "This cover is limited to {}% of the loan: {}{already} is too much for a loan of {}.",
            percent.normalize(),
            cover.grouped(),
            loan.grouped()
        );
        faults.add(sale.field_of(key::LOAN_AMOUNT), message);
    }
    let months = sale.sold.term.as_months();
    if let Some(tenure) = context.loan_tenure().filter(|tenure| terms.term_up_to_loan && months > *tenure) {
        let message = format!(
            "This cover cannot run longer than the loan: {months} months is too long for a loan of {tenure} months."
        );
        faults.add(sale.field_of(key::LOAN_TENURE), message);
    }
}

/// Whether an amount exceeds a percentage of another amount. False if the percentage exceeds the range of
/// `Decimal`.
fn is_above(amount: Decimal, of: Decimal, percent: Decimal) -> bool {
    let most = of.checked_mul(percent).map(|most| most / Decimal::ONE_HUNDRED);
    most.is_some_and(|most| amount > most)
}

fn check_people(terms: &SaleTerms, sale: &Sale<'_>, faults: &mut Faults) {
    let number = sale.insured.len();
    if number > usize::from(terms.members) {
        let most = match terms.members {
            1 => "one person".to_owned(),
            most => format!("up to {most} people"),
        };
        faults.add("insured_members", format!("This cover is for {most}, not {number}."));
    }
    let is_proposer = sale.insured.first().is_some_and(|first| first.is_same_as(sale.proposer));
    if terms.proposer_is_insured && !is_proposer {
        let message = "Must be the proposer, because this cover must insure the proposer as first member.";
        faults.add("insured_members[0]", message);
    }
}

/// Checks that the second insured member is the joint life of the quote (D76).
fn check_joint_life(sale: &Sale<'_>, faults: &mut Faults) {
    let quoted = &sale.quoted.context;
    let (born, member) = (quoted.joint_date_of_birth(), sale.insured.get(1));
    match (born, member) {
        (None, None) => {}
        (None, Some(_)) => faults.add(
            "insured_members",
            "The quote is for one person, and this cover costs more for two. Get a new quote with joint_date_of_birth and joint_gender.",
        ),
        (Some(_), None) => {
            faults.add("insured_members", "The quote is for two people: add the second insured member.");
        }
        (Some(born), Some(member)) => {
            if member.born != born {
                let message = "The date of birth differs from joint_date_of_birth of the quote. Get a new quote.";
                faults.add("insured_members[1].date_of_birth", message);
            }
            if quoted.joint_gender().is_some_and(|gender| gender != member.gender) {
                let message = "The gender differs from joint_gender of the quote. Get a new quote.";
                faults.add("insured_members[1].gender", message);
            }
        }
    }
}

fn check_member(limits: &Limits, sale: &Sale<'_>, at: usize, member: &Person, faults: &mut Faults) {
    let path = format!("insured_members[{at}]");
    if let Some(twin) = sale.insured[..at].iter().position(|other| other.is_same_as(member)) {
        let message =
            format!("Duplicate person: the same as insured_members[{twin}]. List each person once.");
        faults.add(path.clone(), message);
    }
    if let Err(why) = limits.check_ages(member.born, sale.starts, sale.sold.term.as_months()) {
        faults.add(format!("{path}.date_of_birth"), why.to_string());
    }
    for kind in limits.sale.documents.iter().filter(|kind| !member.has_document(**kind)) {
        faults.add(format!("{path}.documents"), format!("Required: {kind} of each insured member."));
    }
}
