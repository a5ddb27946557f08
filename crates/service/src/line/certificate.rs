//! Text of a policy's certificate, from the facts of policy, proposal, quote and catalogue.

pub use ::certificate::can_print;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use certificate::{
    Certificate, Cover, CoverKind, Holder, Insurer, MasterPolicy, Member, Nominee, Premium, Product,
    ScheduleRow,
};
use domain::context::Context;
use domain::credit_life::{CreditApplication, CreditCover, CreditLife, EmbeddedProposal};
use domain::date::{BirthDate, Date, day_of, in_words};
use domain::endorsement::EndorsementKind;
use domain::health_policy::{HealthCover, IssuedPolicy};
use domain::health_proposal::{HealthNominee, InsuredMember};
use domain::money::{Rupees, TaxRate};
use domain::operator::Operator;
use domain::person::{self, Address, Gender, Person};
use domain::policy::{CheckCode, Policy};
use rating::{Catalogue, CreditVariant, HealthVariant};

use crate::error::{Error, Result};

/// Path of the page that says whether a certificate is genuine. The check code follows.
pub const CHECK_PATH: &str = "/certificate/";

/// Check code of a certificate, as text for a URL.
pub fn check_text(check: CheckCode) -> String {
    URL_SAFE_NO_PAD.encode(check.0)
}

/// Check code from its text. `None` if the text is no check code.
pub fn check_of_text(text: &str) -> Option<CheckCode> {
    URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(CheckCode)
}

/// Notice on a test partner's certificate.
const SPECIMEN: &str = "This is a specimen, made to try the service out. Nobody is insured by it.";

/// Facts that every certificate shows.
pub struct Printed<'a> {
    /// Base URL of this service, to which the QR code leads.
    pub base_url: &'a str,
    /// Operator that sells the insurance, if known.
    pub operator: Option<&'a Operator>,
    /// Whether the certificate is a test partner's (D97).
    pub is_specimen: bool,
}

impl Printed<'_> {
    /// Notice that marks the certificate as a specimen. Empty for a live partner.
    fn mark(&self) -> String {
        if self.is_specimen { SPECIMEN.to_owned() } else { String::new() }
    }

    /// Seller of the policy, in two sentences. Empty if the operator is unknown.
    fn seller(&self) -> String {
        let Some(operator) = self.operator else { return String::new() };
        let kind = operator.kind.in_english();
        format!(
            "{}, {kind}, licence {} until {}. {}, {}",
            operator.name.english(),
            operator.licence_number,
            in_words(operator.licence_until),
            operator.address.english(),
            operator.contact
        )
    }
}

