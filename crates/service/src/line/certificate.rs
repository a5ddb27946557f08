//! What a policy's certificate says: the facts of policy, proposal, quote and catalogue, as text.

pub use ::certificate::can_print;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use certificate::{
    Certificate, Cover, CoverKind, Holder, Insurer, MasterPolicy, Member, Nominee, Premium, Product,
    ScheduleRow,
};
use domain::context::Context;
use domain::credit_life::{CreditApplication, EmbeddedPolicy, EmbeddedProposal};
use domain::date::{BirthDate, Date, day_of, in_words};
use domain::endorsement::EndorsementKind;
use domain::health_policy::{HealthPolicy, IssuedPolicy};
use domain::health_proposal::{HealthNominee, InsuredMember};
use domain::line::Line;
use domain::money::{Rupees, TaxRate};
use domain::operator::Operator;
use domain::person::{self, Address, Gender, Person};
use domain::policy::{CheckCode, Policy};
use rating::{Catalogue, CoverKind as Kind, CreditVariant, HealthVariant};

use crate::error::{Error, Result};

/// Path under which this server says whether a certificate is genuine.
pub const CHECK_PATH: &str = "/certificate/";

/// The text of a check code in an address.
pub fn check_text(check: CheckCode) -> String {
    URL_SAFE_NO_PAD.encode(check.0)
}

/// The check code of a text, where it is one.
pub fn check_of_text(text: &str) -> Option<CheckCode> {
    URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(CheckCode)
}

/// The mark of a certificate that was made for trying out.
const SPECIMEN: &str = "This is a specimen, made to try the service out. Nobody is insured by it.";

/// What is printed on every certificate.
pub struct Printed<'a> {
    /// The address of this service, where a QR code leads.
    pub base_url: &'a str,
    /// Who sells, where that is known.
    pub operator: Option<&'a Operator>,
    /// Whether it is of a test partner (D97).
    pub is_specimen: bool,
}

impl Printed<'_> {
    /// What must be seen first of a policy that stands as it was issued.
    fn mark(&self) -> String {
        if self.is_specimen { SPECIMEN.to_owned() } else { String::new() }
    }

    /// Who sold it, in two sentences; empty where that is not known.
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

/// What the certificate of a policy of credit life says. The same policy says the same for ever.
pub(crate) fn credit_life(
    policy: &EmbeddedPolicy,
    proposal: &EmbeddedProposal,
    catalogue: &Catalogue,
    variant: &CreditVariant,
    printed: &Printed<'_>,
) -> Result<Certificate> {
    let cover = &policy.cover;
    let CreditApplication { quoted, request, .. } = &policy.endorsed(&proposal.application);
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
                Kind::Level => CoverKind::Level,
                Kind::Reducing { .. } => CoverKind::Reducing,
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

/// What the newest endorsement changed, in a sentence; empty where the policy is as it was issued.
fn endorsed<L: Line>(policy: &Policy<L>) -> String {
    let Some(newest) = policy.made_endorsements().last() else { return String::new() };
    let what = match newest.change.kind() {
        EndorsementKind::Nominee => "the nominees were changed",
        EndorsementKind::Contact => "address or contact was changed",
        EndorsementKind::Name => "a name was corrected",
        EndorsementKind::DateOfBirth => "a date of birth was corrected",
        EndorsementKind::LoanAccount => "the loan account was changed",
        EndorsementKind::Assignment => "the policy was assigned to the lender",
        EndorsementKind::CoverReduction => "the cover was reduced",
    };
    let on = in_words(day_of(newest.decided_at.unwrap_or(newest.asked_at)));
    let version = policy.certificate_version();
    format!(
        "Endorsed on {on}: {what}. This is version {version} of the certificate and replaces all before it."
    )
}

/// Where the QR code of a certificate leads.
fn check_address(check: Option<CheckCode>, base_url: &str) -> Result<String> {
    let check = check.ok_or_else(|| Error::Internal("a policy without a check code".into()))?;
    Ok(format!("{base_url}{CHECK_PATH}{}", check_text(check)))
}

/// What the certificate of a health policy says.
pub(crate) fn health(
    policy: &HealthPolicy,
    issued: &IssuedPolicy,
    catalogue: &Catalogue,
    variant: &HealthVariant,
    printed: &Printed<'_>,
) -> Result<Certificate> {
    let cover = &policy.cover;
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
        // A renewal is not given back.
        free_look_days: if chosen.renewal.is_some() { 0 } else { product.free_look_days.into() },
        exclusions: product.exclusions.as_ref().map_or_else(String::new, |text| text.english().to_owned()),
        claims_contact: insurer.claims_contact.clone(),
        grievance_contact: insurer.grievance_contact.english().to_owned(),
        check_address: check_address(policy.check, printed.base_url)?,
    })
}

/// Draws a certificate, off the threads that requests run on.
///
/// # Errors
/// [`Error::Internal`] when it cannot be drawn.
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

/// A premium whose cover starts on a day: what is not taxed is nil or exempt (D70).
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

/// A person's illnesses by the catalogue's names; `None` where there are none.
fn illnesses_of(member: &InsuredMember, catalogue: &Catalogue) -> Option<String> {
    let names: Vec<&str> = member.illnesses.iter().map(|id| catalogue.illness_name(id.reveal())).collect();
    (!names.is_empty()).then(|| format!("{}: {}", member.name.reveal(), names.join(", ")))
}

/// A day of birth with the age on a day: `15 Jun 1990 (36)`.
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

/// What is known of the loan.
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

/// Whom the borrower told the insurer to pay first, where that was told.
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
    fn words_of_the_contract_are_written_for_people() {
        assert_eq!(words("SISTER_IN_LAW"), "Sister in law");
    }

    #[test]
    fn a_check_code_reads_back_from_its_address() {
        let check = CheckCode([7; 16]);
        assert_eq!(check_of_text(&check_text(check)), Some(check));
        assert_eq!(check_of_text("x"), None);
    }
}
