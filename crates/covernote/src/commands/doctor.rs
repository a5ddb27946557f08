//! `covernote doctor`: checks everything that a server needs, and gives advice on each fault.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use domain::date::{Timestamp, day_of, days_later};
use operators::Finding;
use rating::{Catalogue, Connector};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use service::clock::Clock;
use service::waiting::LICENCE_ENDS_SOON;
use storage::Keyring;

use super::{block_on, login, operate};
use crate::address::names_this_machine;
use crate::cli::{Doctor, Flags, Printing};
use crate::demo_folder;
use crate::failure::{Failure, Result};
use crate::operator_file;
use crate::output;
use crate::settings::Settings;
use crate::wiring::{
    Engine, SystemClock, connectors, engine, has_store, lacks_gateway, load_catalogue, operator, tls,
    validate_insurers,
};

pub(super) fn run(doctor: Doctor) -> Result<()> {
    login::say_that_it_is_ignored();
    let settings = Settings::read(&doctor.flags, doctor.catalogue.flag_values(), Settings::environment())?;
    let findings = findings(&settings, &doctor.flags);
    if doctor.json {
        output::json(&json!({ "findings": findings.iter().map(to_json).collect::<Vec<_>>() }));
    } else {
        for (what, finding) in &findings {
            let (state, text) = match finding {
                Finding::Good(text) => ("good", text),
                Finding::Doubtful(text) => ("doubtful", text),
                Finding::Bad(text) => ("BAD", text),
            };
            output::data(&format!("{state:<9} {what:<13} {text}"));
        }
    }
    let bad = findings.iter().filter(|(_, finding)| matches!(finding, Finding::Bad(_))).count();
    if bad == 0 { Ok(()) } else { Err(Failure::Failed(format!("{bad} of {} checks failed", findings.len()))) }
}

/// All checks, each with its finding.
pub(super) fn findings(settings: &Settings, flags: &Flags) -> Vec<(String, Finding)> {
    let machine = [
        ("settings", Finding::Good("all known".into())),
        ("clock", clock()),
        ("data folder", data_folder(settings)),
        ("keyring", keyring(settings)),
        ("operator", who_sells(settings)),
        ("catalogue", catalogue(settings)),
        ("payments", payments(settings)),
        ("insurers", insurers(settings)),
    ];
    let (stored, is_served) = stored(settings, flags);
    let serving = [
        ("address", address(settings, is_served)),
        ("metrics", metrics_address(settings, is_served)),
        ("base address", base_address(settings)),
        ("TLS", transport(settings)),
    ];
    let named = |(what, finding): (&str, Finding)| (what.to_owned(), finding);
    let mut findings: Vec<(String, Finding)> = machine.into_iter().map(named).collect();
    findings.extend(stored);
    findings.extend(serving.into_iter().map(named));
    findings
}

pub(super) fn to_json((what, finding): &(String, Finding)) -> Value {
    let mut json = json!(finding);
    json["what"] = what.as_str().into();
    json
}

/// Time one day before the release of this version. A correct clock shows a later time.
const MADE: Timestamp = Timestamp::constant(1_793_500_000, 0);

fn clock() -> Finding {
    let now = SystemClock.now();
    if now < MADE {
        Finding::Bad(format!("{now} is earlier than the release of this program: set the clock"))
    } else {
        Finding::Good(now.to_string())
    }
}

fn data_folder(settings: &Settings) -> Finding {
    let folder = Path::new(&settings.data);
    match std::fs::metadata(folder) {
        Ok(found) if found.is_dir() => match (demo_folder::refuse_marked(folder), found.mode() & 0o077) {
            (Err(refused), _) => Finding::Bad(refused.to_string()),
            (Ok(()), 0) => Finding::Good(settings.data.clone()),
            (Ok(()), others) if others & 0o022 != 0 => {
                Finding::Bad(format!("{0}: other users may write to it: run chmod 700 {0}", settings.data))
            }
            (Ok(()), _) => {
                Finding::Doubtful(format!("{0}: other users may read it: run chmod 700 {0}", settings.data))
            }
        },
        Ok(_) => Finding::Bad(format!("{} is not a folder", settings.data)),
        Err(_) => Finding::Doubtful(format!(
            "{} does not exist yet: 'serve' or 'partner create' creates it",
            settings.data
        )),
    }
}