/// Certificate of a credit-life policy. The same policy always gives the same text.
pub(crate) fn credit_life(
    (policy, cover): (&Policy, &CreditCover),
    proposal: &EmbeddedProposal,
    catalogue: &Catalogue,
    variant: &CreditVariant,
    printed: &Printed<'_>,
) -> Result<Certificate> {
    let CreditApplication { quoted, request, .. } = &policy.endorsed::<CreditLife>(&proposal.application);
    let product = &variant.product;
    let master_policy = product
        .master_policy
        .as_ref()
        .ok_or_else(|| Error::Internal(format!("product {} has no master policy", product.id)))?;
    let insurer = variant.insurer();
    let told = request.context.over(&quoted.request.context);
    let schedule = variant.schedule(policy.sum_insured, cover.term_months);
    Ok(Certificate {
        mark: printed.mark(),
        specimen: printed.is_specimen,
        endorsed: endorsed(policy),
        number: policy.number.to_string(),
        insurer_number: policy.insurer_number.as_ref().map(ToString::to_string),
        master_policy: Some(MasterPolicy {
            number: master_policy.number.clone(),
            holder: master_policy.holder.clone(),
        }),
        insurer: insurer_facts(insurer),
        product: Product {
            name: product.name.clone(),
            uin: product.uin.clone(),
            variant: [vec![variant.name.clone()], variant.riders_of(&told)].concat().join(" + "),
        },
        cover: Cover {
            kind: match variant.cover {
                rating::CoverKind::Level => CoverKind::Level,
                rating::CoverKind::Reducing { .. } => CoverKind::Reducing,
            },
            starts: in_words(cover.period.starts),
            ends: in_words(cover.period.ends),
            sum_insured: policy.sum_insured.grouped(),
            term_months: cover.term_months,
            schedule: schedule
                .into_iter()
                .map(|(year, cover)| ScheduleRow { year, sum_insured: cover.grouped() })
                .collect(),
        },
        premium: premium(policy.premium, (catalogue, product, cover.period.starts), &cover.settlement),
        holder: None,
        members: request.insured_members.iter().map(|one| member(one, cover.period.starts)).collect(),
        nominees: request.nominees.iter().map(nominee).collect(),
        authorisation: authorisation(&told),
        seller: printed.seller(),
        stamp_duty: product.stamp_duty.clone().unwrap_or_default(),
        loan: loan(&told),
        issued_on: in_words(day_of(policy.issued_at)),
        free_look_days: product.free_look_days.into(),
        exclusions: product.exclusions.as_ref().map_or_else(String::new, |text| text.english().to_owned()),
        claims_contact: insurer.claims_contact.clone(),
        grievance_contact: insurer.grievance_contact.english().to_owned(),
        check_address: check_address(policy.check, printed.base_url)?,
    })
}

/// Sentence about the newest endorsement. Empty if the policy has none.
fn endorsed(policy: &Policy) -> String {
    let Some(newest) = policy.made_endorsements().last() else { return String::new() };
    let what = match newest.change.kind() {
        EndorsementKind::Nominee => "the nominees were changed",
        EndorsementKind::Contact => "the address or contact was changed",
        EndorsementKind::Name => "a name was corrected",
        EndorsementKind::DateOfBirth => "a date of birth was corrected",
        EndorsementKind::LoanAccount => "the loan account was changed",
        EndorsementKind::Assignment => "the policy was assigned to the lender",
        EndorsementKind::CoverReduction => "the cover was reduced",
    };
    let on = in_words(day_of(newest.decided_at.unwrap_or(newest.asked_at)));
    let version = policy.certificate_version();
    format!(
        "Endorsed on {on}: {what}. This is version {version} of the certificate and replaces all earlier ones."
    )
}

/// Address to which a certificate's QR code leads.
fn check_address(check: Option<CheckCode>, base_url: &str) -> Result<String> {
    let check = check.ok_or_else(|| Error::Internal("a policy has no check code".into()))?;
    Ok(format!("{base_url}{CHECK_PATH}{}", check_text(check)))
}

