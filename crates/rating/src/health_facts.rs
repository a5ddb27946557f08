//! Facts that a health price may go by and that requests of the API do not tell yet: `covernote catalogue price` and
//! charts do (D74).

use domain::money::Rupees;
use domain::person::Occupation;
use domain::text::vocabulary;

vocabulary! {
    /// How often a premium is paid, where it is not paid at once.
    Instalments, "one of yearly, half-yearly, quarterly, monthly" {
        /// Once a year; for tenures of several years.
        Yearly = "yearly",
        /// Twice a year.
        HalfYearly = "half-yearly",
        /// Four times a year.
        Quarterly = "quarterly",
        /// Twelve times a year.
        Monthly = "monthly",
    }
}

/// What is told of a family beside its request. What is not told is standard.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HealthFacts {
    /// How the premium is paid; `None` for at once.
    pub instalments: Option<Instalments>,
    /// Occupations in the family, in any order.
    pub occupations: Vec<Occupation>,
    /// Whether anybody in the family uses tobacco.
    pub tobacco: bool,
}

/// A premium in instalments, which add up to it to the paisa.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstalmentPlan {
    /// How many there are; at least one.
    pub count: u32,
    /// Each but the last.
    pub each: Rupees,
    /// The last, which makes up for what dividing leaves.
    pub last: Rupees,
}

impl HealthFacts {
    /// The facts of a request that tells none.
    pub const STANDARD: HealthFacts =
        HealthFacts { instalments: None, occupations: Vec::new(), tobacco: false };
}

impl Instalments {
    /// How many there are in a year.
    pub const fn per_year(self) -> u32 {
        match self {
            Instalments::Yearly => 1,
            Instalments::HalfYearly => 2,
            Instalments::Quarterly => 4,
            Instalments::Monthly => 12,
        }
    }

    /// The instalments of a total for so many years.
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
