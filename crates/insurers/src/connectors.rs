//! Connections to the insurers of a catalogue, one for each way that it names.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use domain::id::InsurerId;
use rating::{Catalogue, Connector, HttpConnector};
use service::clock::{Clock, Random};
use service::insurer::{Connectors, Insurer};

use crate::connection::Connection;
use crate::exchange::Exchange;
use crate::link::Link;
use crate::secret::SecretFile;
use crate::signature::{Credentials, Source};
use crate::tuning::Tuning;

/// An insurer, and the way that a catalogue names to it.
type Way = (InsurerId, HttpConnector);

/// Connects to insurers over HTTP.
pub struct HttpConnectors {
    secrets: PathBuf,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    tuning: Tuning,
    /// One for each way that was ever asked for. They are few: an operator changes a way once in a while.
    made: Mutex<HashMap<Way, Arc<Connection>>>,
}

impl HttpConnectors {
    /// Connectors whose secrets lie in a folder.
    pub fn new(secrets: PathBuf, clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        HttpConnectors { secrets, clock, random, tuning: Tuning::default(), made: Mutex::default() }
    }

    /// The same with other figures.
    pub fn with_tuning(self, tuning: Tuning) -> Self {
        HttpConnectors { tuning, ..self }
    }

    /// Whether every insurer of a catalogue that is asked over HTTP can be asked.
    ///
    /// # Errors
    /// Why not, a sentence for each that cannot.
    pub fn judge(&self, catalogue: &Catalogue) -> Result<(), Vec<String>> {
        let fault = |insurer: &rating::Insurer| {
            let Connector::Http(http) = &insurer.connector else { return None };
            let judged = self.secret_file(http).judge().and_then(|()| self.connection(insurer.id, http));
            judged.err().map(|fault| format!("insurer {} ({}): {fault}", insurer.name, insurer.id))
        };
        let faults: Vec<String> = catalogue.insurers().filter_map(fault).collect();
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    fn secret_file(&self, http: &HttpConnector) -> SecretFile {
        SecretFile::at(self.secrets.join(&http.secret))
    }

    /// The connection of a way, made where there is none yet.
    fn connection(&self, insurer: InsurerId, http: &HttpConnector) -> Result<Arc<Connection>, String> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let way = (insurer, http.clone());
        if let Some(connection) = made.get(&way) {
            return Ok(connection.clone());
        }
        let credentials =
            Credentials { authentication: http.authentication, source: Source::File(self.secret_file(http)) };
        let exchange = Exchange::to(
            &http.url,
            Some(Arc::new(credentials)),
            self.clock.clone(),
            self.tuning.largest_answer,
        )?;
        let link =
            Link::new(insurer, exchange, http.calls_in_flight, self.tuning.clone(), self.random.clone());
        let connection = Arc::new(Connection(Arc::new(link)));
        made.insert(way, connection.clone());
        Ok(connection)
    }
}

impl Connectors for HttpConnectors {
    fn connect(&self, insurer: &rating::Insurer) -> Option<Arc<dyn Insurer>> {
        let Connector::Http(http) = &insurer.connector else { return None };
        match self.connection(insurer.id, http) {
            Ok(connection) => Some(connection),
            Err(fault) => {
                tracing::error!(insurer.id = %insurer.id, "insurer {} cannot be asked: {fault}", insurer.id);
                None
            }
        }
    }
}