/// Checks who runs this service, and whether the licence is valid.
fn who_sells(settings: &Settings) -> Finding {
    let today = day_of(SystemClock.now());
    match operator(settings) {
        Err(fault) => Finding::Bad(fault.to_string()),
        Ok(None) => Finding::Doubtful(format!(
            "there is no {}: pages and certificates do not say who sells, and only this machine is served",
            settings.operator_file().display()
        )),
        Ok(Some(operator)) => {
            let (name, ends) = (operator.name.english(), operator.licence_until);
            if operator.licence_has_ended(today) {
                let effect = if operator.may_sell(today) {
                    "sales go on for its grace days"
                } else {
                    "nothing is sold"
                };
                Finding::Bad(format!("the licence of {name} ended on {ends}; {effect}"))
            } else if operator.licence_number == operator_file::example().licence_number {
                Finding::Doubtful(format!(
                    "{name} is the fictional operator of the example: write your own into {}",
                    settings.operator_file().display()
                ))
            } else if days_later(today, LICENCE_ENDS_SOON).is_some_and(|soon| ends < soon) {
                Finding::Doubtful(format!("the licence of {name} ends on {ends}"))
            } else {
                Finding::Good(format!("{name}, licence until {ends}"))
            }
        }
    }
}

fn keyring(settings: &Settings) -> Finding {
    let source = settings.keyring_source();
    let is_missing = source.file().is_some_and(|file| !file.exists());
    if is_missing && is_there(settings) {
        return Finding::Bad(format!("{source} is missing: without the keyring the store cannot be read"));
    }
    if is_missing {
        return Finding::Doubtful(format!("{source} does not exist yet"));
    }
    match Keyring::read(source.clone()) {
        Ok(_) => Finding::Good(format!(
            "{source}: keep a copy of the keyring apart from the data; without the keyring nothing can be read"
        )),
        Err(fault) => Finding::Bad(fault.to_string()),
    }
}

fn catalogue(settings: &Settings) -> Finding {
    match load_catalogue(&settings.catalogue) {
        Ok(version) if settings.catalogue.is_empty() => Finding::Doubtful(format!(
            "{}: the built-in sample, with fictional insurers",
            version.catalogue.name()
        )),
        Ok(version) if has_insurers_of_sample(&version.catalogue) => Finding::Doubtful(format!(
            "{}: the catalogue has fictional insurers of the sample",
            version.catalogue.name()
        )),
        Ok(version) => Finding::Good(format!(
            "{}, {} variants",
            version.catalogue.name(),
            version.catalogue.all_credit_variants().len() + version.catalogue.all_health_variants().len()
        )),
        Err(faults) => Finding::Bad(faults.to_string()),
    }
}

/// Checks that customers can pay where the catalogue says that they do. Only the demo has a payment gateway.
fn payments(settings: &Settings) -> Finding {
    match load_catalogue(&settings.catalogue).ok().and_then(|version| lacks_gateway(&version.catalogue)) {
        Some(lack) => Finding::Doubtful(lack),
        None => Finding::Good("no product is paid on a page here".into()),
    }
}

fn has_insurers_of_sample(catalogue: &Catalogue) -> bool {
    let Ok(sample) = load_catalogue("") else { return false };
    catalogue.insurers().any(|insurer| sample.catalogue.insurers().any(|other| other.id == insurer.id))
}

/// Checks that every insurer that is reached over HTTP can be used.
fn insurers(settings: &Settings) -> Finding {
    let Ok(version) = load_catalogue(&settings.catalogue) else {
        return Finding::Doubtful("the insurers cannot be checked, because the catalogue has faults".into());
    };
    let asked = version.catalogue.insurers().filter(|insurer| insurer.connector != Connector::RateTable);
    match (asked.count(), validate_insurers(&connectors(settings), &version.catalogue)) {
        (0, _) => Finding::Good("all insurers are priced from rate tables".into()),
        (asked, Ok(())) => Finding::Good(format!("insurers reached over HTTP, each with a secret: {asked}")),
        (_, Err(failure)) => Finding::Bad(failure.to_string()),
    }
}

