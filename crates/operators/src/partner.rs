//! Partners with their permissions, secrets and tokens.

use clap::Args;
use domain::access::{Scope, Scopes};
use domain::partner::Partner;
use domain::person::PersonalLine;
use domain::text::is_one_line;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::partner::{Addresses, Credentials, NewPartner, PartnerChange, scopes_of};
use service::storage::{PartnerRecord, SecretRecord};
use utoipa::ToSchema;

use crate::act::{About, Act, Needed, Needs, On, Result, Role, get, post, verbs};
use crate::address::{validate_origin, validate_return_url};
use crate::answer::Answer;
use crate::arguments::{bad, read};

/// Most characters of a partner's name.
const LONGEST_NAME: usize = 200;

/// Roles that may read partners.
const READERS: &[Role] = &[Role::Read, Role::Support, Role::Accounts, Role::Catalogue, Role::Compliance];

verbs! {
    /// Verbs of `covernote partner`
    PartnerVerb {
        Create(CreatePartner),
        List(ListPartners),
        Show(ShowPartner),
        Change(ChangePartner),
        Enable(EnablePartner),
        Disable(DisablePartner),
        Grant(GrantRights),
        Revoke(RevokeRights),
    }
    nouns {
        /// Manage the secrets of a partner; a partner can have two valid secrets at once
        Secret(SecretVerb),
        /// Manage the tokens of a partner
        Tokens(TokensVerb),
    }
}

verbs! {
    /// Verbs of `covernote partner secret`
    SecretVerb {
        Add(AddSecret),
        Revoke(RevokeSecret),
    }
}

verbs! {
    /// Verbs of `covernote partner tokens`
    TokensVerb {
        Revoke(RevokeTokens),
    }
}

/// Add a partner; the output shows its secret once
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreatePartner {
    /// Name of the partner, as its customers know it
    name: String,
    /// Scope to enable, in addition to business.session, which all partners have; may be repeated
    #[arg(long = "scope", value_name = "SCOPE")]
    #[serde(default)]
    scopes: Vec<String>,
    /// Let the partner call the deprecated read endpoints
    #[arg(long)]
    #[serde(default)]
    legacy_reads: bool,
    /// Let the partner attribute its quotes to other partners and enterprises
    #[arg(long)]
    #[serde(default)]
    attribution: bool,
    /// Origin of web pages that may show the hosted journey in a frame, such as https://app.example; may be
    /// repeated
    #[arg(long = "origin", value_name = "URL")]
    #[serde(default)]
    origins: Vec<String>,
    /// Address to which the hosted journey may redirect a customer; may be repeated
    #[arg(long = "return-url", value_name = "URL")]
    #[serde(default)]
    return_urls: Vec<String>,
    /// Most tokens that the partner gets in any 60 minutes
    #[arg(long, value_name = "N", default_value_t = domain::partner::TOKENS_PER_HOUR, value_parser = clap::value_parser!(u32).range(1..))]
    #[serde(default = "tokens_per_hour")]
    tokens_per_hour: u32,
    /// Make the partner a test partner: it has a sandbox, nothing reaches an insurer, and nobody is insured
    #[arg(long = "test")]
    #[serde(default)]
    is_test: bool,
}

const fn tokens_per_hour() -> u32 {
    domain::partner::TOKENS_PER_HOUR
}

impl Act for CreatePartner {
    const ABOUT: About = post("partner.create", "/partners", &[]).needs(Needs::Nothing).giving_secret();

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        Ok(on.is_operator().then(|| Needed::new(format!("a new partner: {}", self.name.trim()))))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        let name = read_name(&self.name)?;
        let scopes = read_scopes(&self.scopes)?;
        validate_addresses(&self.origins, &self.return_urls)?;
        let new = NewPartner {
            name,
            scopes,
            legacy_reads: self.legacy_reads,
            attribution: self.attribution,
            origins: self.origins,
            return_urls: self.return_urls,
            tokens_per_hour: self.tokens_per_hour,
            is_test: self.is_test,
        };
        let added = on.service.partners.add(new).await?;
        let mut answer = show_credentials(&added);
        if !self.is_test {
            answer.message(format!(
                "To earn commission, the partner needs a section [[partner]] with its licence in the catalogue's commission.toml: partner = \"{}\".",
                added.partner
            ));
        }
        Ok(answer)
    }
}

