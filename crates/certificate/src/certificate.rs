//! What a certificate says, as text ready to be shown.
//!
//! Types that hold a person's data in clear print as their name only: `Member(…)`.

use std::fmt;

/// Everything that stands on a certificate. An empty text or list leaves out its line or section.
#[derive(Clone, PartialEq, Eq)]
pub struct Certificate {
    /// What must be seen before anything else, such as that the policy was cancelled; empty where there is nothing.
    pub mark: String,
    /// Whether it is a specimen: SPECIMEN stands across each of its pages, and nobody is insured by it.
    pub specimen: bool,
    /// What was changed since the issue, and which version of the certificate this is; empty for the first.
    pub endorsed: String,
    /// The certificate's number, which is the policy's number.
    pub number: String,
    /// The number under which the insurer keeps the policy, where it is another.
    pub insurer_number: Option<String>,
    /// The master policy that the cover belongs to; none where the policy stands alone.
    pub master_policy: Option<MasterPolicy>,
    /// Who carries the risk.
    pub insurer: Insurer,
    /// What was bought.
    pub product: Product,
    /// What is covered, from when, until when.
    pub cover: Cover,
    /// What it costs.
    pub premium: Premium,
    /// Who holds the policy, where it is not the master policy's holder.
    pub holder: Option<Holder>,
    /// Whose life or health is covered, in the policy's order.
    pub members: Vec<Member>,
    /// Who is paid when the insured member cannot be, in the policy's order.
    pub nominees: Vec<Nominee>,
    /// What is known of the loan behind the cover: label and value of each line.
    pub loan: Vec<(String, String)>,
    /// To whom the insured member has told the insurer to pay a claim first, in a sentence; empty where there is none.
    pub authorisation: String,
    /// Who sold it, with licence, address and contact, in one or two sentences; empty where that is not known.
    pub seller: String,
    /// How the stamp duty was paid; empty where that is not told.
    pub stamp_duty: String,
    /// The day of issue.
    pub issued_on: String,
    /// Days in which the certificate may be returned; 0 leaves the line out.
    pub free_look_days: u32,
    /// What the cover leaves out, in one or two sentences.
    pub exclusions: String,
    /// How to claim.
    pub claims_contact: String,
    /// Where to complain.
    pub grievance_contact: String,
    /// Address (URL) at which anyone can check that the certificate is genuine. It is printed as a QR code,
    /// a link and text; empty leaves out all three.
    pub check_address: String,
}

/// The policy of a group, under which its members hold certificates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterPolicy {
    pub number: String,
    /// Who holds it, such as the lender.
    pub holder: String,
}

/// Who holds a policy that stands alone.
#[derive(Clone, PartialEq, Eq)]
pub struct Holder {
    /// The holder's name.
    pub name: String,
    /// The holder's address, in one line.
    pub address: String,
}

/// Who carries the risk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insurer {
    /// The insurer's full name.
    pub name: String,
    /// Its number at the regulator.
    pub registration_number: String,
    /// Its registered address, in one line.
    pub address: String,
}

/// What was bought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    /// The product's name.
    pub name: String,
    /// Its unique identification number (UIN).
    pub uin: String,
    /// The variant chosen.
    pub variant: String,
}

/// What is covered, from when, until when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    pub kind: CoverKind,
    /// First day of cover.
    pub starts: String,
    /// Last day of cover.
    pub ends: String,
    /// The sum insured; of a reducing cover, the one at its start.
    pub sum_insured: String,
    /// Length of the cover, in months.
    pub term_months: u32,
    /// The sum insured in each policy year; empty when the cover is level.
    pub schedule: Vec<ScheduleRow>,
}

/// What kind of cover it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CoverKind {
    /// The sum insured stays the same.
    Level,
    /// The sum insured falls year by year.
    Reducing,
    /// Treatment in hospital, for one person or a family.
    Health {
        /// What a customer should know of it: label and value of each.
        terms: Vec<(String, String)>,
    },
}

/// The sum insured in one policy year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleRow {
    /// The policy year; the first is 1.
    pub year: u32,
    pub sum_insured: String,
}

/// What the cover costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Premium {
    /// The premium before tax.
    pub base: String,
    /// Name and rate of the tax, such as `GST (18%)`.
    pub tax_label: String,
    pub tax: String,
    /// The premium with tax.
    pub total: String,
    /// How the premium is settled, in one or two sentences.
    pub settlement: String,
}

/// An insured member.
#[derive(Clone, PartialEq, Eq)]
pub struct Member {
    /// The member's name.
    pub name: String,
    /// The member's date of birth, with the age when cover starts: `15 Jun 1990 (36)`.
    pub date_of_birth: String,
    /// The member's gender.
    pub gender: String,
    /// The member's address, in one line; empty where the policy's holder has one for all.
    pub address: String,
    /// What the member is to the policy's holder; empty where that is not told.
    pub relationship: String,
}

#[derive(Clone, PartialEq, Eq)]
pub struct Nominee {
    /// The nominee's name.
    pub name: String,
    /// The nominee's date of birth; empty where it is not told.
    pub date_of_birth: String,
    /// What the nominee is to the insured member.
    pub relationship: String,
    /// The nominee's share, such as `50%`.
    pub share: String,
    /// Who receives the share on behalf of a nominee who is a minor.
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
