//! Partners with their permissions, secrets and tokens.
//!
//! Uses `act`.

pub(crate) mod address;
pub(crate) mod refusal;
pub(crate) mod webhook;

use domain::access::{Scope, Scopes};
use domain::date::Timestamp;
use domain::id::PartnerId;
use domain::partner::Partner;
use domain::person::PersonalLine;
use domain::text::{FromText, is_one_line};
use service::partner::{Addresses, Credentials, NewPartner, PartnerChange};
use service::storage::{PartnerRecord, SecretRecord};
use service::{Error, Fault, Faults};
use web::sight::{Masked, Sight};

use crate::act::answer::Done;
use crate::act::arguments::{bad, fault};
use crate::act::fields::PartnerName;
use crate::act::input::{input, texts};
use crate::act::shown::{answer, words};
use crate::act::{About, Act, Allowed, Needed, Needs, On, Result, Role, get, post};
use crate::partner::address::{validate_origin, validate_return_url};

/// Most characters of a partner's name.
const LONGEST_NAME: usize = 200;

/// Roles that may read partners.
const READERS: &[Role] = &[Role::Read, Role::Support, Role::Accounts, Role::Catalogue, Role::Compliance];

input! {
    /// Add a partner; the output shows its secret once
    struct CreatePartner {
        /// Name of the partner, as its customers know it
        #[flag(is_positional = true)]
        name: LegalName,
        /// Scope to enable, in addition to business.session, which all partners have; may be repeated
        #[flag(long = "scope", value = "SCOPE")]
        scopes: Vec<Scope>,
        /// Let the partner call the deprecated read endpoints
        legacy_reads: bool,
        /// Let the partner attribute its quotes to other partners and enterprises
        attribution: bool,
        /// Most tokens that the partner gets in any 60 minutes
        #[flag(range = (1, i64::MAX))]
        tokens_per_hour: u32 = domain::partner::TOKENS_PER_HOUR,
        /// Make the partner a test partner: it has a sandbox; its sales reach no insurer and insure no person
        #[flag(long = "test")]
        is_test: bool,
    } with {
        addresses: JourneyAddresses,
    }
}

input! {
    /// Addresses of a partner for the hosted journey
    struct JourneyAddresses {
        /// Origin of web pages that may show the hosted journey in a frame, such as https://app.example; may be
        /// repeated
        #[flag(long = "origin", value = "URL")]
        origins: Vec<String>,
        /// Address to which the hosted journey may redirect a customer; may be repeated
        #[flag(long = "return-url", value = "URL")]
        return_urls: Vec<String>,
    }
}

impl Act for CreatePartner {
    const ABOUT: About = post("partner.create", "/partners", &[]).needs(Needs::Nothing).giving_secret();

    type Answer = Done<PartnerSecret>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        Ok(on.is_operator().then(|| Needed::new(format!("a new partner: {}", self.name.0))))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        self.addresses.validate()?;
        let new = NewPartner {
            name: self.name.0,
            scopes: scopes(&self.scopes),
            legacy_reads: self.legacy_reads,
            attribution: self.attribution,
            origins: self.addresses.origins,
            return_urls: self.addresses.return_urls,
            tokens_per_hour: self.tokens_per_hour,
            is_test: self.is_test,
        };
        let added = on.service.partners.add(new).await?;
        let note = format!(
            "To earn commission, the partner needs a section [[partner]] with its licence in the catalogue's commission.toml: partner = \"{}\".",
            added.partner
        );
        let done = show_credentials(added);
        Ok(if self.is_test { done } else { done.saying(note) })
    }
}

input! {
    /// List the partners
    struct ListPartners {}
}

impl Act for ListPartners {
    const ABOUT: About = get("partner.list", "/partners", READERS).needs(Needs::Store);

    type Answer = Done<Partners>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let all = on.service.partners.all().await?;
        Ok(Done::of(Partners { partners: all.iter().map(PartnerShown::of).collect() }))
    }
}

input! {
    /// Show a partner, by partner_id or client_id
    struct ShowPartner {
        /// partner_id or client_id
        partner: PartnerName,
    }
}

impl Act for ShowPartner {
    const ABOUT: About = get("partner.show", "/partners/{partner}", READERS).needs(Needs::Store);

    type Answer = Done<PartnerInFull>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let found = on.service.partners.find(&self.partner.0).await?;
        // Everybody who may read a partner may read whom to call.
        let sight = Sight::Revealed(&["contacts"]);
        let contacts = found.partner.contacts.as_ref().map(|contacts| sight.text("contacts", contacts));
        Ok(Done::of(PartnerInFull { contacts, partner: PartnerShown::of(&found) }))
    }
}

