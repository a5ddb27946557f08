//! Rate sheets that products share: each is compiled once and checked for every variant that uses it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use domain::health_quote::PlanType;

use super::promise::Promise;
use super::rate_sheet::RateSheet;
use crate::between::Between;
use crate::parse::document::Section;
use crate::parse::source_files::Shelf;

/// What methods are read with.
pub(crate) struct MethodContext<'c> {
    pub(crate) shelf: &'c Shelf<'c>,
    pub(crate) sheets: &'c RefCell<Sheets>,
}

/// Every sheet that was read, by its path; `None` for one with faults. Variants share sheets.
pub(crate) type Sheets = BTreeMap<String, Option<Arc<RateSheet>>>;

/// Whether the sheets of a method go by the size of the family, and why.
#[derive(Debug, Clone, Copy)]
pub(super) enum ByFamily {
    /// They must.
    Always(&'static str),
    /// They cannot: each member has a rate.
    Never,
}

impl MethodContext<'_> {
    /// The sheet that a key of a section names, judged by what was promised for these ages.
    pub(super) fn sheet(
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
