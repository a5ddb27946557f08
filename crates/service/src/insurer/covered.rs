//! What a policy covers, of what and for whom, whichever its line.

use std::sync::Arc;

use domain::date::{BirthDate, Date};
use domain::money::Rupees;
use domain::person::{Gender, PersonalLine};
use rating::{Product, cover_on};

/// What a policy covers.
#[derive(Debug, Clone)]
pub struct Covered {
    /// The product in the policy's own catalogue version. `None` for an imported one.
    pub product: Option<Arc<Product>>,
    /// Name of the insurer.
    pub insurer: String,
    pub product_name: String,
    /// Id of the variant; of an imported policy in the words of its record.
    pub variant_id: String,
    pub variant_name: String,
    /// Id of the quote, likewise. `None` where it is not known.
    pub quote_id: Option<String>,
    /// First day of cover. `None` where it is not known.
    pub starts: Option<Date>,
    /// Sum insured in each policy year, where it falls. Empty where it stays.
    pub schedule: Vec<(u32, Rupees)>,
    /// How the premium is settled. `None` where it is not known.
    pub settlement: Option<String>,
    /// Who is covered, in the policy's order.
    pub members: Vec<CoveredMember>,
    /// Who is paid if an insured person dies. Empty if the policy was read without its proposal.
    pub nominees: Vec<CoveredNominee>,
}

/// Who is paid if an insured person dies.
#[derive(Debug, Clone)]
pub struct CoveredNominee {
    /// Full name.
    pub name: PersonalLine,
    /// What the nominee is to the insured person.
    pub relationship: PersonalLine,
}

/// Somebody who is covered.
#[derive(Debug, Clone)]
pub struct CoveredMember {
    /// Full name.
    pub name: PersonalLine,
    /// Day of birth.
    pub born: BirthDate,
    /// What the person is to the proposer, where the line knows it.
    pub relationship: Option<PersonalLine>,
    /// Gender, where the line knows it.
    pub gender: Option<Gender>,
}

impl Covered {
    /// Cover on a day: the row of the policy year in which it lies.
    pub fn on(&self, day: Date, sum_insured: Rupees) -> Rupees {
        let Some(starts) = self.starts else { return sum_insured };
        cover_on(&self.schedule, starts, day, sum_insured)
    }
}
