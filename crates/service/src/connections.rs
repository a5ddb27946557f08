//! The connection to an insurer, as the catalogue says.

use std::sync::Arc;

use domain::id::InsurerId;
use rating::{Catalogue, Connector};

use crate::catalogue::Catalogues;
use crate::insurer::{Connectors, Insurer};

/// Finds connections to insurers by their ids.
pub(crate) struct Connections {
    pub(crate) connectors: Arc<dyn Connectors>,
    pub(crate) catalogues: Arc<Catalogues>,
}

impl Connections {
    /// The connection to an insurer: as the running catalogue has it, since it may have moved, else as the version that
    /// named it had.
    pub(crate) fn to_ask(&self, version: &Catalogue, id: InsurerId) -> Option<Arc<dyn Insurer>> {
        let running = self.catalogues.running();
        let asked = |insurer: &&rating::Insurer| insurer.connector != Connector::RateTable;
        let insurer = running.insurer(id).filter(asked).or_else(|| version.insurer(id).filter(asked))?;
        self.connectors.connect(insurer)
    }

    /// The connection to an insurer of the running catalogue.
    pub(crate) fn running(&self, id: InsurerId) -> Option<Arc<dyn Insurer>> {
        self.catalogues.running().insurer(id).and_then(|insurer| self.connectors.connect(insurer))
    }
}
