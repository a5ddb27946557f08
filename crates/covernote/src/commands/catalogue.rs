//! `covernote catalogue`: commands on a catalogue. Only `reload` needs a server.

mod health;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::context::{Context, ContextEntry, key};
use domain::date::{BirthDate, CalendarDate, day_of};
use domain::money::{CoverAmount, PlainAmount};
use domain::person::{Gender, Occupation};
use domain::quote::{PolicyTerm, QuoteRequest};
use domain::text::FromText;
use operators::{fields_to_publish, outcome_to_json, read_or_say, steps_in_prose, steps_to_json};
use rating::{CoverKind, CreditVariant, Files};
use serde_json::{Value, json};
use service::clock::{Clock, Ids};

use super::{login, operate};
use crate::cli::{Asked, Catalogue, CatalogueVerb, CreditCover, Flags, HealthCover, IdKind, Printing};
use crate::failure::{Failure, Result, catalogue_faults};
use crate::lock;
use crate::output;
use crate::settings::Settings;
use crate::wiring::{Engine, OsRandom, SystemClock, catalogue_files, engine, lacks_gateway, load_catalogue};

pub(super) fn run(Catalogue { verb, catalogue, flags }: Catalogue) -> Result<()> {
    let read = || Settings::read(&flags, catalogue.flag_values(), Settings::environment());
    let folder_of = |named: Option<PathBuf>| match named {
        Some(folder) => Ok(folder.display().to_string()),
        None => read().map(|settings| settings.catalogue),
    };
    match verb {
        CatalogueVerb::Init { folder } => init(&folder),
        CatalogueVerb::Check { folder } => check(&folder_of(folder)?),
        CatalogueVerb::Test { folder } => test(&folder_of(folder)?),
        CatalogueVerb::Show { folder, json } => show(&folder_of(folder)?, json),
        CatalogueVerb::Id { kind } => {
            new_id(kind);
            Ok(())
        }
        CatalogueVerb::Reload(printing) => reload(&read()?, &flags, printing),
        CatalogueVerb::Price { life, family, on, variant, json } => {
            let folder = folder_of(None)?;
            let (on, only) = (on.as_deref(), variant.as_deref());
            match &family.members {
                Some(members) => health::price(&folder, members, &family, on, only, json),
                None => price(&folder, (&life, &family), on, only, json),
            }
        }
    }
}

fn init(folder: &Path) -> Result<()> {
    Files::write_sample(folder)
        .map_err(|cause| Failure::Failed(format!("the sample catalogue could not be written: {cause}")))?;
    let shown = folder.display();
    output::message(&format!(
        "The sample catalogue is in {shown}; its README.md describes each file.\nEdit it, then run: covernote catalogue check {shown}"
    ));
    Ok(())
}

/// Turns the configuration error of a faulty catalogue into bad data (exit code 65), for commands that check
/// a catalogue.
fn as_data(failure: Failure) -> Failure {
    match failure {
        Failure::Configuration(text) => Failure::BadData(text),
        other => other,
    }
}

fn check(folder: &str) -> Result<()> {
    let catalogue = load_catalogue(folder).map_err(as_data)?.catalogue;
    let (insurers, products) = (catalogue.insurers().len(), catalogue.products().len());
    let (credit, health) = (catalogue.all_credit_variants().len(), catalogue.all_health_variants().len());
    output::message(&format!(
        "{}: no faults. {insurers} insurers, {products} products, {credit} variants of credit life, {health} of health; hash {}",
        catalogue.name(),
        catalogue.hash()
    ));
    for line in unsaid(&catalogue).into_iter().chain(lacks_gateway(&catalogue)) {
        output::message(&line);
    }
    Ok(())
}