/// List the partners
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListPartners {}

impl Act for ListPartners {
    const ABOUT: About = get("partner.list", "/partners", READERS).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        Ok(list(&on.service.partners.all().await?))
    }
}

/// Show a partner, by partner_id or client_id
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowPartner {
    /// partner_id or client_id
    partner: String,
}

impl Act for ShowPartner {
    const ABOUT: About = get("partner.show", "/partners/{partner}", READERS).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let found = on.service.partners.find(&self.partner).await?;
        let contacts = found.partner.contacts.as_ref().map(PersonalLine::reveal);
        let mut answer = show(&found);
        answer.json["contacts"] = contacts.into();
        if let Some(contacts) = contacts {
            answer.data(format!("contacts         {contacts}"));
        }
        Ok(answer)
    }
}

fn read_name(text: &str) -> Result<String> {
    let name = text.trim().to_owned();
    if name.is_empty() {
        return Err(bad("the name must not be blank"));
    }
    if !is_one_line(&name) || name.chars().count() > LONGEST_NAME {
        return Err(bad(format!("the name must be one line of at most {LONGEST_NAME} characters")));
    }
    Ok(name)
}

/// Change the name or the contacts of a partner, or how many tokens it gets
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangePartner {
    /// partner_id or client_id
    partner: String,
    /// Name from now on, as the partner's customers know it
    #[arg(long)]
    name: Option<String>,
    /// Most tokens that the partner gets in any 60 minutes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    tokens_per_hour: Option<u32>,
    /// Whom you call or write to, on one line, such as a name with a number and an address
    #[arg(long, value_name = "TEXT")]
    contacts: Option<String>,
}

impl Act for ChangePartner {
    const ABOUT: About = post("partner.change", "/partners/{partner}/change", &[]).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        if self.name.is_none() && self.tokens_per_hour.is_none() && self.contacts.is_none() {
            return Err(bad("Give at least one of --name, --tokens-per-hour, --contacts."));
        }
        if self.tokens_per_hour == Some(0) {
            return Err(bad("tokens_per_hour: must be at least 1"));
        }
        let change = PartnerChange {
            name: self.name.as_deref().map(read_name).transpose()?,
            tokens_per_hour: self.tokens_per_hour,
            contacts: self.contacts.as_deref().map(|text| read("--contacts", text)).transpose()?,
            ..PartnerChange::default()
        };
        let partner = on.service.partners.change(&self.partner, &change).await?;
        let what = format!("is now {}, and gets {} tokens per hour", partner.name, partner.tokens_per_hour);
        Ok(changed(&partner, &what))
    }
}

/// Enable a disabled partner
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EnablePartner {
    /// partner_id or client_id
    partner: String,
}

impl Act for EnablePartner {
    const ABOUT: About = post("partner.enable", "/partners/{partner}/enabling", &[]).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let change = PartnerChange { enabled: Some(true), ..PartnerChange::default() };
        Ok(changed(&on.service.partners.change(&self.partner, &change).await?, "is enabled"))
    }
}

/// Disable a partner: servers refuse its tokens and credentials
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DisablePartner {
    /// partner_id or client_id
    partner: String,
}

impl Act for DisablePartner {
    const ABOUT: About =
        post("partner.disable", "/partners/{partner}/disabling", &[]).irreversible().needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let change = PartnerChange { enabled: Some(false), ..PartnerChange::default() };
        Ok(changed(
            &on.service.partners.change(&self.partner, &change).await?,
            "is disabled; running servers refuse its requests within 5 seconds, and its current tokens stay refused if you enable it again",
        ))
    }
}

/// Enable scopes, permissions or addresses for a partner
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct GrantRights {
    /// Rights to grant
    #[command(flatten)]
    #[serde(flatten)]
    rights: Rights,
}

