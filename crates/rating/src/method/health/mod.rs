//! Methods of health: how the premium of a family for a year is found in rate sheets. Each lies in a file of its own.
//!
//! A new method is a file here with `read` and `rate`, and one line in each match below.

mod floater;
mod per_member;
mod rate_sheet;
mod senior_most;
mod super_top_up;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use domain::health_quote::PlanType;
use domain::money::Rupees;
use rust_decimal::Decimal;

use crate::explanation::{Journal, Place, Step, What, Whose};
use crate::family::Family;
use crate::health_limits::HealthLimits;
use crate::limits::Between;
use crate::load::document::Section;
use crate::load::read;
use crate::load::shelf::Shelf;
use crate::zones::Zone;

use floater::Floater;
use per_member::PerMember;
use rate_sheet::{Key, KeyColumns, Rate, RateSheet};
use senior_most::SeniorMost;
use super_top_up::SuperTopUp;

/// A method with its compiled sheets.
#[derive(Debug, Clone)]
pub(crate) enum Method {
    /// By size of family and the eldest's age.
    Floater(Floater),
    /// By the eldest's age, and each other member's.
    SeniorMost(SeniorMost),
    /// By each member's age.
    PerMember(PerMember),
    /// By deductible, size of family and the eldest's age.
    SuperTopUp(SuperTopUp),
}

/// What a rate is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'r> {
    pub(crate) family: Family<'r>,
    pub(crate) zone: Zone,
    pub(crate) sum_insured: Rupees,
    pub(crate) deductible: Rupees,
}

/// What a variant promises to offer: each combination must have a rate.
pub(crate) struct Promise<'p> {
    pub(crate) plan: PlanType,
    pub(crate) limits: &'p HealthLimits,
    pub(crate) sums_insured: &'p [Rupees],
    pub(crate) deductibles: &'p [Rupees],
}

/// What methods are read with.
pub(crate) struct MethodContext<'c> {
    pub(crate) shelf: &'c Shelf<'c>,
    pub(crate) sheets: &'c RefCell<Sheets>,
}

/// Every sheet that was read, by its path; `None` for one with faults. Variants share sheets.
pub(crate) type Sheets = BTreeMap<String, Option<Arc<RateSheet>>>;

impl Method {
    /// The keys that methods have in a `price` section.
    pub(crate) const KEYS: &[&str] =
        &["method", "table", "others_table", "family_discount_percent", "family_discount_from"];

    /// Reads the method and its sheets from a variant's `price` section. Every fault is noted, also that a sheet lacks
    /// a rate that was promised.
    pub(crate) fn read(
        price: &Section<'_>,
        promise: &Promise<'_>,
        context: &MethodContext<'_>,
    ) -> Option<Method> {
        const WORDS: &[&str] = &["floater", "senior-most-plus-others", "per-member", "super-top-up"];
        match price.required("method", |value| read::word(value, WORDS))? {
            "floater" => Floater::read(price, promise, context).map(Method::Floater),
            "senior-most-plus-others" => SeniorMost::read(price, promise, context).map(Method::SeniorMost),
            "per-member" => PerMember::read(price, promise, context).map(Method::PerMember),
            _ => SuperTopUp::read(price, promise, context).map(Method::SuperTopUp),
        }
    }

    /// Rupees for a year. Always there for what was promised.
    pub(crate) fn rate(&self, asked: &Asked<'_>, journal: &mut impl Journal) -> Decimal {
        match self {
            Method::Floater(method) => method.rate(asked, journal),
            Method::SeniorMost(method) => method.rate(asked, journal),
            Method::PerMember(method) => method.rate(asked, journal),
            Method::SuperTopUp(method) => method.rate(asked, journal),
        }
    }
}

