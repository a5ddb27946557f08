//! Publishes a catalogue, so that every running process of the store uses this catalogue.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rating::Files;
use serde_json::{Map, Value};
use service::catalogue::Version;

use crate::act::answer::Done;
use crate::act::arguments::bad;
use crate::act::input::input;
use crate::act::shown::answer;
use crate::act::{About, Act, Needed, On, Result, Role, post};

input! {
    /// Make every running process use a catalogue; `covernote catalogue reload` sends the catalogue that its
    /// settings name
    struct PublishCatalogue {
        /// All files of the catalogue in canonical form, as base64
        #[flag(is_positional = true)]
        files: String,
    }
}

/// Fields of the request that publishes this version of a catalogue.
pub fn fields_to_publish(version: &Version) -> Map<String, Value> {
    Map::from_iter([("files".to_owned(), STANDARD.encode(&version.canonical).into())])
}

impl PublishCatalogue {
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

    type Answer = Done<Published>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let catalogue = self.version()?.catalogue;
        (on.judge_catalogue)(&catalogue).map_err(bad)?;
        Ok(Some(Needed {
            subject: String::new(),
            version: on.service.shared.catalogues.running().hash().to_string(),
            what: format!("publish the catalogue {}, {}", catalogue.name(), catalogue.hash()),
        }))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let version = self.version()?;
        let hash = version.catalogue.hash();
        on.service.shared.catalogues.announce(&version).await.map_err(service::Error::from)?;
        Ok(Done::of(Published { hash: hash.to_string() }).saying(format!(
            "within 5 seconds, every running process uses the catalogue {hash}; a process that starts later also uses it if two operators could approve a catalogue, else its own catalogue folder"
        )))
    }
}

answer! {
    /// The catalogue that every process uses from now on
    struct Published {
        /// Hash of the catalogue
        hash: String,
    }
}
