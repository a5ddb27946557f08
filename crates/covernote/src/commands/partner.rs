//! `covernote partner`: partners with their permissions.

use domain::access::{Scope, Scopes};
use domain::partner::Partner as PartnerOf;
use serde_json::{Value, json};
use service::Service;
use service::partner::{Addresses, Credentials, NewPartner, PartnerChange, scopes_of};
use service::storage::{PartnerRecord, SecretRecord};

use super::{on_new_store, on_store};
use crate::address::{validate_origin, validate_return_url};
use crate::cli::{Partner, PartnerVerb, Rights, SecretVerb, TokensVerb};
use crate::failure::{Failure, Result};
use crate::output;

pub(super) fn run(Partner { verb, flags }: Partner) -> Result<()> {
    if matches!(verb, PartnerVerb::Create { .. }) {
        return on_new_store(&flags, async |service| act(&service, verb).await);
    }
    on_store(&flags, async |service| act(&service, verb).await)
}

async fn act(service: &Service, verb: PartnerVerb) -> Result<()> {
    match verb {
        PartnerVerb::Create {
            name,
            scopes,
            legacy_reads,
            attribution,
            origins,
            return_urls,
            tokens_per_hour,
            is_test,
            json,
        } => {
            let name = name.trim().to_owned();
            if name.is_empty() {
                return Err(Failure::BadData("a partner needs a name".into()));
            }
            let scopes = read_scopes(&scopes)?;
            validate_addresses(&origins, &return_urls)?;
            let new = NewPartner {
                name,
                scopes,
                legacy_reads,
                attribution,
                origins,
                return_urls,
                tokens_per_hour,
                is_test,
            };
            let added = service.partners.add(new).await?;
            show_credentials(&added, json);
            if !is_test {
                output::message(&format!(
                    "It earns commission once commission.toml of the catalogue has a section [[partner]] with its licence: partner = \"{}\".",
                    added.partner
                ));
            }
            Ok(())
        }
        PartnerVerb::List { json } => {
            list(&service.partners.all().await?, json);
            Ok(())
        }
        PartnerVerb::Show { partner, json } => {
            show(&service.partners.find(&partner).await?, json);
            Ok(())
        }
        PartnerVerb::Enable { partner } => {
            let change = PartnerChange { enabled: Some(true), ..PartnerChange::default() };
            report_change(&service.partners.change(&partner, &change).await?, "is enabled");
            Ok(())
        }
        PartnerVerb::Disable { partner } => {
            let change = PartnerChange { enabled: Some(false), ..PartnerChange::default() };
            report_change(
                &service.partners.change(&partner, &change).await?,
                "is disabled; running servers refuse its requests within 5 seconds, and its tokens for good",
            );
            Ok(())
        }
        PartnerVerb::Grant(rights) => {
            let change = change(&rights, true)?;
            report_change(
                &service.partners.change(&rights.partner, &change).await?,
                "has the granted permissions",
            );
            Ok(())
        }
        PartnerVerb::Revoke(rights) => revoke(service, &rights).await,
        PartnerVerb::Secret { verb: SecretVerb::Add { partner, json } } => {
            show_credentials(&service.partners.add_secret(&partner).await?, json);
            Ok(())
        }
        PartnerVerb::Secret { verb: SecretVerb::Revoke { partner, number, now } } => {
            service.partners.revoke_secret(&partner, number, now).await?;
            let tokens = if now {
                "running servers refuse its tokens within 5 seconds"
            } else {
                "its tokens stay valid until they expire; --now ends them"
            };
            output::message(&format!("secret {number} is revoked; {tokens}"));
            Ok(())
        }
        PartnerVerb::Tokens { verb: TokensVerb::Revoke { partner } } => {
            let change = PartnerChange { end_tokens: true, ..PartnerChange::default() };
            report_change(
                &service.partners.change(&partner, &change).await?,
                "has no valid token; running servers refuse the ones that were issued within 5 seconds",
            );
            Ok(())
        }
    }
}

/// Takes permissions and addresses from a partner. Every address that it does not have is named, and nothing is changed.
async fn revoke(service: &Service, rights: &Rights) -> Result<()> {
    let change = change(rights, false)?;
    if change.revoke.holds(Scope::BusinessSession) {
        return Err(Failure::BadData(
            "every partner has business.session; disable the partner instead".into(),
        ));
    }
    let before = service.partners.find(&rights.partner).await?.partner;
    let unknown = |flag: &'static str, known: &[String], named: &[String]| {
        let missing: Vec<&String> = named.iter().filter(|address| !known.contains(address)).collect();
        missing
            .into_iter()
            .map(|address| format!("{flag} {address}: the partner has no such address"))
            .collect::<Vec<_>>()
    };
    let mut faults = unknown("--origin", &before.origins, &change.remove.origins);
    faults.extend(unknown("--return-url", &before.return_urls, &change.remove.return_urls));
    if !faults.is_empty() {
        return Err(Failure::BadData(faults.join("\n")));
    }
    let partner = service.partners.change(&rights.partner, &change).await?;
    report_change(&partner, "no longer has the revoked permissions");
    for scope in change.revoke.iter().filter(|scope| partner.allowed().grants(*scope)) {
        output::message(&format!("but it still has {scope} through {}", partner.allowed()));
    }
    Ok(())
}

fn read_scopes(words: &[String]) -> Result<Scopes> {
    let words = words.iter().map(String::as_str);
    scopes_of(words).map_err(|word| {
        let known: Vec<&str> = domain::access::Scope::ALL.iter().map(|scope| scope.word()).collect();
        Failure::BadData(format!("{word} is not a scope; the scopes are {}", known.join(", ")))
    })
}