/// Name of a partner: one line.
pub(crate) struct LegalName(String);

impl FromText for LegalName {
    const WANTED: &'static str = "one line of at most 200 characters";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        match is_one_line(text) && text.chars().count() <= LONGEST_NAME {
            true => Ok(LegalName(text.to_owned())),
            false => Err("another text"),
        }
    }
}

texts!(LegalName, Scope);
words!(Scope);

input! {
    /// Change the name or the contacts of a partner, or how many tokens it gets
    struct ChangePartner {
        /// partner_id or client_id
        partner: PartnerName,
        /// Name from now on, as the partner's customers know it
        name: Option<LegalName>,
        /// Most tokens that the partner gets in any 60 minutes
        #[flag(range = (1, i64::MAX))]
        tokens_per_hour: Option<u32>,
        /// Whom you call or write to, on one line, such as a name with a number and an address
        #[flag(value = "TEXT")]
        contacts: Option<PersonalLine>,
    }
}

impl Act for ChangePartner {
    const ABOUT: About = post("partner.change", "/partners/{partner}/change", &[]).needs(Needs::Store);

    type Answer = Done<PartnerChanged>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        if self.name.is_none() && self.tokens_per_hour.is_none() && self.contacts.is_none() {
            return Err(fault("name", "Give at least one of name, tokens_per_hour, contacts."));
        }
        let change = PartnerChange {
            name: self.name.map(|LegalName(name)| name),
            tokens_per_hour: self.tokens_per_hour,
            contacts: self.contacts,
            ..PartnerChange::default()
        };
        let partner = on.service.partners.change(&self.partner.0, &change).await?;
        let what = format!("is now {}, and gets {} tokens per hour", partner.name, partner.tokens_per_hour);
        Ok(changed(&partner, &what))
    }
}

input! {
    /// Enable a disabled partner
    struct EnablePartner {
        /// partner_id or client_id
        partner: PartnerName,
    }
}

impl Act for EnablePartner {
    const ABOUT: About = post("partner.enable", "/partners/{partner}/enabling", &[]).needs(Needs::Store);

    type Answer = Done<PartnerChanged>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        Ok(Allowed::if_so(!on.service.partners.find(record).await?.partner.enabled))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let change = PartnerChange { enabled: Some(true), ..PartnerChange::default() };
        Ok(changed(&on.service.partners.change(&self.partner.0, &change).await?, "is enabled"))
    }
}

input! {
    /// Disable a partner: servers refuse its tokens and credentials
    struct DisablePartner {
        /// partner_id or client_id
        partner: PartnerName,
    }
}

impl Act for DisablePartner {
    const ABOUT: About =
        post("partner.disable", "/partners/{partner}/disabling", &[]).irreversible().needs(Needs::Store);

    type Answer = Done<PartnerChanged>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        Ok(Allowed::if_so(on.service.partners.find(record).await?.partner.enabled))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let change = PartnerChange { enabled: Some(false), ..PartnerChange::default() };
        Ok(changed(
            &on.service.partners.change(&self.partner.0, &change).await?,
            "is disabled; running servers refuse its requests within 5 seconds, and its current tokens stay refused if you enable it again",
        ))
    }
}

input! {
    /// Enable scopes, permissions or addresses for a partner
    struct GrantRights {} with {
        rights: Rights,
    }
}

impl Act for GrantRights {
    const ABOUT: About = post("partner.grant", "/partners/{partner}/grants", &[]).needs(Needs::Store);

    type Answer = Done<PartnerChanged>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let change = change(&self.rights, true)?;
        let partner = on.service.partners.change(&self.rights.partner.0, &change).await?;
        Ok(changed(&partner, "has the granted permissions"))
    }
}

input! {
    /// Take scopes, permissions or addresses from a partner
    struct RevokeRights {} with {
        rights: Rights,
    }
}

impl Act for RevokeRights {
    const ABOUT: About = post("partner.revoke", "/partners/{partner}/revocations", &[]).needs(Needs::Store);

    type Answer = Done<PartnerChanged>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let rights = &self.rights;
        let change = change(rights, false)?;
        if change.revoke.holds(Scope::BusinessSession) {
            return Err(bad("every partner has business.session; disable the partner instead"));
        }
        let before = on.service.partners.find(&rights.partner.0).await?.partner;
        let known = |known: &[String], address: &str| match known.iter().any(|one| one == address) {
            true => Ok(()),
            false => Err("The partner does not have this address.".to_owned()),
        };
        rights.addresses.each_must(
            |origin| known(&before.origins, origin),
            |return_url| known(&before.return_urls, return_url),
        )?;
        let partner = on.service.partners.change(&rights.partner.0, &change).await?;
        let left = change.revoke.iter().filter(|scope| partner.allowed().grants(*scope));
        let note = |scope: Scope| {
            format!("the partner still has {scope} through its other scopes: {}", partner.allowed())
        };
        Ok(left.map(note).fold(changed(&partner, "no longer has the revoked permissions"), Done::saying))
    }
}

