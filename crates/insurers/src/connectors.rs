//! Clients of the insurers of a catalogue, one for each insurer and connector.

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

/// What a client is created for: an insurer with its connector in the catalogue.
type ClientKey = (InsurerId, HttpConnector);

/// The connectors of insurers that are reached over HTTP.
pub struct HttpConnectors {
    secrets: PathBuf,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    tuning: Tuning,
    /// One for each key that was ever used. There are few: an operator seldom changes a connector.
    insurers: Mutex<HashMap<ClientKey, Arc<HttpInsurer>>>,
}

impl HttpConnectors {
    /// Connectors that read their secrets from a folder.
    pub fn new(secrets: PathBuf, clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        HttpConnectors { secrets, clock, random, tuning: Tuning::default(), insurers: Mutex::default() }
    }

    /// The same connectors with other limits.
    pub fn with_tuning(self, tuning: Tuning) -> Self {
        HttpConnectors { tuning, ..self }
    }

    /// Validates the connector of every insurer in the catalogue that is reached over HTTP.
    ///
    /// # Errors
    /// One sentence for each insurer that cannot be reached.
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

    /// The insurer behind a connector, created at its first use.
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