/// One line for each credit-life product that omits eligibility keys: the keys, each with its default.
fn unsaid(catalogue: &rating::Catalogue) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for variant in catalogue.all_credit_variants().iter().filter(|variant| !variant.unsaid.is_empty()) {
        let keys: Vec<String> = variant.unsaid.iter().map(|(key, then)| format!("{key} ({then})")).collect();
        let line = format!("{} uses defaults for: {}", variant.product.name, keys.join(", "));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

fn test(folder: &str) -> Result<()> {
    let files = catalogue_files(folder).map_err(as_data)?;
    let catalogue =
        rating::Catalogue::load(&files).map_err(|faults| as_data(catalogue_faults(folder, &faults)))?;
    let report = rating::chart::run(&catalogue, &files);
    for fault in &report.faults {
        output::data(&fault.to_string());
    }
    for difference in &report.differences {
        output::data(&difference.to_string());
    }
    if !report.holds() {
        let (faults, differences) = (report.faults.len(), report.differences.len());
        return Err(Failure::BadData(format!(
            "{differences} of {} rows of the premium charts differ; {faults} rows cannot be read",
            report.rows
        )));
    }
    output::message(&format!("{} rows of the premium charts, no differences", report.rows));
    Ok(())
}

fn new_id(kind: IdKind) {
    let ids = Ids::new(Arc::new(SystemClock), Arc::new(OsRandom::default()));
    output::data(&match kind {
        IdKind::Insurer => ids.make::<domain::id::kind::Insurer>().to_string(),
        IdKind::Product => ids.make::<domain::id::kind::Product>().to_string(),
        IdKind::Variant => ids.make::<domain::id::kind::Variant>().to_string(),
    });
}

/// Publishes the catalogue of the settings. On SQLite the command fails if no server runs, because no server
/// would then use the catalogue.
fn reload(settings: &Settings, flags: &Flags, printing: Printing) -> Result<()> {
    let version = load_catalogue(&settings.catalogue).map_err(as_data)?;
    let is_here = login::server(printing.server.as_deref())?.is_none();
    if is_here && matches!(engine(settings)?, Engine::Sqlite) {
        lock::holder(Path::new(&settings.data))?;
    }
    let asked = Asked::of("catalogue.publish", fields_to_publish(&version));
    operate::send(asked, flags, printing)
}

fn show(folder: &str, as_json: bool) -> Result<()> {
    let catalogue = load_catalogue(folder)?.catalogue;
    let (credit, health) = (catalogue.all_credit_variants(), catalogue.all_health_variants());
    if as_json {
        output::json(&json!({
            "name": catalogue.name(),
            "hash": catalogue.hash().to_string(),
            "quote_validity_days": catalogue.quote_validity_days(),
            "variants": credit.iter().map(to_json).chain(health.iter().map(health::to_json)).collect::<Vec<_>>(),
        }));
        return Ok(());
    }
    output::message(&format!(
        "{}, hash {}, quotes are valid for {} days",
        catalogue.name(),
        catalogue.hash(),
        catalogue.quote_validity_days()
    ));
    let row = |variant: &CreditVariant| {
        let decision = variant.product.decision.word();
        vec![
            variant.insurer().name.clone(),
            variant.product.name.clone(),
            variant.name.clone(),
            kind(variant).into(),
            decision.into(),
            variant.id.to_string(),
        ]
    };
    if !credit.is_empty() {
        output::table(
            &["insurer", "product", "variant", "cover", "decision", "variant_id"],
            credit.iter().map(row).collect(),
        );
    }
    if !credit.is_empty() && !health.is_empty() {
        output::data("");
    }
    if !health.is_empty() {
        health::show(health);
    }
    Ok(())
}

fn kind(variant: &CreditVariant) -> &'static str {
    match variant.cover {
        CoverKind::Level => "level",
        CoverKind::Reducing { .. } => "reducing",
    }
}

fn to_json(variant: &CreditVariant) -> Value {
    json!({
        "line": variant.product.line.word(),
        "insurer_id": variant.insurer().id.to_string(),
        "insurer": variant.insurer().name,
        "product_id": variant.product.id.to_string(),
        "product": variant.product.name,
        "variant_id": variant.id.to_string(),
        "variant": variant.name,
        "cover": kind(variant),
        "decision": variant.product.decision.word(),
    })
}

/// Parses the text of a flag. If the text is faulty, adds the fault to `faults`.
fn read<T: FromText>(flag: &str, text: &str, faults: &mut Vec<String>) -> Option<T> {
    read_or_say(&format!("--{flag}"), text).map_err(|fault| faults.push(fault)).ok()
}