impl Act for GrantRights {
    const ABOUT: About = post("partner.grant", "/partners/{partner}/grants", &[]).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let change = change(&self.rights, true)?;
        let partner = on.service.partners.change(&self.rights.partner, &change).await?;
        Ok(changed(&partner, "has the granted permissions"))
    }
}

/// Take scopes, permissions or addresses from a partner
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub struct RevokeRights {
    /// Rights to revoke
    #[command(flatten)]
    #[serde(flatten)]
    rights: Rights,
}

impl Act for RevokeRights {
    const ABOUT: About = post("partner.revoke", "/partners/{partner}/revocations", &[]).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let rights = &self.rights;
        let change = change(rights, false)?;
        if change.revoke.holds(Scope::BusinessSession) {
            return Err(bad("every partner has business.session; disable the partner instead"));
        }
        let before = on.service.partners.find(&rights.partner).await?.partner;
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
            return Err(bad(faults.join("\n")));
        }
        let partner = on.service.partners.change(&rights.partner, &change).await?;
        let mut answer = changed(&partner, "no longer has the revoked permissions");
        for scope in change.revoke.iter().filter(|scope| partner.allowed().grants(*scope)) {
            answer.message(format!(
                "the partner still has {scope} through its other scopes: {}",
                partner.allowed()
            ));
        }
        Ok(answer)
    }
}

/// Rights of a partner that a command grants or revokes
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
pub(crate) struct Rights {
    /// partner_id or client_id
    partner: String,
    /// Scope to grant or revoke; may be repeated
    #[arg(long = "scope", value_name = "SCOPE")]
    #[serde(default)]
    scopes: Vec<String>,
    /// Grant or revoke calls of the deprecated read endpoints
    #[arg(long)]
    #[serde(default)]
    legacy_reads: bool,
    /// Grant or revoke the attribution of quotes to other partners and enterprises
    #[arg(long)]
    #[serde(default)]
    attribution: bool,
    /// Origin of web pages that may show the hosted journey in a frame, such as https://app.example; may be
    /// repeated
    #[arg(long = "origin", value_name = "URL")]
    #[serde(default)]
    origins: Vec<String>,
    /// Address to which the hosted journey may redirect a customer; may be repeated
    #[arg(long = "return-url", value_name = "URL")]
    #[serde(default)]
    return_urls: Vec<String>,
}

/// Add a second secret; the output shows it once
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddSecret {
    /// partner_id or client_id
    partner: String,
}

impl Act for AddSecret {
    const ABOUT: About =
        post("partner.secret.add", "/partners/{partner}/secrets", &[]).needs(Needs::Store).giving_secret();

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let what = format!("a second secret of the partner {}", self.partner);
        Ok(on.is_operator().then(|| Needed::new(what)))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        Ok(show_credentials(&on.service.partners.add_secret(&self.partner).await?))
    }
}

/// Revoke a secret; tokens that were issued for it stay valid until they expire
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RevokeSecret {
    /// partner_id or client_id
    partner: String,
    /// Number of the secret, as 'partner show' lists it
    number: u32,
    /// Also end the tokens that were issued for the secret; servers refuse them within 5 seconds
    #[arg(long)]
    #[serde(default)]
    now: bool,
}

impl Act for RevokeSecret {
    const ABOUT: About = post("partner.secret.revoke", "/partners/{partner}/secret-revocations", &[])
        .irreversible()
        .needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let RevokeSecret { partner, number, now } = self;
        on.service.partners.revoke_secret(&partner, number, now).await?;
        let tokens = if now {
            "running servers refuse its tokens within 5 seconds"
        } else {
            "its tokens stay valid until they expire; --now ends them"
        };
        let json = json!({ "partner": partner, "number": number, "tokens_ended": now });
        Ok(Answer::of(json).saying(format!("secret {number} is revoked; {tokens}")))
    }
}

/// End all tokens of a partner; servers refuse them within 5 seconds
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RevokeTokens {
    /// partner_id or client_id
    partner: String,
}

impl Act for RevokeTokens {
    const ABOUT: About =
        post("partner.tokens.revoke", "/partners/{partner}/token-revocations", &[Role::Support])
            .needs(Needs::Store)
            .irreversible();