input! {
    /// Rights of a partner that a command grants or revokes
    struct Rights {
        /// partner_id or client_id
        partner: PartnerName,
        /// Scope to grant or revoke; may be repeated
        #[flag(long = "scope", value = "SCOPE")]
        scopes: Vec<Scope>,
        /// Grant or revoke calls of the deprecated read endpoints
        legacy_reads: bool,
        /// Grant or revoke the attribution of quotes to other partners and enterprises
        attribution: bool,
    } with {
        addresses: JourneyAddresses,
    }
}

input! {
    /// Add a second secret; the output shows it once
    struct AddSecret {
        /// partner_id or client_id
        partner: PartnerName,
    }
}

impl Act for AddSecret {
    const ABOUT: About =
        post("partner.secret.add", "/partners/{partner}/secrets", &[]).needs(Needs::Store).giving_secret();

    type Answer = Done<PartnerSecret>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let what = format!("a second secret of the partner {}", self.partner.0);
        Ok(on.is_operator().then(|| Needed::new(what)))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        Ok(show_credentials(on.service.partners.add_secret(&self.partner.0).await?))
    }
}

input! {
    /// Revoke a secret; tokens that were issued for it stay valid until they expire
    struct RevokeSecret {
        /// partner_id or client_id
        partner: PartnerName,
        /// Number of the secret, as 'partner show' lists it
        #[flag(is_positional = true)]
        number: u32,
        /// Also end the tokens that were issued for the secret; servers refuse them within 5 seconds
        now: bool,
    }
}

impl Act for RevokeSecret {
    const ABOUT: About = post("partner.secret.revoke", "/partners/{partner}/secret-revocations", &[])
        .irreversible()
        .needs(Needs::Store);

    type Answer = Done<SecretRevoked>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let RevokeSecret { partner: PartnerName(partner), number, now } = self;
        on.service.partners.revoke_secret(&partner, number, now).await?;
        let tokens = if now {
            "running servers refuse its tokens within 5 seconds"
        } else {
            "its tokens stay valid until they expire; --now ends them"
        };
        let note = format!("secret {number} is revoked; {tokens}");
        Ok(Done::of(SecretRevoked { partner, number, tokens_ended: now }).saying(note))
    }
}

input! {
    /// End all tokens of a partner; servers refuse them within 5 seconds
    struct RevokeTokens {
        /// partner_id or client_id
        partner: PartnerName,
    }
}

impl Act for RevokeTokens {
    const ABOUT: About =
        post("partner.tokens.revoke", "/partners/{partner}/token-revocations", &[Role::Support])
            .needs(Needs::Store)
            .irreversible();

    type Answer = Done<PartnerChanged>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let change = PartnerChange { end_tokens: true, ..PartnerChange::default() };
        Ok(changed(
            &on.service.partners.change(&self.partner.0, &change).await?,
            "has no valid tokens; within 5 seconds, running servers refuse those that were issued",
        ))
    }
}

fn scopes(all: &[Scope]) -> Scopes {
    all.iter().fold(Scopes::NONE, |set, scope| set.and(*scope))
}

impl JourneyAddresses {
    fn validate(&self) -> Result<()> {
        self.each_must(validate_origin, validate_return_url)
    }

    /// Checks each address. The error has a fault of each address that fails.
    fn each_must(
        &self,
        origin: impl Fn(&str) -> Result<(), String>,
        return_url: impl Fn(&str) -> Result<(), String>,
    ) -> Result<()> {
        let origins = self.origins.iter().map(|text| origin(text)).enumerate();
        let return_urls = self.return_urls.iter().map(|text| return_url(text)).enumerate();
        let all = origins.map(|one| ("origins", one)).chain(return_urls.map(|one| ("return_urls", one)));
        let faults: Vec<Fault> = all
            .filter_map(|(name, (at, checked))| {
                Some(Fault { field: format!("{name}[{at}]"), message: checked.err()? })
            })
            .collect();
        if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(Faults(faults)).into()) }
    }
}

