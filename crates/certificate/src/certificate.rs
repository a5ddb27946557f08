//! Content of a certificate, as text that is ready to print.
//!
//! `Debug` of types with a person's data prints only the name of the type: `Member(…)`.

use std::fmt;

/// Content of a certificate. If a text or list is empty, its line or section is omitted.
#[derive(Clone, PartialEq, Eq)]
pub struct Certificate {
    /// Notice at the top, such as that the policy was cancelled. Empty: no notice.
    pub mark: String,
    /// Whether the certificate is a specimen that insures nobody. If so, SPECIMEN is printed across each
    /// page.
    pub specimen: bool,
    /// Text about changes since the issue, with the version of the certificate. Empty for the first version.
    pub endorsed: String,
    /// Certificate number, which is the policy number.
    pub number: String,
    /// Policy number of the insurer, if it differs from the certificate number.
    pub insurer_number: Option<String>,
    /// Master policy under which the certificate is issued. `None` for an individual policy.
    pub master_policy: Option<MasterPolicy>,
    pub insurer: Insurer,
    pub product: Product,
    /// Kind, dates and amount of the cover.
    pub cover: Cover,
    pub premium: Premium,
    /// Policyholder of an individual policy. `None` if the holder of the master policy is the policyholder.
    pub holder: Option<Holder>,
    /// Insured people, in the policy's order.
    pub members: Vec<Member>,
    /// People to whom the insurer pays if the insured member has died, in the policy's order.
    pub nominees: Vec<Nominee>,
    /// Facts about the loan to which the cover belongs. Each has a label and a value.
    pub loan: Vec<(String, String)>,
    /// Sentence that names the payee whom the insurer pays first, if the insured member has authorised this.
    /// Otherwise empty.
    pub authorisation: String,
    /// Sentences about the seller: name, licence, address and contact. Empty if unknown.
    pub seller: String,
    /// How the stamp duty was paid. Empty if unknown.
    pub stamp_duty: String,
    pub issued_on: String,
    /// Days in which the customer can return the certificate. If zero, the line is omitted.
    pub free_look_days: u32,
    /// Exclusions, in one or two sentences.
    pub exclusions: String,
    pub claims_contact: String,
    /// Whom the customer contacts for complaints.
    pub grievance_contact: String,
    /// URL at which anyone can check that the certificate is genuine. It is printed as QR code, link and
    /// text. If empty, all three are omitted.
    pub check_address: String,
}

/// Policy of a group. The group's members hold certificates under this policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterPolicy {
    pub number: String,
    /// Holder of the master policy, such as the lender.
    pub holder: String,
}

/// Holder of an individual policy.
#[derive(Clone, PartialEq, Eq)]
pub struct Holder {
    pub name: String,
    /// Address on one line.
    pub address: String,
}

/// Insurer that carries the risk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insurer {
    /// Full name of the insurer.
    pub name: String,
    /// Registration number of the insurer with the regulator.
    pub registration_number: String,
    /// Registered address of the insurer, on one line.
    pub address: String,
}

/// Product and variant that the customer bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    pub name: String,
    /// Unique identification number (UIN) of the product.
    pub uin: String,
    /// Name of the bought variant.
    pub variant: String,
}

/// Kind, dates and amount of the cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    pub kind: CoverKind,
    /// First day of cover.
    pub starts: String,
    /// Last day of cover.
    pub ends: String,
    /// Sum insured. For a reducing cover, the sum insured at the start.
    pub sum_insured: String,
    /// Length of the cover in months.
    pub term_months: u32,
    /// Sum insured in each policy year. Empty for a level cover.
    pub schedule: Vec<ScheduleRow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CoverKind {
    /// The sum insured stays the same.
    Level,
    /// The sum insured decreases from year to year.
    Reducing,
    /// The cover pays for hospital treatment of one person or a family.
    Health {
        /// Important terms for the customer. Each has a label and a value.
        terms: Vec<(String, String)>,
    },
}

/// Sum insured in one policy year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleRow {
    /// Policy year, counted from 1.
    pub year: u32,
    pub sum_insured: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Premium {
    /// Premium before tax.
    pub base: String,
    /// Name and rate of the tax, such as `GST (18%)`.
    pub tax_label: String,
    pub tax: String,
    /// Premium with tax.
    pub total: String,
    /// How the premium is paid, in one or two sentences.
    pub settlement: String,
}

#[derive(Clone, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    /// Date of birth, with the age at the start of cover: `15 Jun 1990 (36)`.
    pub date_of_birth: String,
    pub gender: String,
    /// Address on one line. Empty if it is the policyholder's address.
    pub address: String,
    /// Relationship of the member to the policyholder. Empty if unknown.
    pub relationship: String,
}

#[derive(Clone, PartialEq, Eq)]
pub struct Nominee {
    pub name: String,
    /// Date of birth of the nominee. Empty if unknown.
    pub date_of_birth: String,
    /// Relationship of the nominee to the insured member.
    pub relationship: String,
    /// Share of the sum insured that the nominee receives, such as `50%`.
    pub share: String,
    /// Adult who receives the share if the nominee is a minor.
    pub appointee: Option<String>,
}

impl fmt::Debug for Certificate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Certificate(…)")
    }
}

impl fmt::Debug for Holder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Holder(…)")
    }
}

impl fmt::Debug for Member {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Member(…)")
    }
}

impl fmt::Debug for Nominee {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Nominee(…)")
    }
}
