//! Rate sheets that variants share. Each is parsed once.

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

/// Catalogue files and parsed rate sheets, for the parsers of rating methods.
pub(crate) struct MethodContext<'c> {
    pub(crate) sources: &'c SourceFiles<'c>,
    pub(crate) sheets: &'c RefCell<RateSheets>,
}

/// Parsed rate sheets by name. `None`: the sheet has faults.
pub(crate) type RateSheets = BTreeMap<String, Option<Arc<RateSheet>>>;

/// Whether the sheets of a method have a column `family`.
#[derive(Debug, Clone, Copy)]
pub(super) enum ByFamily {
    /// The sheet must have the column, for this reason.
    Always(&'static str),
    /// The sheet must not have the column, because each member has a separate rate.
    Never,
}

impl MethodContext<'_> {
    /// The rate sheet that a key names. Reports combinations for these ages that the variant offers but the
    /// sheet lacks.
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
        // With wrong columns, every promised combination would count as missing.
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
                report("The sheet must not have a column `family`: each member is priced alone.".to_owned());
            }
            (ByFamily::Always(_), true) | (ByFamily::Never, false) => {}
        }
        if !sheet.columns.deductible && promise.plan == PlanType::SuperTopUp {
            wanted("deductible", "a super top-up is priced by its deductible");
        } else if !sheet.columns.deductible && promise.deductibles.len() > 1 {
            wanted("deductible", "the variant has several deductibles");
        }
    }
}
