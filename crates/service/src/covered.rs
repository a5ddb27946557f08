//! What a policy covers, of what and for whom, whichever its line.

use std::sync::Arc;

use domain::date::{BirthDate, Date, completed_years};
use domain::money::Rupees;
use domain::person::{Gender, PersonalLine};
use rating::Product;

/// What a policy covers.
#[derive(Debug, Clone)]
pub struct Covered {
    /// The product in the policy's own catalogue version. `None` for an imported one.
    pub product: Option<Arc<Product>>,
    /// Name of the insurer.
    pub insurer: String,
    /// Name of the product.
    pub product_name: String,
    /// Id of the variant; of an imported policy in the words of its record.
    pub variant_id: String,
    /// Name of the variant.
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
        let year = u32::try_from(completed_years(starts, day.max(starts))).unwrap_or_default() + 1;
        let row = self.schedule.iter().rev().find(|(of, _)| *of <= year);
        row.map_or(sum_insured, |(_, cover)| *cover)
    }
}