/// Whether the store exists.
fn is_there(settings: &Settings) -> bool {
    matches!(block_on(has_store(settings)), Ok(true))
}

/// Findings about the store, from its server or from this process, and whether another process serves the
/// store. Does not create a store.
fn stored(settings: &Settings, flags: &Flags) -> (Vec<(String, Finding)>, bool) {
    let store = |finding| (vec![("store".to_owned(), finding)], false);
    let engine = match engine(settings).and_then(|engine| Ok((engine, block_on(has_store(settings))?))) {
        Err(failure) => return store(Finding::Bad(failure.to_string())),
        Ok((Engine::Sqlite, false)) if settings.keyring_source().file().is_some_and(Path::exists) => {
            return store(Finding::Bad(format!(
                "there is a keyring but no {}: is the database in another folder?",
                storage::sqlite::FILE
            )));
        }
        Ok((_, false)) => return store(Finding::Doubtful("the store does not exist yet".into())),
        Ok((Engine::Sqlite, true)) => "SQLite",
        Ok((Engine::Postgres(_), true)) => "PostgreSQL",
    };
    // Not the server that the environment names.
    let here = Printing { server: Some(String::new()), ..Printing::default() };
    let told = match operate::asked("store.examine", Map::new(), flags, &here) {
        Err(failure) => return store(Finding::Bad(failure.to_string())),
        Ok(told) => told,
    };
    let finding = |json: &Value| Some((json["what"].as_str()?.to_owned(), Finding::deserialize(json).ok()?));
    let mut findings = vec![("engine".to_owned(), Finding::Good(engine.to_owned()))];
    findings.extend(told["findings"].as_array().into_iter().flatten().filter_map(finding));
    (findings, told["server"]["process"] != json!(std::process::id()))
}

fn address(settings: &Settings, is_served: bool) -> Finding {
    listener("listen", &settings.listen, is_served)
}

fn metrics_address(settings: &Settings, is_served: bool) -> Finding {
    match settings.metrics_listen.as_str() {
        "" => Finding::Good("off".into()),
        address => listener("metrics_listen", address, is_served),
    }
}

/// Checks the certificate, and that nothing crosses a network unencrypted.
fn transport(settings: &Settings) -> Finding {
    match tls(settings) {
        Ok(Some(_)) => Finding::Good(settings.tls_certificate.clone()),
        Ok(None) if is_loopback(&settings.listen) => {
            Finding::Good("TLS is off, but only this machine can reach the service".into())
        }
        Ok(None) => Finding::Doubtful(format!(
            "TLS is off, and other machines can reach {}: set tls_certificate and tls_key, or let only a proxy with TLS reach this address",
            settings.listen
        )),
        Err(failure) => Finding::Bad(failure.to_string()),
    }
}

fn is_loopback(listen: &str) -> bool {
    super::process::address("listen", listen).is_ok_and(|address| address.ip().is_loopback())
}

/// Checks that a server can listen on an address.
fn listener(name: &str, address: &str, is_served: bool) -> Finding {
    match super::process::address(name, address).map(TcpListener::bind) {
        Err(failure) => Finding::Bad(failure.to_string()),
        Ok(Ok(_)) => Finding::Good(format!("{address} is free")),
        Ok(Err(cause)) if cause.kind() == ErrorKind::AddrInUse && is_served => {
            Finding::Good(format!("{address} is used, and a server runs on this store"))
        }
        Ok(Err(cause)) if cause.kind() == ErrorKind::AddrInUse => {
            Finding::Doubtful(format!("{address}: {cause}; another program may use it"))
        }
        Ok(Err(cause)) => Finding::Bad(format!("{address}: {cause}")),
    }
}

fn base_address(settings: &Settings) -> Finding {
    let base = settings.base_address();
    match base.as_str() {
        base if base.starts_with("https://") => Finding::Good(base.to_owned()),
        base if names_this_machine(base) => {
            Finding::Doubtful(format!("{base}: partners on other machines cannot call it; set base_url"))
        }
        base => {
            Finding::Bad(format!("{base} is not https: tokens and certificates would be sent unencrypted"))
        }
    }
}
