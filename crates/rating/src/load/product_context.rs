//! What the parsing of a product's file needs from other files.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::health_lists::Vocabulary;
use super::zones;
use crate::insurer::Insurer;
use crate::line_of_business::Line;
use crate::parse::ids::Ids;
use crate::parse::source_files::Shelf;
use crate::tax::DatedTax;
use crate::zones::Zones;

/// What a product's file is read with.
pub(crate) struct ProductContext<'c> {
    pub(crate) shelf: &'c Shelf<'c>,
    pub(crate) ids: &'c Ids,
    pub(crate) taxes: Option<&'c BTreeMap<Line, Arc<DatedTax>>>,
    pub(crate) vocabulary: &'c Vocabulary,
    /// Every file of zones that was read, by its path; `None` for one with faults.
    pub(crate) zones: &'c RefCell<BTreeMap<String, Option<Arc<Zones>>>>,
    /// Whose product it is; `None` where the insurer's own file has faults.
    pub(crate) insurer: Option<Arc<Insurer>>,
}

impl ProductContext<'_> {
    /// The zones that hold for a product's file.
    pub(crate) fn zones(&self, product: &str) -> Option<Arc<Zones>> {
        let path = zones::path(product, self.shelf);
        let known = self.zones.borrow().get(&path).cloned();
        known.unwrap_or_else(|| {
            let zones = zones::read(&path, self.shelf).map(Arc::new);
            self.zones.borrow_mut().insert(path, zones.clone());
            zones
        })
    }
}