/// Refuses every invalid address.
fn validate_addresses(origins: &[String], return_urls: &[String]) -> Result<()> {
    let fault = |flag: &str, text: &String, validate: fn(&str) -> Result<(), String>| {
        validate(text).err().map(|why| format!("{flag} {text}: {why}"))
    };
    let origins = origins.iter().filter_map(|text| fault("--origin", text, validate_origin));
    let return_urls = return_urls.iter().filter_map(|text| fault("--return-url", text, validate_return_url));
    let faults: Vec<String> = origins.chain(return_urls).collect();
    if faults.is_empty() { Ok(()) } else { Err(Failure::BadData(faults.join("\n"))) }
}

fn change(rights: &Rights, grant: bool) -> Result<PartnerChange> {
    let scopes = read_scopes(&rights.scopes)?;
    let Rights { origins, return_urls, .. } = rights;
    let nothing = scopes == Scopes::NONE && origins.is_empty() && return_urls.is_empty();
    if nothing && !rights.legacy_reads && !rights.attribution {
        return Err(Failure::BadData(
            "nothing to change: give --scope, --legacy-reads, --attribution, --origin or --return-url".into(),
        ));
    }
    if grant {
        validate_addresses(origins, return_urls)?;
    }
    let (granted, revoked) = if grant { (scopes, Scopes::NONE) } else { (Scopes::NONE, scopes) };
    let addresses = Addresses { origins: origins.clone(), return_urls: return_urls.clone() };
    let none = Addresses::default();
    let (add, remove) = if grant { (addresses, none) } else { (none, addresses) };
    Ok(PartnerChange {
        grant: granted,
        revoke: revoked,
        add,
        remove,
        legacy_reads: rights.legacy_reads.then_some(grant),
        attribution: rights.attribution.then_some(grant),
        ..PartnerChange::default()
    })
}

fn report_change(partner: &PartnerOf, what: &str) {
    output::message(&format!("{} ({}) {what}", partner.id, partner.name));
}

fn show_credentials(credentials: &Credentials, as_json: bool) {
    let Credentials { partner, client_id, number, client_secret } = credentials;
    if as_json {
        output::json(&json!({
            "partner_id": partner.to_string(), "client_id": client_id, "client_secret": client_secret, "secret_number": number,
        }));
    } else {
        output::data(&format!(
            "partner_id     {partner}\nclient_id      {client_id}\nclient_secret  {client_secret}"
        ));
    }
    output::message("The secret is shown only now; the store has only its hash.");
}

fn list(records: &[PartnerRecord], as_json: bool) {
    if as_json {
        output::json(&json!({ "partners": records.iter().map(to_json).collect::<Vec<_>>() }));
        return;
    }
    let row = |record: &PartnerRecord| {
        let partner = &record.partner;
        let state = if partner.enabled { "enabled" } else { "disabled" };
        let mode = if partner.is_test() { "test" } else { "live" };
        vec![
            partner.id.to_string(),
            partner.client_id.clone(),
            partner.name.clone(),
            mode.into(),
            state.into(),
            partner.allowed().to_string(),
        ]
    };
    output::table(
        &["partner_id", "client_id", "name", "mode", "state", "scopes"],
        records.iter().map(row).collect(),
    );
}

fn show(record: &PartnerRecord, as_json: bool) {
    if as_json {
        output::json(&to_json(record));
        return;
    }
    let PartnerRecord { partner, secrets } = record;
    let yes = |flag: bool| if flag { "yes" } else { "no" };
    let mut lines = vec![
        format!("partner_id       {}", partner.id),
        format!("client_id        {}", partner.client_id),
        format!("name             {}", partner.name),
        format!("mode             {}", mode_of(partner)),
        format!("enabled          {}", yes(partner.enabled)),
        format!("scopes           {}", partner.allowed()),
        format!("legacy reads     {}", yes(partner.legacy_reads)),
        format!("attribution      {}", yes(partner.attribution)),
        format!("tokens an hour   {}", partner.tokens_per_hour),
        format!("origins          {}", partner.origins.join(" ")),
        format!("return addresses {}", partner.return_urls.join(" ")),
        format!("created          {}", partner.created_at),
    ];
    let state =
        |secret: &SecretRecord| secret.revoked_at.map_or_else(|| "live".into(), |at| format!("revoked {at}"));
    lines.extend(
        secrets.iter().map(|secret| {
            format!("secret {:<10}{}, added {}", secret.number, state(secret), secret.added_at)
        }),
    );
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    output::data(&lines.join("\n"));
}

/// Whether it is a test partner, and how far its clock is ahead.
fn mode_of(partner: &PartnerOf) -> String {
    match partner.sandbox {
        None => "live".to_owned(),
        Some(sandbox) => format!("test, its clock {} seconds ahead", sandbox.ahead.as_secs()),
    }
}

fn to_json(PartnerRecord { partner, secrets }: &PartnerRecord) -> Value {
    let secret = |secret: &SecretRecord| json!({ "number": secret.number, "added_at": secret.added_at.to_string(), "revoked_at": secret.revoked_at.map(|at| at.to_string()) });
    json!({
        "partner_id": partner.id.to_string(),
        "client_id": partner.client_id,
        "name": partner.name,
        "mode": if partner.is_test() { "test" } else { "live" },
        "enabled": partner.enabled,
        "scopes": partner.allowed().iter().map(|scope| scope.word()).collect::<Vec<_>>(),
        "legacy_reads": partner.legacy_reads,
        "attribution": partner.attribution,
        "origins": partner.origins,
        "return_urls": partner.return_urls,
        "tokens_per_hour": partner.tokens_per_hour,
        "created_at": partner.created_at.to_string(),
        "secrets": secrets.iter().map(secret).collect::<Vec<_>>(),
    })
}