    async fn run(self, on: &On) -> Result<Answer> {
        let change = PartnerChange { end_tokens: true, ..PartnerChange::default() };
        Ok(changed(
            &on.service.partners.change(&self.partner, &change).await?,
            "has no valid tokens; within 5 seconds, running servers refuse those that were issued",
        ))
    }
}

fn read_scopes(words: &[String]) -> Result<Scopes> {
    let words = words.iter().map(String::as_str);
    scopes_of(words).map_err(|word| {
        let known: Vec<&str> = domain::access::Scope::ALL.iter().map(|scope| scope.word()).collect();
        bad(format!("{word} is not a scope; the scopes are {}", known.join(", ")))
    })
}

/// Checks all addresses of a partner. The error lists every invalid address.
fn validate_addresses(origins: &[String], return_urls: &[String]) -> Result<()> {
    let fault = |flag: &str, text: &String, validate: fn(&str) -> Result<(), String>| {
        validate(text).err().map(|why| format!("{flag} {text}: {why}"))
    };
    let origins = origins.iter().filter_map(|text| fault("--origin", text, validate_origin));
    let return_urls = return_urls.iter().filter_map(|text| fault("--return-url", text, validate_return_url));
    let faults: Vec<String> = origins.chain(return_urls).collect();
    if faults.is_empty() { Ok(()) } else { Err(bad(faults.join("\n"))) }
}

fn change(rights: &Rights, grant: bool) -> Result<PartnerChange> {
    let scopes = read_scopes(&rights.scopes)?;
    let Rights { origins, return_urls, .. } = rights;
    let nothing = scopes == Scopes::NONE && origins.is_empty() && return_urls.is_empty();
    if nothing && !rights.legacy_reads && !rights.attribution {
        return Err(bad(
            "nothing to change: give --scope, --legacy-reads, --attribution, --origin or --return-url",
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

fn changed(partner: &Partner, what: &str) -> Answer {
    let json =
        json!({ "partner_id": partner.id.to_string(), "enabled": partner.enabled, "scopes": words(partner) });
    Answer::of(json).saying(format!("{} ({}) {what}", partner.id, partner.name))
}

fn words(partner: &Partner) -> Vec<&'static str> {
    partner.allowed().iter().map(|scope| scope.word()).collect()
}

fn show_credentials(credentials: &Credentials) -> Answer {
    let Credentials { partner, client_id, number, client_secret } = credentials;
    let mut answer = Answer::of(json!({
        "partner_id": partner.to_string(), "client_id": client_id, "client_secret": client_secret, "secret_number": number,
    }));
    answer.data(format!(
        "partner_id     {partner}\nclient_id      {client_id}\nclient_secret  {client_secret}"
    ));
    answer.saying("The secret is shown only now; the store has only its hash.")
}

fn list(records: &[PartnerRecord]) -> Answer {
    let json = json!({ "partners": records.iter().map(to_json).collect::<Vec<_>>() });
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
    Answer::of(json)
        .table(&["partner_id", "client_id", "name", "mode", "state", "scopes"], records.iter().map(row))
}

fn show(record: &PartnerRecord) -> Answer {
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
    let mut answer = Answer::of(to_json(record));
    lines.iter().for_each(|line| answer.data(line.trim_end()));
    answer
}

/// Mode of a partner in words: live or test. For a test partner, also how far its clock is ahead.
fn mode_of(partner: &Partner) -> String {
    match partner.sandbox {
        None => "live".to_owned(),
        Some(sandbox) => format!("test, the partner's clock is {} seconds ahead", sandbox.ahead.as_secs()),
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
        "scopes": words(partner),
        "legacy_reads": partner.legacy_reads,
        "attribution": partner.attribution,
        "origins": partner.origins,
        "return_urls": partner.return_urls,
        "tokens_per_hour": partner.tokens_per_hour,
        "created_at": partner.created_at.to_string(),
        "secrets": secrets.iter().map(secret).collect::<Vec<_>>(),
    })
}