/// Certificate of a health policy.
pub(crate) fn health(
    (policy, cover): (&Policy, &HealthCover),
    issued: &IssuedPolicy,
    catalogue: &Catalogue,
    variant: &HealthVariant,
    printed: &Printed<'_>,
) -> Result<Certificate> {
    let (product, insurer, chosen) = (&variant.product, variant.insurer(), &issued.chosen);
    let mut terms = vec![("Pre-existing diseases".to_owned(), waiting(variant.waiting_months))];
    if let Some(renewal) = &chosen.renewal {
        terms.push(("Renews".into(), renewal.number.to_string()));
        terms.push(("Covered since".into(), in_words(renewal.covered_since)));
    }
    if chosen.deductible > Rupees::ZERO {
        terms.push(("Deductible in a year".into(), chosen.deductible.grouped()));
    }
    if chosen.copay_percent > 0 {
        terms.push(("Your share of a claim".into(), format!("{} %", chosen.copay_percent)));
    }
    let declared: Vec<String> =
        cover.members.iter().filter_map(|member| illnesses_of(member, catalogue)).collect();
    if !declared.is_empty() {
        terms.push(("Illnesses declared".into(), declared.join("; ")));
    }
    let proposer = &cover.proposer;
    let years = cover.tenure;
    Ok(Certificate {
        mark: printed.mark(),
        specimen: printed.is_specimen,
        endorsed: endorsed(policy),
        number: policy.number.to_string(),
        insurer_number: policy.insurer_number.as_ref().map(ToString::to_string),
        master_policy: product
            .master_policy
            .as_ref()
            .map(|group| MasterPolicy { number: group.number.clone(), holder: group.holder.clone() }),
        insurer: insurer_facts(insurer),
        product: Product {
            name: product.name.clone(),
            uin: product.uin.clone(),
            variant: variant.name.clone(),
        },
        cover: Cover {
            kind: CoverKind::Health { terms },
            starts: in_words(issued.period.starts),
            ends: in_words(issued.period.ends),
            sum_insured: policy.sum_insured.grouped(),
            term_months: u32::from(years) * 12,
            schedule: Vec::new(),
        },
        premium: premium(policy.premium, (catalogue, product, issued.period.starts), &issued.settlement),
        holder: Some(Holder {
            name: proposer.name.reveal().to_owned(),
            address: proposer.address.in_one_line(),
        }),
        members: cover.members.iter().map(|one| health_member(one, issued.period.starts)).collect(),
        nominees: cover.nominees.iter().map(health_nominee).collect(),
        authorisation: String::new(),
        seller: printed.seller(),
        stamp_duty: product.stamp_duty.clone().unwrap_or_default(),
        loan: Vec::new(),
        issued_on: in_words(day_of(policy.issued_at)),
        // A renewal has no free-look period.
        free_look_days: if chosen.renewal.is_some() { 0 } else { product.free_look_days.into() },
        exclusions: product.exclusions.as_ref().map_or_else(String::new, |text| text.english().to_owned()),
        claims_contact: insurer.claims_contact.clone(),
        grievance_contact: insurer.grievance_contact.english().to_owned(),
        check_address: check_address(policy.check, printed.base_url)?,
    })
}

/// Renders a certificate as PDF, on a thread for blocking work.
///
/// # Errors
/// [`Error::Internal`] if it cannot be rendered.
pub(crate) async fn render(certificate: Certificate) -> Result<Vec<u8>> {
    let rendered = tokio::task::spawn_blocking(move || ::certificate::render(&certificate)).await;
    rendered
        .map_err(|_| Error::Internal("rendering a certificate panicked".into()))?
        .map_err(|fault| Error::Internal(format!("the certificate could not be made: {fault}")))
}

fn insurer_facts(insurer: &rating::Insurer) -> Insurer {
    Insurer {
        name: insurer.name.clone(),
        registration_number: insurer.registration_number.clone(),
        address: insurer.address.clone(),
    }
}

/// Premium of cover that starts on a day. If it is not taxed, the label says nil or exempt (D70).
fn premium(
    premium: domain::money::Premium,
    (catalogue, product, starts): (&Catalogue, &rating::Product, Date),
    settlement: &str,
) -> Premium {
    let rate = catalogue.tax(product.tax_class(), starts);
    Premium {
        base: premium.base().grouped_with_paise(),
        tax_label: match rate {
            Some(rate) if rate.is_exempt() => "GST (exempt)".into(),
            Some(TaxRate::NIL) => "GST (nil)".into(),
            _ => "GST".into(),
        },
        tax: premium.gst().grouped_with_paise(),
        total: premium.total().grouped_with_paise(),
        settlement: settlement.to_owned(),
    }
}

fn waiting(months: u16) -> String {
    match months {
        0 => "Covered from the first day".into(),
        months => format!("Covered after {months} months"),
    }
}

/// Illnesses of a person by the catalogue's names. `None` if there are none.
fn illnesses_of(member: &InsuredMember, catalogue: &Catalogue) -> Option<String> {
    let names: Vec<&str> = member.illnesses.iter().map(|id| catalogue.illness_name(id.reveal())).collect();
    (!names.is_empty()).then(|| format!("{}: {}", member.name.reveal(), names.join(", ")))
}

