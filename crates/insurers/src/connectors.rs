//! HTTP clients for the insurers of a catalogue.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use domain::id::InsurerId;
use rating::{Catalogue, Connector, HttpConnector};
use service::clock::{Clock, Random};
use service::insurer::{Connectors, Insurer};

use crate::client::Client;
use crate::guarded_client::GuardedClient;
use crate::http_insurer::HttpInsurer;
use crate::secret::SecretFile;
use crate::signature::{Credentials, SecretSource};
use crate::tuning::Tuning;

/// Key of a client: the insurer, and the connector that the catalogue gives it.
type ClientKey = (InsurerId, HttpConnector);

/// Connectors of insurers that are reached over HTTP.
pub struct HttpConnectors {
    secrets: PathBuf,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    tuning: Tuning,
    /// One client for each key that was ever used. Clients are never removed, because an operator seldom
    /// changes a connector.
    insurers: Mutex<HashMap<ClientKey, Arc<HttpInsurer>>>,
}

impl HttpConnectors {
    /// Creates connectors that read their secrets from the folder `secrets`.
    pub fn new(secrets: PathBuf, clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        HttpConnectors { secrets, clock, random, tuning: Tuning::default(), insurers: Mutex::default() }
    }

    /// Replaces the default limits and times.
    pub fn with_tuning(self, tuning: Tuning) -> Self {
        HttpConnectors { tuning, ..self }
    }

    /// Validates the connectors of all insurers in the catalogue that are reached over HTTP.
    ///
    /// # Errors
    /// One sentence for each insurer that cannot be used.
    pub fn validate(&self, catalogue: &Catalogue) -> Result<(), Vec<String>> {
        let fault = |insurer: &rating::Insurer| {
            let Connector::Http(http) = &insurer.connector else { return None };
            let validated = self.secret_file(http).validate().and_then(|()| self.insurer(insurer.id, http));
            validated.err().map(|fault| format!("insurer {} ({}): {fault}", insurer.name, insurer.id))
        };
        let faults: Vec<String> = catalogue.insurers().filter_map(fault).collect();
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    fn secret_file(&self, http: &HttpConnector) -> SecretFile {
        SecretFile::at(self.secrets.join(&http.secret))
    }

    /// Client of an insurer with this connector. It is created on first use.
    fn insurer(&self, insurer: InsurerId, http: &HttpConnector) -> Result<Arc<HttpInsurer>, String> {
        let mut insurers = self.insurers.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (insurer, http.clone());
        if let Some(known) = insurers.get(&key) {
            return Ok(known.clone());
        }
        let credentials = Credentials {
            authentication: http.authentication,
            source: SecretSource::File(self.secret_file(http)),
        };
        let client = Client::to(
            &http.url,
            Some(Arc::new(credentials)),
            self.clock.clone(),
            self.tuning.max_answer_bytes,
        )?;
        let client = GuardedClient::new(
            insurer,
            client,
            http.calls_in_flight,
            self.tuning.clone(),
            self.random.clone(),
        );
        let created = Arc::new(HttpInsurer(Arc::new(client)));
        insurers.insert(key, created.clone());
        Ok(created)
    }
}

impl Connectors for HttpConnectors {
    fn connect(&self, insurer: &rating::Insurer) -> Option<Arc<dyn Insurer>> {
        let Connector::Http(http) = &insurer.connector else { return None };
        match self.insurer(insurer.id, http) {
            Ok(connected) => Some(connected),
            Err(fault) => {
                tracing::error!(insurer.id = %insurer.id, "insurer {} cannot be reached: {fault}", insurer.id);
                None
            }
        }
    }
}
