//! `covernote insurer check`: checks of an insurer's server against the protocol.

use std::sync::Arc;

use domain::id::{InsurerId, VariantId};
use insurers::SecretFile;
use insurers::check::{Finding, Report, State, Subject, check};
use rating::{Catalogue, Connector, Files};
use serde_json::{Value, json};

use super::block_on;
use crate::cli::{Authentication, Insurer, InsurerVerb, SharedSecret};
use crate::failure::{Failure, Result, catalogue_faults};
use crate::output;
use crate::settings::Settings;
use crate::wiring::{OsRandom, SystemClock, catalogue_files};

pub(super) fn run(Insurer { verb, catalogue, flags }: Insurer) -> Result<()> {
    let InsurerVerb::Check { url, insurer, secret, prices_only, json } = verb;
    let folder = Settings::read(&flags, catalogue.flag_values(), Settings::environment())?.catalogue;
    let files = catalogue_files(&folder)?;
    let catalogue = Catalogue::load(&files).map_err(|faults| catalogue_faults(&folder, &faults))?;
    let url = url.trim_end_matches('/').to_owned();
    let insurer = match insurer {
        Some(named) => Some(named_insurer(&catalogue, &files, &named)?),
        None => insurer_at(&catalogue, &url),
    };
    output::message(&match insurer.and_then(|id| catalogue.insurer(id)) {
        Some(insurer) => format!("checking {url} with the variants of {}", insurer.name),
        None => format!("checking {url} with every variant of {}", catalogue.name()),
    });
    let subject = Subject {
        url: url.clone(),
        authentication: shared_secret(secret),
        credit_variants: credit_variants(&catalogue, insurer),
        health_variants: health_variants(&catalogue, insurer),
        with_proposals: !prices_only,
    };
    let report = block_on(async {
        let random = Arc::new(OsRandom::default());
        check(subject, Arc::new(SystemClock), random).await.map_err(Failure::Configuration)
    })?;
    if json {
        output::json(&to_json(&url, insurer, &report));
    } else {
        report.findings.iter().for_each(|finding| output::data(&in_words(finding)));
    }
    exit_status(&report, &url)
}

/// The secret that the flags name, if any.
pub(super) fn shared_secret(secret: SharedSecret) -> Option<(rating::Authentication, SecretFile)> {
    let authentication = match secret.authentication? {
        Authentication::Bearer => rating::Authentication::Bearer,
        Authentication::Hmac => rating::Authentication::Hmac,
    };
    Some((authentication, SecretFile::at(secret.secret_file?)))
}

/// Finds the insurer with this id, or in this folder of the catalogue.
fn named_insurer(catalogue: &Catalogue, files: &Files, named: &str) -> Result<InsurerId> {
    let in_folder = || {
        let file = files.get(&format!("insurers/{named}/insurer.toml"))?;
        let table: toml::Table = std::str::from_utf8(file).ok()?.parse().ok()?;
        table.get("id")?.as_str()?.parse().ok()
    };
    let id: Option<InsurerId> = named.parse().ok().or_else(in_folder);
    id.filter(|id| catalogue.insurer(*id).is_some()).ok_or_else(|| {
        Failure::BadData(format!("the catalogue has no insurer {named}: give its id or its folder"))
    })
}

/// The insurer whose HTTP connector has this address.
fn insurer_at(catalogue: &Catalogue, url: &str) -> Option<InsurerId> {
    let is_there = |insurer: &&rating::Insurer| match &insurer.connector {
        Connector::Http(http) => http.url == url,
        Connector::RateTable => false,
    };
    catalogue.insurers().find(is_there).map(|insurer| insurer.id)
}

fn credit_variants(catalogue: &Catalogue, of: Option<InsurerId>) -> Vec<VariantId> {
    let all = catalogue.all_credit_variants().iter();
    all.filter(|variant| of.is_none_or(|id| variant.insurer().id == id)).map(|variant| variant.id).collect()
}

fn health_variants(catalogue: &Catalogue, of: Option<InsurerId>) -> Vec<VariantId> {
    let all = catalogue.all_health_variants().iter();
    all.filter(|variant| of.is_none_or(|id| variant.insurer().id == id)).map(|variant| variant.id).collect()
}

/// One finding as text.
fn in_words(finding: &Finding) -> String {
    let Finding { state, wanted, found, .. } = finding;
    match state {
        State::Good if found.is_empty() => format!("✓ {wanted}"),
        State::Good => format!("✓ {wanted} ({found})"),
        State::Bad => format!("✗ {wanted}\n  Found: {found}"),
        State::Skipped => format!("- {wanted}\n  Not checked: {found}"),
    }
}

fn to_json(url: &str, insurer: Option<InsurerId>, report: &Report) -> Value {
    let finding = |finding: &Finding| {
        let state = match finding.state {
            State::Good => "good",
            State::Bad => "bad",
            State::Skipped => "skipped",
        };
        json!({ "name": finding.name, "state": state, "wanted": finding.wanted, "found": finding.found })
    };
    json!({
        "url": url,
        "insurer_id": insurer.map(|id| id.to_string()),
        "reachable": report.reachable,
        "bad": report.bad(),
        "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

fn exit_status(report: &Report, url: &str) -> Result<()> {
    match report.bad() {
        _ if !report.reachable => Err(Failure::Away(format!("no server answers at {url}"))),
        0 => Ok(()),
        bad => Err(Failure::Failed(format!("{bad} of {} checks failed", report.findings.len()))),
    }
}
