//! Connections to insurers, as the catalogue describes them.

use std::sync::Arc;

use domain::id::{InsurerId, PartnerId};
use rating::{Catalogue, Connector};

use crate::catalogue::Catalogues;
use crate::insurer::sandbox::SandboxInsurer;
use crate::insurer::{Connectors, Insurer};
use crate::shared::partner_clock::PartnerClock;

/// Finds connections to insurers by their ids.
pub(crate) struct Connections {
    pub(crate) connectors: Arc<dyn Connectors>,
    pub(crate) catalogues: Arc<Catalogues>,
    pub(crate) clock: PartnerClock,
}

impl Connections {
    /// Connection to an insurer, by the insurer's entry in the running catalogue, because its address may
    /// have changed. If there is no such entry, by the entry in `version`. A test partner gets the simulated
    /// insurer (D97).
    pub(crate) fn to_ask(
        &self,
        of: PartnerId,
        version: &Catalogue,
        id: InsurerId,
    ) -> Option<Arc<dyn Insurer>> {
        let running = self.catalogues.running();
        let asked = |insurer: &&rating::Insurer| insurer.connector != Connector::RateTable;
        let insurer = running.insurer(id).filter(asked).or_else(|| version.insurer(id).filter(asked))?;
        self.to(of, insurer)
    }

    /// Connection to an insurer by its catalogue entry. A test partner gets the simulated insurer.
    pub(crate) fn to(&self, of: PartnerId, insurer: &rating::Insurer) -> Option<Arc<dyn Insurer>> {
        match self.clock.is_test(of) {
            true => Some(Arc::new(SandboxInsurer { catalogue: self.catalogues.running() })),
            false => self.connectors.connect(insurer),
        }
    }

    /// Connection to an insurer of the running catalogue.
    pub(crate) fn running(&self, id: InsurerId) -> Option<Arc<dyn Insurer>> {
        self.catalogues.running().insurer(id).and_then(|insurer| self.connectors.connect(insurer))
    }
}
