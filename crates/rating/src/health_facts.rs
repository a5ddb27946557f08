//! Facts that can change a health price but are not in API requests yet (D74).
//!
//! `covernote catalogue price` and charts use them.

use domain::money::Rupees;
use domain::person::Occupation;
use domain::text::vocabulary;

vocabulary! {
    /// How often a premium is paid, if it is not paid at once.
    Instalments, "one of yearly, half-yearly, quarterly, monthly" {
        /// Once a year, for tenures of more than one year.
        Yearly = "yearly",
        HalfYearly = "half-yearly",
        Quarterly = "quarterly",
        Monthly = "monthly",
    }
}

/// Facts about a family that its request does not contain. Each has a standard value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HealthFacts {
    /// Payment in instalments. `None`: one payment.
    pub instalments: Option<Instalments>,
    /// Occupations in the family, in any order.
    pub occupations: Vec<Occupation>,
    /// Whether anybody in the family uses tobacco.
    pub tobacco: bool,
}

/// Premium divided into instalments. Their sum is exactly the premium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstalmentPlan {
    /// Number of instalments, at least one.
    pub count: u32,
    /// Amount of each instalment except the last.
    pub each: Rupees,
    /// Last instalment, which includes the remainder of the division.
    pub last: Rupees,
}

impl HealthFacts {
    /// Facts of a family if nothing is known: one payment, no occupation, no tobacco.
    pub const STANDARD: HealthFacts =
        HealthFacts { instalments: None, occupations: Vec::new(), tobacco: false };
}

impl Instalments {
    pub const fn per_year(self) -> u32 {
        match self {
            Instalments::Yearly => 1,
            Instalments::HalfYearly => 2,
            Instalments::Quarterly => 4,
            Instalments::Monthly => 12,
        }
    }

    /// Divides the total premium of so many years into instalments.
    pub fn of(self, total: Rupees, years: u8) -> InstalmentPlan {
        let count = self.per_year() * u32::from(years.max(1));
        let each = Rupees::from_paise(total.paise() / i64::from(count));
        let last = Rupees::from_paise(total.paise() - each.paise() * i64::from(count - 1));
        InstalmentPlan { count, each, last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instalments_add_up_to_the_total() {
        for how in Instalments::ALL {
            for (paise, years) in [(1_234_567, 1), (1_000_000, 3), (5, 1)] {
                let plan = how.of(Rupees::from_paise(paise), years);
                assert_eq!(plan.each.paise() * i64::from(plan.count - 1) + plan.last.paise(), paise, "{how}");
                assert_eq!(plan.count, how.per_year() * u32::from(years));
            }
        }
    }
}