/// Parses the request for cover of a loan. Of the health flags, `--occupation` and `--tobacco` describe the
/// borrower.
fn request(
    (asked, person): (&CreditCover, &HealthCover),
    on: Option<&str>,
) -> Result<(QuoteRequest, domain::date::Date)> {
    let mut faults = Vec::new();
    let on = match on {
        Some(on) => read::<CalendarDate>("on", on, &mut faults).map(|date| date.0),
        None => Some(day_of(SystemClock.now())),
    };
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let born = read::<CalendarDate>("date-of-birth", &text(&asked.date_of_birth), &mut faults);
    let born = born.zip(on).and_then(|(born, on)| {
        BirthDate::before(born.0, on)
            .map_err(|came| faults.push(format!("--date-of-birth: must not be {came}")))
            .ok()
    });
    let gender = read::<Gender>("gender", &asked.gender, &mut faults);
    let cover = read::<CoverAmount>("cover-amount", &text(&asked.cover_amount), &mut faults);
    let term = asked.policy_term.and_then(PolicyTerm::months);
    if term.is_none() {
        faults.push("--policy-term: must be a whole number of months above zero".into());
    }
    let loan = asked
        .loan_amount
        .as_ref()
        .map(|loan| read::<PlainAmount>("loan-amount", loan, &mut faults).map(|_| loan.clone()));
    let entries = loan.flatten().map(|loan| ContextEntry::new(key::LOAN_AMOUNT, vec![loan]));
    let riders = Some(asked.rider.clone()).filter(|ids| !ids.is_empty());
    let riders = riders.map(|ids| ContextEntry::new(key::RIDERS, ids));
    let occupation =
        person.occupation.first().and_then(|word| read::<Occupation>("occupation", word, &mut faults));
    if person.occupation.len() > 1 {
        faults.push("--occupation: give only one for a borrower".into());
    }
    let tobacco = person.tobacco.then(|| ContextEntry::new(key::TOBACCO, vec!["yes".into()]));
    let mut context = Context::of(entries.into_iter().chain(riders).chain(tobacco).collect());
    if let Some(occupation) = occupation {
        context = Context::of_occupation(occupation).over(&context);
    }
    if let (Some(born), Some(gender)) = (&asked.joint_date_of_birth, &asked.joint_gender) {
        let born = read::<CalendarDate>("joint-date-of-birth", born, &mut faults);
        let gender = read::<Gender>("joint-gender", gender, &mut faults);
        if let (Some(born), Some(gender)) = (born, gender) {
            context = Context::of_joint_life(BirthDate::kept(born.0), gender).over(&context);
        }
    }
    match (born, gender, cover, term, on) {
        (Some(born), Some(gender), Some(cover), Some(term), Some(on)) if faults.is_empty() => {
            Ok((QuoteRequest { born, gender, cover, term, context }, on))
        }
        _ => Err(Failure::BadData(faults.join("\n"))),
    }
}

fn no_such_variant() -> Failure {
    Failure::BadData("the catalogue has no such variant; 'catalogue show' lists them".into())
}

fn price(
    folder: &str,
    asked: (&CreditCover, &HealthCover),
    on: Option<&str>,
    only: Option<&str>,
    as_json: bool,
) -> Result<()> {
    let (request, on) = request(asked, on)?;
    let catalogue = load_catalogue(folder)?.catalogue;
    let wanted = |variant: &&CreditVariant| only.is_none_or(|only| variant.id.to_string() == only);
    let priced: Vec<_> = catalogue
        .all_credit_variants()
        .iter()
        .filter(wanted)
        .map(|variant| (variant, variant.explain(&request, on)))
        .collect();
    if priced.is_empty() {
        return Err(no_such_variant());
    }
    if as_json {
        let item = |(variant, explanation): &(&CreditVariant, rating::Explanation)| {
            let mut item = to_json(variant);
            if let (Value::Object(item), Value::Object(price)) =
                (&mut item, outcome_to_json(&explanation.outcome))
            {
                item.extend(price);
            }
            item["steps"] = steps_to_json(&explanation.steps);
            item
        };
        output::json(&json!({ "on": on.to_string(), "items": priced.iter().map(item).collect::<Vec<_>>() }));
        return Ok(());
    }
    let mut text = String::new();
    for (variant, explanation) in &priced {
        text.push_str(&format!(
            "{}, {}, {}\n{}",
            variant.insurer().name,
            variant.product.name,
            variant.name,
            steps_in_prose(&explanation.steps)
        ));
        match &explanation.outcome {
            Ok(premium) => text.push_str(&format!(
                "  premium {} and {} tax, together {}\n\n",
                premium.base().grouped(),
                premium.gst().grouped(),
                premium.total().grouped()
            )),
            Err(why) => text.push_str(&format!("  no price. {why}\n\n")),
        }
    }
    output::data(text.trim_end());
    Ok(())
}
