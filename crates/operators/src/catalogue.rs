//! Publishes a catalogue: from then on every process of the store sells by it.

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

/// Make every running process sell by a catalogue: `covernote catalogue reload` sends that of its settings
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishCatalogue {
    /// All its files in their canonical form, in base64
    files: String,
}

impl PublishCatalogue {
    /// Publishes the catalogue of these files.
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
    const ABOUT: About = post("catalogue.publish", "/catalogue", &[Role::Catalogue]);

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let catalogue = self.version()?.catalogue;
        (on.judge_catalogue)(&catalogue).map_err(bad)?;
        Ok(Some(Needed {
            subject: String::new(),
            version: on.service.shared.catalogues.running().hash().to_string(),
            what: format!("the catalogue {}, {}, is published", catalogue.name(), catalogue.hash()),
        }))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let version = self.version()?;
        let hash = version.catalogue.hash();
        on.service.shared.catalogues.announce(&version).await.map_err(service::Error::from)?;
        Ok(Answer::of(json!({ "hash": hash.to_string() })).saying(format!(
            "every running process sells by the catalogue {hash} within 5 seconds; a process that starts later reads its own folder"
        )))
    }
}
