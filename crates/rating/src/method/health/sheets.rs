//! Rate sheets that variants share: each is compiled once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use domain::health_quote::PlanType;

use super::promise::Promise;
use super::rate_sheet::RateSheet;
use crate::between::Between;
use crate::parse::document::Section;
use crate::parse::source_files::SourceFiles;
use crate::parse::table_ref;

/// The files and sheets that methods are parsed with.
pub(crate) struct MethodContext<'c> {
    pub(crate) sources: &'c SourceFiles<'c>,
    pub(crate) sheets: &'c RefCell<RateSheets>,
}

/// Every compiled sheet by the name of its table; `None` for a sheet with faults.
pub(crate) type RateSheets = BTreeMap<String, Option<Arc<RateSheet>>>;

/// Whether the sheets of a method have a column `family`.
#[derive(Debug, Clone, Copy)]
pub(super) enum ByFamily {
    /// They must, for this reason.
    Always(&'static str),
    /// They must not: each member has a rate.
    Never,
}

impl MethodContext<'_> {
    /// The sheet that a key of a section names, checked for the promised combinations of these ages.
    pub(super) fn sheet(
        &self,
        tables: &Section<'_>,
        key: &'static str,
        by_family: ByFamily,
        promise: &Promise<'_>,
        ages: &[Between<u16>],
    ) -> Option<Arc<RateSheet>> {
        let of = self.sources.table_ref(tables, key)?;
        let known = self.sheets.borrow().get(&of.name()).cloned();
        let sheet = known.unwrap_or_else(|| {
            let table = self.sources.parse_table(&of);
            let sheet = table.and_then(|table| RateSheet::parse(&table, &promise.limits.zones, self.sources));
            let sheet = sheet.map(Arc::new);
            self.sheets.borrow_mut().insert(of.name(), sheet.clone());
            sheet
        })?;
        let faults_before = self.sources.faults.count();
        self.check_columns(&sheet, by_family, promise);
        // With wrong columns every promised combination would be missing.
        if self.sources.faults.count() == faults_before {
            sheet.check_promise(promise, ages, self.sources);
        }
        (self.sources.faults.count() == faults_before).then_some(sheet)
    }

    /// Reports columns that the sheet lacks or must not have.
    fn check_columns(&self, sheet: &RateSheet, by_family: ByFamily, promise: &Promise<'_>) {
        let report = |message: String| {
            table_ref::report(self.sources.faults, &sheet.file, sheet.header, None, message)
        };
        let wanted = |column: &str, why: &str| report(format!("The sheet needs a column `{column}`: {why}."));
        match (by_family, sheet.columns.family) {
            (ByFamily::Always(why), false) => wanted("family", why),
            (ByFamily::Never, true) => {
                report("The sheet cannot have a column `family`: each member has a rate.".to_owned());
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