impl Asked<'_> {
    fn key(&self) -> Key {
        Key { zone: Some(self.zone), family: Some(self.family.size), deductible: Some(self.deductible) }
    }

    /// The rate of one age, added to an amount. `whose` is whom the rate is for.
    fn add(
        &self,
        amount: Decimal,
        sheet: &RateSheet,
        age: u16,
        whose: Whose,
        journal: &mut impl Journal,
    ) -> Decimal {
        let rate = sheet.find(self.key(), age, self.sum_insured);
        let rate = rate.expect("every rate that is promised is there: judged when loaded");
        let amount = amount + rate.amount.to_decimal();
        journal.note(|| {
            let Rate { ages, line, amount: rate, .. } = rate;
            Step {
                what: What::Rate { whose, ages, sum_insured: self.sum_insured, rate },
                place: Some(Place { file: sheet.file.clone(), line }),
                factor: format!("+{rate} a year"),
                amount,
            }
        });
        amount
    }
}

impl Promise<'_> {
    /// Every key that a sheet with such columns must have.
    fn keys(&self, columns: KeyColumns) -> Vec<Key> {
        let zones = told_apart(columns.zone, self.limits.sold_in.iter().copied());
        let families = told_apart(columns.family, self.limits.sizes());
        let deductibles = told_apart(columns.deductible, self.deductibles.iter().copied());
        let mut keys = Vec::new();
        for zone in zones {
            for family in &families {
                keys.extend(deductibles.iter().map(|deductible| Key {
                    zone,
                    family: *family,
                    deductible: *deductible,
                }));
            }
        }
        keys
    }
}

/// The values of a column, or one `None` where the sheet does not tell them apart.
fn told_apart<T>(has: bool, values: impl Iterator<Item = T>) -> Vec<Option<T>> {
    if has { values.map(Some).collect() } else { vec![None] }
}

/// Whether the sheets of a method go by the size of the family, and why.
#[derive(Debug, Clone, Copy)]
enum ByFamily {
    /// They must.
    Always(&'static str),
    /// They cannot: each member has a rate.
    Never,
}

impl MethodContext<'_> {
    /// The sheet that a key of a section names, judged by what was promised for these ages.
    fn sheet(
        &self,
        price: &Section<'_>,
        key: &'static str,
        by_family: ByFamily,
        promise: &Promise<'_>,
        ages: &[Between<u16>],
    ) -> Option<Arc<RateSheet>> {
        let path = self.shelf.table(price, key)?;
        let known = self.sheets.borrow().get(&path).cloned();
        let sheet = known.unwrap_or_else(|| {
            let sheet = self.shelf.parse(&path);
            let sheet = sheet.and_then(|sheet| RateSheet::read(&sheet, &promise.limits.zones, self.shelf));
            let sheet = sheet.map(Arc::new);
            self.sheets.borrow_mut().insert(path, sheet.clone());
            sheet
        })?;
        let noted = self.shelf.faults.count();
        self.judge_columns(&sheet, by_family, promise);
        // Of other columns than these what is promised would be missing everywhere.
        if self.shelf.faults.count() == noted {
            sheet.judge_promise(promise, ages, self.shelf);
        }
        (self.shelf.faults.count() == noted).then_some(sheet)
    }

    /// Notes columns that the sheet lacks, or cannot have.
    fn judge_columns(&self, sheet: &RateSheet, by_family: ByFamily, promise: &Promise<'_>) {
        let fault = |message: String| self.shelf.faults.note(&sheet.file, Some(sheet.header), message);
        let wanted = |column: &str, why: &str| fault(format!("The sheet needs a column `{column}`: {why}."));
        match (by_family, sheet.columns.family) {
            (ByFamily::Always(why), false) => wanted("family", why),
            (ByFamily::Never, true) => {
                fault("The sheet cannot have a column `family`: each member has a rate.".to_owned());
            }
            (ByFamily::Always(_), true) | (ByFamily::Never, false) => {}
        }
        if !sheet.columns.deductible && promise.plan == PlanType::SuperTopUp {
            wanted("deductible", "a super top-up is priced by it");
        } else if !sheet.columns.deductible && promise.deductibles.len() > 1 {
            wanted("deductible", "the variant has several deductibles");
        }
    }
}
