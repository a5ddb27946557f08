//! Cover of a policy, in a form that is the same for every line of business.

use std::sync::Arc;

use domain::date::{BirthDate, Date};
use domain::money::Rupees;
use domain::person::{Gender, PersonalLine};
use rating::{Product, cover_on};

/// Cover of a policy, with the insured persons.
#[derive(Debug, Clone)]
pub struct Covered {
    /// Product in the policy's own catalogue version. `None` for an imported policy.
    pub product: Option<Arc<Product>>,
    /// Name of the insurer.
    pub insurer: String,
    pub product_name: String,
    /// Id of the variant. For an imported policy, the id in the imported record.
    pub variant_id: String,
    pub variant_name: String,
    /// Id of the quote. For an imported policy, the id in the imported record. `None` if unknown.
    pub quote_id: Option<String>,
    /// First day of cover. `None` if unknown.
    pub starts: Option<Date>,
    /// Sum insured by policy year, if it decreases. Empty if it is constant.
    pub schedule: Vec<(u32, Rupees)>,
    /// How the premium is paid, as a sentence of the certificate. `None` if unknown.
    pub settlement: Option<String>,
    /// Insured persons, in the policy's order.
    pub members: Vec<CoveredMember>,
    /// Nominees. Empty if the policy was read without its proposal.
    pub nominees: Vec<CoveredNominee>,
}

/// Person who is paid if an insured person dies.
#[derive(Debug, Clone)]
pub struct CoveredNominee {
    /// Full name of the nominee.
    pub name: PersonalLine,
    /// Relation of the nominee to the insured person.
    pub relationship: PersonalLine,
}

/// Insured person.
#[derive(Debug, Clone)]
pub struct CoveredMember {
    /// Full name of the insured person.
    pub name: PersonalLine,
    pub born: BirthDate,
    /// Relation to the proposer, if the line of business records it.
    pub relationship: Option<PersonalLine>,
    /// Gender, if the line of business records it.
    pub gender: Option<Gender>,
}

impl Covered {
    /// Sum insured on a day. If there is a schedule, its row for the policy year of that day; otherwise
    /// `sum_insured`.
    pub fn on(&self, day: Date, sum_insured: Rupees) -> Rupees {
        let Some(starts) = self.starts else { return sum_insured };
        cover_on(&self.schedule, starts, day, sum_insured)
    }
}
