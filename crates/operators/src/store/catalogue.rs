//! Publishes a catalogue, so that every running process of the store uses this catalogue.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rating::Files;
use rating::chart::{BothPrices, price_both};
use serde_json::{Map, Value};
use service::catalogue::Version;

use crate::act::answer::Done;
use crate::act::arguments::bad;
use crate::act::input::input;
use crate::act::shown::answer;
use crate::act::{About, Act, Needed, On, Result, Role, post};

/// Number of prices that an approval shows before and after.
const MOST_PRICES: usize = 10;

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
    fn files(&self) -> Result<Files> {
        let bytes = STANDARD.decode(&self.files).map_err(|_| bad("files: must be base64"))?;
        Files::from_canonical(&bytes).map_err(|fault| bad(format!("files: {fault}")))
    }

    fn version(&self) -> Result<Version> {
        Version::of(&self.files()?).map_err(|faults| {
            let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
            bad(lines.join("\n"))
        })
    }
}

/// Names of the files that differ, by how they differ.
fn changed_files(before: &Files, after: &Files) -> Vec<(&'static str, String)> {
    let named = |paths: Vec<&str>| if paths.is_empty() { "none".to_owned() } else { paths.join(", ") };
    let of = |files: &Files, is_listed: &dyn Fn(&str) -> bool| {
        named(files.paths().filter(|path| is_listed(path)).collect())
    };
    vec![
        ("files_added", of(after, &|path| before.get(path).is_none())),
        ("files_removed", of(before, &|path| after.get(path).is_none())),
        (
            "files_changed",
            of(after, &|path| before.get(path).is_some_and(|text| Some(text) != after.get(path))),
        ),
    ]
}

impl Act for PublishCatalogue {
    const ABOUT: About = post("catalogue.publish", "/catalogue", &[Role::Catalogue]).taking_megabytes(16);

    type Answer = Done<Published>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let next = self.version()?.catalogue;
        (on.judge_catalogue)(&next).map_err(bad)?;
        let running = on.service.shared.catalogues.running();
        let needed = Needed::new(format!("publish the catalogue {}", next.name()));
        let needed = needed.of("catalogue", running.hash()).fact("hash", next.hash());
        let before =
            on.service.shared.catalogues.files(running.hash()).await.map_err(service::Error::from)?;
        let count = |name, before: usize, after: usize| (name, format!("{before} before, {after} after"));
        let counts = [
            count("insurers", running.insurers().len(), next.insurers().len()),
            count("products", running.products().len(), next.products().len()),
        ];
        let facts = counts.into_iter().chain(changed_files(&before, &self.files()?));
        let needed = facts.fold(needed, |needed, (name, value)| needed.fact(name, value));
        let today = on.service.policies.today();
        let prices = price_both(&running, &next, today, MOST_PRICES);
        Ok(Some(prices.iter().fold(needed, |needed, BothPrices { request, before, after }| {
            needed.fact(&format!("price of {request}"), format!("{before} before, {after} after"))
        })))
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