/// Date of birth with the age on a day: `15 Jun 1990 (36)`.
fn born(born: BirthDate, on: Date) -> String {
    format!("{} ({})", in_words(born.reveal()), born.age_on(on))
}

fn health_member(member: &InsuredMember, starts: Date) -> Member {
    Member {
        name: member.name.reveal().to_owned(),
        date_of_birth: born(member.born, starts),
        gender: words(member.gender.reveal()),
        address: String::new(),
        relationship: words(member.relationship.reveal()),
    }
}

fn health_nominee(nominee: &HealthNominee) -> Nominee {
    Nominee {
        name: nominee.name.reveal().to_owned(),
        date_of_birth: String::new(),
        relationship: words(nominee.relationship.reveal()),
        share: "100 %".into(),
        appointee: None,
    }
}

fn gender(gender: Gender) -> String {
    match gender {
        Gender::Male => "Male".into(),
        Gender::Female => "Female".into(),
    }
}

fn member(person: &Person, starts: Date) -> Member {
    Member {
        name: person.name.full().reveal().to_owned(),
        date_of_birth: born(person.born, starts),
        gender: gender(person.gender),
        address: address(&person.address),
        relationship: String::new(),
    }
}

fn address(address: &Address) -> String {
    let lines = [
        Some(&address.line_1),
        Some(&address.line_2),
        address.line_3.as_ref(),
        Some(&address.city),
        Some(&address.state),
    ];
    let lines: Vec<&str> = lines.into_iter().flatten().map(person::PersonalLine::reveal).collect();
    let country = address.country.reveal();
    let country = if country == "India" { String::new() } else { format!(", {country}") };
    format!("{} {}{country}", lines.join(", "), address.pincode.reveal())
}

fn nominee(nominee: &person::Nominee) -> Nominee {
    Nominee {
        name: nominee.name.full().reveal().to_owned(),
        date_of_birth: in_words(nominee.born.reveal()),
        relationship: words(nominee.relationship.word()),
        share: format!("{} %", nominee.share.rounded()),
        appointee: nominee.appointee.as_ref().map(|appointee| {
            format!(
                "{} ({})",
                appointee.name.full().reveal(),
                words(appointee.relationship.word()).to_lowercase()
            )
        }),
    }
}

/// `SISTER_IN_LAW` as a person writes it: `Sister in law`.
fn words(word: &str) -> String {
    let text = word.replace('_', " ").to_lowercase();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Known facts of the loan, each with its label.
fn loan(told: &Context) -> Vec<(String, String)> {
    let amount = told.loan_amount().filter(|amount| !amount.is_beyond_counting());
    let facts = [
        ("Lender", told.lender()),
        ("Loan account", told.loan_account()),
        ("Loan amount", amount.map(Rupees::grouped)),
        ("Loan tenure", told.loan_tenure().map(|months| format!("{months} months"))),
        ("Disbursed on", told.disbursement_date().map(in_words)),
    ];
    let known = facts.into_iter().filter_map(|(label, value)| Some((label.to_owned(), value?)));
    known.collect()
}

/// Sentence that a claim pays the lender first. Empty if the borrower did not authorise this.
fn authorisation(told: &Context) -> String {
    if !told.claims_to_lender() {
        return String::new();
    }
    let lender = told.lender().unwrap_or_else(|| "the lender".to_owned());
    format!(
        "By the insured member's authorisation, a claim pays {lender} what is owed first, and the nominees the rest."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_api_word_is_printed_as_readable_text_on_a_certificate() {
        assert_eq!(words("SISTER_IN_LAW"), "Sister in law");
    }

    #[test]
    fn a_check_code_written_as_text_is_read_as_the_same_code() {
        let check = CheckCode([7; 16]);
        assert_eq!(check_of_text(&check_text(check)), Some(check));
        assert_eq!(check_of_text("x"), None);
    }
}