fn change(rights: &Rights, grant: bool) -> Result<PartnerChange> {
    let scopes = scopes(&rights.scopes);
    let JourneyAddresses { origins, return_urls } = &rights.addresses;
    let nothing = scopes == Scopes::NONE && origins.is_empty() && return_urls.is_empty();
    if nothing && !rights.legacy_reads && !rights.attribution {
        return Err(fault(
            "scopes",
            "Give at least one of scopes, legacy_reads, attribution, origins, return_urls.",
        ));
    }
    if grant {
        rights.addresses.validate()?;
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

fn changed(partner: &Partner, what: &str) -> Done<PartnerChanged> {
    let note = format!("{} ({}) {what}", partner.id, partner.name);
    let scopes = partner.allowed().iter().collect();
    Done::of(PartnerChanged { partner_id: partner.id, enabled: partner.enabled, scopes }).saying(note)
}

fn show_credentials(credentials: Credentials) -> Done<PartnerSecret> {
    let Credentials { partner, client_id, number, client_secret } = credentials;
    let secret = PartnerSecret { partner_id: partner, client_id, client_secret, secret_number: number };
    Done::of(secret).saying("The secret is shown only now; the store has only its hash.")
}

answer! {
    /// The partners
    struct Partners {
        /// Partners
        #[shown(columns = ["partner_id", "client_id", "name", "mode", "enabled", "scopes"])]
        partners: Vec<PartnerShown>,
    }
}

answer! {
    /// A partner
    struct PartnerShown {
        /// Id of the partner
        partner_id: PartnerId,
        /// Name with which it gets tokens
        client_id: String,
        /// Name
        name: String,
        /// Mode: live or test
        mode: &'static str,
        /// Seconds by which the clock of a test partner is ahead
        clock_ahead_seconds: Option<u64>,
        /// Whether the partner is served
        enabled: bool,
        /// Scopes that its tokens can have
        scopes: Vec<Scope>,
        /// Whether it may call the deprecated read endpoints
        legacy_reads: bool,
        /// Whether it may attribute quotes to other partners and enterprises
        attribution: bool,
        /// Origins of pages that may show the hosted journey in a frame
        origins: Vec<String>,
        /// Addresses to which the hosted journey may redirect a customer
        #[shown(label = "return addresses")]
        return_urls: Vec<String>,
        /// Most tokens that it gets in any 60 minutes
        #[shown(label = "tokens an hour")]
        tokens_per_hour: u32,
        /// When it was added
        #[shown(label = "created")]
        created_at: Timestamp,
        /// Its secrets
        secrets: Vec<SecretShown>,
    }
}

answer! {
    /// A secret of a partner, without its text
    struct SecretShown {
        /// Number of the secret
        number: u32,
        /// When it was added
        #[shown(label = "added")]
        added_at: Timestamp,
        /// When it was revoked
        #[shown(label = "revoked")]
        revoked_at: Option<Timestamp>,
    }
}

impl PartnerShown {
    fn of(PartnerRecord { partner, secrets }: &PartnerRecord) -> Self {
        let secret = |secret: &SecretRecord| SecretShown {
            number: secret.number,
            added_at: secret.added_at,
            revoked_at: secret.revoked_at,
        };
        PartnerShown {
            partner_id: partner.id,
            client_id: partner.client_id.clone(),
            name: partner.name.clone(),
            mode: if partner.is_test() { "test" } else { "live" },
            clock_ahead_seconds: partner.sandbox.map(|sandbox| sandbox.ahead.as_secs()),
            enabled: partner.enabled,
            scopes: partner.allowed().iter().collect(),
            legacy_reads: partner.legacy_reads,
            attribution: partner.attribution,
            origins: partner.origins.clone(),
            return_urls: partner.return_urls.clone(),
            tokens_per_hour: partner.tokens_per_hour,
            created_at: partner.created_at,
            secrets: secrets.iter().map(secret).collect(),
        }
    }
}

answer! {
    /// A partner with its contacts
    struct PartnerInFull {
        /// Whom you call or write to
        contacts: Option<Masked>,
    } with {
        partner: PartnerShown,
    }
}

answer! {
    /// A changed partner
    struct PartnerChanged {
        /// Id of the partner
        partner_id: PartnerId,
        /// Whether the partner is served
        enabled: bool,
        /// Scopes that its tokens can have
        scopes: Vec<Scope>,
    }
}

answer! {
    /// A new secret of a partner
    struct PartnerSecret {
        /// Id of the partner
        #[shown(label = "partner_id")]
        partner_id: PartnerId,
        /// Name with which it gets tokens
        #[shown(label = "client_id")]
        client_id: String,
        /// Secret, which is shown only now
        #[shown(label = "client_secret")]
        client_secret: String,
        /// Number of the secret
        #[shown(hidden = true)]
        secret_number: u32,
    }
}

answer! {
    /// A revoked secret
    struct SecretRevoked {
        /// Partner as the request names it
        partner: String,
        /// Number of the secret
        number: u32,
        /// Whether its tokens ended, too
        tokens_ended: bool,
    }
}
