//! Publishes a catalogue, so that every running process of the store uses this catalogue.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rating::Files;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::catalogue::Version;
use utoipa::ToSchema;

use crate::act::{About, Act, Needed, On, Result, Role, post};
use crate::answer::Answer;
use crate::arguments::bad;

/// Make every running process use a catalogue; `covernote catalogue reload` sends the catalogue that its
/// settings name
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishCatalogue {
    /// All files of the catalogue in canonical form, as base64
    files: String,
}

impl PublishCatalogue {
    /// Action that publishes this version of a catalogue.
    pub fn of(version: &Version) -> Self {
        PublishCatalogue { files: STANDARD.encode(&version.canonical) }
    }

    fn version(&self) -> Result<Version> {
        let bytes = STANDARD.decode(&self.files).map_err(|_| bad("files: must be base64"))?;
        let files = Files::from_canonical(&bytes).map_err(|fault| bad(format!("files: {fault}")))?;
        Version::of(&files).map_err(|faults| {
            let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
            bad(lines.join("\n"))
        })
    }
}

impl Act for PublishCatalogue {
    const ABOUT: About = post("catalogue.publish", "/catalogue", &[Role::Catalogue]).taking_megabytes(16);

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let catalogue = self.version()?.catalogue;
        (on.judge_catalogue)(&catalogue).map_err(bad)?;
        Ok(Some(Needed {
            subject: String::new(),
            version: on.service.shared.catalogues.running().hash().to_string(),
            what: format!("publish the catalogue {}, {}", catalogue.name(), catalogue.hash()),
        }))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let version = self.version()?;
        let hash = version.catalogue.hash();
        on.service.shared.catalogues.announce(&version).await.map_err(service::Error::from)?;
        Ok(Answer::of(json!({ "hash": hash.to_string() })).saying(format!(
            "within 5 seconds, every running process uses the catalogue {hash}; a process that starts later also uses it if two operators could approve a catalogue, else its own catalogue folder"
        )))
    }
}
