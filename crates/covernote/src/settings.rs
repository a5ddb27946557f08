//! Reads the settings: first from the flag, then the `COVERNOTE_*` variable, then `covernote.toml`, then the
//! default. The process does not start if a key is unknown; the error then names the most similar known key.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::cli::{FlagValues, Flags};
use crate::failure::{Failure, Result};
use storage::KeyringSource;
use webhooks::AddressRules;

/// Environment variable with the address of the server, if no flag names the server.
pub(crate) const SERVER: &str = "COVERNOTE_SERVER";

/// Environment variable with the path of a file that holds a token, such as the token of a machine.
pub(crate) const TOKEN_FILE: &str = "COVERNOTE_TOKEN_FILE";

/// One setting's name, default and meaning.
pub struct Setting {
    /// Name in the settings file. The environment variable is `COVERNOTE_` with this name in capitals.
    pub name: &'static str,
    /// Default of the setting as text. Empty: the value is derived, or the feature is off.
    pub default: &'static str,
    /// Meaning and unit of the setting, for the settings file.
    pub meaning: &'static str,
}

/// Declares each setting once: the struct, the list of known keys and the example file are generated from
/// this list.
macro_rules! settings {
    ($($(#[doc = $meaning:literal])+ $name:ident: $kind:ty = $default:literal;)*) => {
        /// The operator's settings, parsed and validated.
        #[derive(Debug, Clone)]
        pub struct Settings {
            $($(#[doc = $meaning])+ pub $name: $kind,)*
        }

        pub const SETTINGS: &[Setting] = &[$(Setting { name: stringify!($name), default: $default, meaning: concat!($($meaning),+) }),*];

        impl Settings {
            fn parse(raw: &RawSettings) -> Result<Self> {
                let mut faults = Vec::new();
                $(let $name = raw.value::<$kind>(stringify!($name), $default, &mut faults);)*
                if !faults.is_empty() {
                    return Err(Failure::Configuration(faults.join("\n")));
                }
                Ok(Settings { $($name: $name.expect("no faults: checked above"),)* })
            }

            /// Name of each setting, with its value as text.
            pub fn values(&self) -> Vec<(&'static str, String)> {
                vec![$((stringify!($name), self.$name.to_string()),)*]
            }
        }
    };
}

settings! {
    /// Address and port to listen on.
    listen: String = "127.0.0.1:8080";
    /// Data folder: it holds the database and the keyring.
    data: String = "./covernote-data";
    /// Database: sqlite (in the data folder), or the address of a PostgreSQL database, which several
    /// processes can share: postgres://user:password@host:5432/database.
    database: String = "sqlite";
    /// Most connections of this process to PostgreSQL, in addition to the two that write quotes.
    database_connections: usize = "16";
    /// Pooler between this process and PostgreSQL: none, or transaction for a pooler, such as PgBouncer, that
    /// may give each transaction another session.
    database_pooler: String = "none";
    /// Servers that answer reads of lists, events and stored quotes: primary, or standby. Standbys are the
    /// hosts in the database's address that follow the primary; the data that they return may be slightly out
    /// of date.
    database_reads: String = "primary";
    /// Whether to refuse or accept a PostgreSQL server that can lose acknowledged writes, because its fsync,
    /// full_page_writes or synchronous_commit is off.
    database_unsafe: String = "refuse";
    /// Id of the store; 'covernote doctor' prints this id. A process that finds no store, or a store with
    /// another id, does not start. Empty: the id in the file beside the keyring, if any.
    store_id: String = "";
    /// Catalogue folder. Empty: the built-in sample catalogue.
    catalogue: String = "";
    /// Which catalogue a server with a team of two or more starts with: approval for the last one that the team
    /// approved, or folder for the catalogue folder, if you review it elsewhere.
    catalogue_source: String = "approval";
    /// Address that partners call, without a slash at its end. Tokens and download addresses contain this
    /// address. Empty: the listening address, with https:// if tls_certificate is set, otherwise with
    /// http://.
    base_url: String = "";
    /// Address of the hosted journey (the pages where customers buy), without a slash at its end: https, or
    /// http on this machine. Empty: base_url.
    journey_url: String = "";
    /// Keyring, whose keys encrypt the store's keys: the path of a file, env:NAME for an environment
    /// variable, or command:COMMAND for a shell command that prints the keyring, such as a command of a
    /// secret store. Empty: the file keyring in the data folder.
    keyring: String = "";
    /// File about the company that runs this service and sells the insurance. Empty: operator.toml in the
    /// data folder. Without this file, the service serves this machine only.
    operator: String = "";
    /// Address and port of /metrics, on its own listener. Empty: off.
    metrics_listen: String = "";
    /// Address and port of the operators' console, and of the operators' API for other machines. Empty: off.
    console_listen: String = "";
    /// Address at which operators open the console, without a slash at its end: https, or http://localhost.
    /// Passkeys are bound to the host in this address. Empty: derived from console_listen.
    console_url: String = "";
    /// Issuer of the OpenID Connect identity provider with which operators may sign in: its https address,
    /// exactly as in its tokens. Empty: operators sign in with passkeys only.
    oidc_issuer: String = "";
    /// Client id of this installation at the identity provider. Its redirect URI is console_url followed by
    /// /provider/return.
    oidc_client_id: String = "";
    /// File with the client secret of this installation at the identity provider. Empty: no secret.
    oidc_client_secret: String = "";
    /// Amount in rupees above which a second operator must approve an act that moves money, if another operator
    /// can approve it. The first start stores it; later, change it with `covernote approval limit`.
    approval_above: u32 = "50000";
    /// How often an operator may see personal data or secrets, or search for a person, in an hour. More needs the
    /// approval of a second operator.
    reveals_per_hour: u32 = "60";
    /// Unix socket on which the process takes operators' commands from this machine. Empty: run/operator.sock
    /// in the data folder.
    operator_socket: String = "";
    /// Where to write the log of access (who did what): a folder, with a file for each day; stdout; or off.
    /// Empty: the folder audit in the data folder.
    audit: String = "";
    /// Minimum number of days to keep files of the log of access.
    audit_days: usize = "365";
    /// File for the signed heads (newest entries) of the audit trail, which show later whether entries were
    /// removed or changed. Put this file on another disk. Empty: audit-heads.jsonl in the data folder.
    audit_heads: String = "";
    /// Log format: auto (pretty on a terminal, JSON otherwise), pretty, json.
    log_format: String = "auto";
    /// Log level: error, warn, info, debug, trace, or target=level pairs separated by commas. The process
    /// reads this setting again at SIGHUP.
    log_level: String = "info";
    /// Address of the OpenTelemetry collector that receives traces over OTLP/HTTP, such as
    /// http://127.0.0.1:4318. Empty: no traces.
    otlp_endpoint: String = "";
    /// Percentage of requests and jobs to trace, from 0 to 100. The caller's traceparent, if any, decides
    /// instead.
    otlp_percent: u32 = "1";
    /// File with the value of the Authorization header for the collector, such as Bearer and a token. Empty:
    /// no header.
    otlp_authorization: String = "";
    /// Minimum number of days to keep credit-protection quotes. Proposals and policies stay complete without
    /// their quotes. 0: for ever.
    quotes_kept_days: u32 = "0";
    /// Days to keep health quotes, from their creation. 0: for ever.
    health_quotes_kept_days: u32 = "1095";
    /// Days to keep proposals without a policy, from their last change. Intermediaries must keep proposals
    /// for 10 years. 0: for ever.
    unsold_proposals_kept_days: u32 = "3653";
    /// Days to keep policies with their proposals, certificates, claims and documents of claims, from the
    /// policy's end or the last payment, whichever is later. Intermediaries must keep policies for 10 years.
    /// 0: for ever.
    policies_kept_days: u32 = "3653";
    /// Days to keep complaints, from their answer. 0: for ever.
    complaints_kept_days: u32 = "3653";
    /// File for the journal of erasures of personal data. A restored backup needs this file to repeat the
    /// erasures: keep it with the keyring. Empty: the path of the keyring's file followed by .erased, or
    /// erased in the data folder if the keyring is not a file.
    erasure_journal: String = "";
    /// Shell command that scans each document of a claim (paper), which it gets on its standard input, for
    /// viruses. Exit code 0: clean; 1: infected; any other: the scan failed. Empty: documents are not
    /// scanned.
    claim_scanner: String = "";
    /// Most claims on a policy.
    claims_per_policy: u32 = "20";
    /// Most claims that a partner may report per day.
    claims_per_day: u32 = "1000";
    /// Most documents (papers) of a claim.
    papers_per_claim: u32 = "40";
    /// Most documents of claims (papers) that a partner may upload per day.
    papers_per_day: u32 = "5000";
    /// Largest total size of a claim's documents (papers), in MiB. One document may have at most 10 MiB.
    paper_mib_per_claim: u32 = "40";
    /// Largest total size of the documents (papers) of all claims on a policy, in MiB.
    paper_mib_per_policy: u32 = "200";
    /// Largest total size of the documents of claims (papers) that a partner may upload per day, in MiB.
    paper_mib_per_day: u32 = "2000";
    /// Key in a proposal's context_data whose value is the partner's own reference for the sale. Proposals
    /// and policies can be listed and searched by this reference.
    reference_key: String = "loan_account_number";
    /// Longest wait for an insurer's answer to a quote request, in milliseconds. After this time, the
    /// insurer's items in the response have is_error.
    insurer_deadline_ms: u64 = "2000";
    /// Longest wait for an insurer's answer in a job, in milliseconds. A job prices a recommendation or
    /// submits a proposal. After this time, a recommendation leaves out the insurer's variants.
    recommendation_deadline_ms: u64 = "10000";
    /// Most recommendations that this process works on at once. The process also works on a quarter as many
    /// decisions of insurers. 0: the process runs no jobs; recommendations stay pending until a process with
    /// workers uses the store.
    workers: usize = "16";
    /// Folder of the secrets shared with insurers, one file each. Empty: insurer-secrets in the data folder.
    insurer_secrets: String = "";
    /// Longest wait for a request's headers, in milliseconds.
    header_deadline_ms: u64 = "10000";
    /// Longest wait for a request's body, in milliseconds.
    body_deadline_ms: u64 = "10000";
    /// Longest wait for the next request on an open connection, in milliseconds. A load balancer must close
    /// idle connections before this time.
    idle_deadline_ms: u64 = "75000";
    /// Longest time in which a client must read a response, in milliseconds.
    write_deadline_ms: u64 = "30000";
    /// Longest duration of a request, including the wait for its body, in milliseconds.
    request_deadline_ms: u64 = "30000";
    /// Most requests at once, shared among the partners that send them. A request above the limit gets status
    /// 503.
    requests: usize = "256";
    /// Most open connections. A connection above the limit gets answers from /livez and /readyz only.
    connections: usize = "8192";
    /// Most open connections of one IP address, or of one IPv6 /64 network. A connection above the limit gets
    /// answers from /livez and /readyz only.
    connections_per_address: usize = "2048";
    /// Addresses or networks of proxies in front of this service, separated by commas, such as 10.0.0.0/8.
    /// Their X-Forwarded-For header is trusted, and their connections are not limited by address.
    trusted_proxies: String = "";
    /// Private networks to which events may be delivered, separated by commas or as a list, such as
    /// ["127.0.0.1/32"]. Plain http is allowed only to these networks. Other addresses that are not public
    /// are refused, and metadata services of clouds are always refused.
    webhook_allow: String = "";
    /// File of the TLS certificate with its chain, in PEM. With tls_key, the service speaks TLS itself
    /// (HTTP/1.1 and HTTP/2). Both files are read again at SIGHUP and when they change. Empty: no TLS.
    tls_certificate: String = "";
    /// File of the private key of tls_certificate, in PEM.
    tls_key: String = "";
}

/// Most characters of this service's address, because it must fit into a certificate's QR code.
const LONGEST_ADDRESS: usize = 200;

/// Whether a text is an http or https address that browsers and partners can call: no spaces, query or
/// fragment.
fn is_address(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or_default();
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"?#\"<>\\".contains(&byte));
    plain && text.len() <= LONGEST_ADDRESS && !host.is_empty() && !host.starts_with(['/', ':'])
}

/// Unparsed values, each with its source.
#[derive(Default)]
struct RawSettings(BTreeMap<&'static str, (String, String)>);

impl RawSettings {
    /// Adds a value, unless an earlier source has set it. Sources are added from the strongest to the
    /// weakest.
    fn add(&mut self, name: &'static str, value: Option<String>, source: String) {
        if let Some(value) = value {
            self.0.entry(name).or_insert((value, source));
        }
    }

    fn value<T: FromStr>(
        &self,
        name: &'static str,
        default: &'static str,
        faults: &mut Vec<String>,
    ) -> Option<T> {
        let (text, source) =
            self.0.get(name).map_or((default, "the default"), |(text, source)| (text, source));
        let value = text.parse().ok();
        if value.is_none() {
            faults.push(format!("{source}: {name} must be a whole number; {text:?} is not"));
        }
        value
    }
}

fn known(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|known| known.name == name)
}

fn unknown(source: &str, name: &str) -> String {
    let nearest = SETTINGS
        .iter()
        .max_by(|a, b| strsim::jaro_winkler(a.name, name).total_cmp(&strsim::jaro_winkler(b.name, name)));
    let nearest = nearest.map_or_else(String::new, |nearest| format!("; did you mean {}?", nearest.name));
    format!("{source}: {name} is not a setting{nearest}")
}

impl Settings {
    /// Reads the settings from the common flags, a command's own flags, the environment and the file.
    ///
    /// # Errors
    /// [`Failure::Configuration`] with every unknown key and every value that cannot be parsed.
    pub fn read(
        flags: &Flags,
        own: FlagValues,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Self> {
        let mut raw = RawSettings::default();
        let mut faults = Vec::new();
        let flag = |name: &str| format!("--{}", name.replace('_', "-"));
        for (name, value) in flags.flag_values().into_iter().chain(own) {
            raw.add(name, value, flag(name));
        }
        for (variable, value) in environment {
            let Some(name) = variable.strip_prefix("COVERNOTE_") else { continue };
            match known(&name.to_lowercase()) {
                Some(known) => raw.add(known.name, Some(value), variable.clone()),
                None => faults.push(unknown(&variable, &name.to_lowercase())),
            }
        }
        if let Some((path, text)) = file(flags.config.as_deref())? {
            read_file(&path, &text, &mut raw, &mut faults)?;
        }
        if !faults.is_empty() {
            return Err(Failure::Configuration(faults.join("\n")));
        }
        let settings = Settings::parse(&raw)?;
        let faults = settings.faults();
        if faults.is_empty() { Ok(settings) } else { Err(Failure::Configuration(faults.join("\n"))) }
    }

    /// Faults of values that have the right type.
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (name, address) in [
            ("base_url", &self.base_url),
            ("journey_url", &self.journey_url),
            ("console_url", &self.console_url),
        ] {
            if !address.is_empty() && !is_address(address) {
                faults.push(format!(
                    "{name}: {address:?} is not an address such as https://cover.example with at most {LONGEST_ADDRESS} characters"
                ));
            }
        }
        let words = [
            ("database_pooler", &self.database_pooler, ["none", "transaction"]),
            ("database_reads", &self.database_reads, ["primary", "standby"]),
            ("database_unsafe", &self.database_unsafe, ["refuse", "accept"]),
            ("catalogue_source", &self.catalogue_source, ["approval", "folder"]),
        ];
        for (name, word, known) in words {
            if !known.contains(&word.as_str()) {
                faults.push(format!("{name}: {word:?} is neither {} nor {}", known[0], known[1]));
            }
        }
        if self.reference_key.trim().is_empty() {
            faults.push("reference_key: must not be empty".into());
        }
        if self.otlp_percent > 100 {
            faults.push(format!("otlp_percent: must be from 0 to 100; {} is not", self.otlp_percent));
        }
        let counts = [
            ("insurer_deadline_ms", self.insurer_deadline_ms),
            ("recommendation_deadline_ms", self.recommendation_deadline_ms),
            ("header_deadline_ms", self.header_deadline_ms),
            ("body_deadline_ms", self.body_deadline_ms),
            ("idle_deadline_ms", self.idle_deadline_ms),
            ("write_deadline_ms", self.write_deadline_ms),
            ("request_deadline_ms", self.request_deadline_ms),
            ("database_connections", self.database_connections as u64),
            ("claims_per_policy", self.claims_per_policy.into()),
            ("claims_per_day", self.claims_per_day.into()),
            ("papers_per_claim", self.papers_per_claim.into()),
            ("papers_per_day", self.papers_per_day.into()),
            ("paper_mib_per_claim", self.paper_mib_per_claim.into()),
            ("paper_mib_per_policy", self.paper_mib_per_policy.into()),
            ("paper_mib_per_day", self.paper_mib_per_day.into()),
            ("requests", self.requests as u64),
            ("connections", self.connections as u64),
            ("connections_per_address", self.connections_per_address as u64),
        ];
        if let Err(fault) = self.trusted_proxies.parse::<web::TrustedProxies>() {
            faults.push(format!("trusted_proxies: {fault}"));
        }
        if let Err(network) = self.webhook_rules() {
            faults.push(format!("webhook_allow: {network:?} is not a network such as 10.0.0.0/8"));
        }
        if self.tls_certificate.is_empty() != self.tls_key.is_empty() {
            faults.push("tls_certificate and tls_key belong together: set both or neither".to_owned());
        }
        let none = counts.iter().filter(|(_, count)| *count == 0);
        faults.extend(none.map(|(name, _)| format!("{name}: 0 would refuse everything; set at least 1")));
        faults
    }

    /// The `COVERNOTE_*` variables of this process that are settings. Other variables may hold bytes that are not text.
    pub fn environment() -> impl Iterator<Item = (String, String)> {
        let text = |(name, value): (OsString, OsString)| {
            Some((name.into_string().ok()?, value.to_string_lossy().into_owned()))
        };
        let is_setting = |name: &str| name.starts_with("COVERNOTE_") && name != SERVER && name != TOKEN_FILE;
        std::env::vars_os().filter_map(text).filter(move |(name, _)| is_setting(name))
    }

    /// The addresses to which events may be delivered.
    ///
    /// # Errors
    /// The first text that is not a network.
    pub fn webhook_rules(&self) -> Result<AddressRules, String> {
        AddressRules::opening(self.webhook_allow.split(',').filter(|network| !network.trim().is_empty()))
    }

    pub fn keyring_source(&self) -> KeyringSource {
        if self.keyring.is_empty() {
            KeyringSource::File(Path::new(&self.data).join("keyring"))
        } else {
            KeyringSource::of_setting(&self.keyring)
        }
    }

    /// Path of the journal of erasures.
    pub fn erasure_journal(&self) -> PathBuf {
        match (self.erasure_journal.as_str(), self.keyring_source().file()) {
            ("", Some(keyring)) => journal_beside(keyring),
            ("", None) => Path::new(&self.data).join("erased"),
            (path, _) => path.into(),
        }
    }

    /// Path of the file about the company that runs this service.
    pub fn operator_file(&self) -> PathBuf {
        if self.operator.is_empty() {
            Path::new(&self.data).join("operator.toml")
        } else {
            PathBuf::from(&self.operator)
        }
    }

    /// Path of the folder of secrets that are shared with insurers.
    pub fn insurer_secrets_folder(&self) -> PathBuf {
        if self.insurer_secrets.is_empty() {
            Path::new(&self.data).join("insurer-secrets")
        } else {
            PathBuf::from(&self.insurer_secrets)
        }
    }

    /// Whether this service speaks TLS itself.
    pub fn has_tls(&self) -> bool {
        !self.tls_certificate.is_empty()
    }

    /// The base URL, if the settings have one.
    pub fn configured_base_url(&self) -> Option<String> {
        (!self.base_url.is_empty()).then(|| self.base_address())
    }

    /// The address of the console. Empty if there is no console.
    pub fn console_address(&self) -> String {
        if self.console_listen.is_empty() || !self.console_url.is_empty() {
            return self.console_url.trim_end_matches('/').to_owned();
        }
        // Passkeys are bound to a host name, not to an IP address.
        let port = self.console_listen.rsplit(':').next().unwrap_or_default();
        format!("{}://localhost:{port}", if self.has_tls() { "https" } else { "http" })
    }

    /// The base URL: the address that partners call.
    pub fn base_address(&self) -> String {
        if self.base_url.is_empty() {
            format!("{}://{}", if self.has_tls() { "https" } else { "http" }, self.listen)
        } else {
            self.base_url.trim_end_matches('/').to_owned()
        }
    }
}

/// Path of the journal of erasures beside a keyring file.
pub fn journal_beside(keyring: &Path) -> PathBuf {
    let mut path = keyring.as_os_str().to_owned();
    path.push(".erased");
    path.into()
}

/// The settings file that a flag names, else `covernote.toml` if it exists.
fn file(named: Option<&Path>) -> Result<Option<(String, String)>> {
    let path = named.unwrap_or(Path::new("covernote.toml"));
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some((path.display().to_string(), text))),
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound && named.is_none() => Ok(None),
        Err(cause) => Err(Failure::Configuration(format!("{}: {cause}", path.display()))),
    }
}

fn read_file(path: &str, text: &str, raw: &mut RawSettings, faults: &mut Vec<String>) -> Result<()> {
    let table: toml::Table =
        text.parse().map_err(|fault| Failure::Configuration(format!("{path}: {fault}")))?;
    for (name, value) in &table {
        let Some(known) = known(name) else {
            faults.push(unknown(path, name));
            continue;
        };
        match value {
            toml::Value::String(text) => raw.add(known.name, Some(text.clone()), path.to_owned()),
            toml::Value::Integer(number) => raw.add(known.name, Some(number.to_string()), path.to_owned()),
            toml::Value::Array(items) if items.iter().all(toml::Value::is_str) => {
                let items: Vec<&str> = items.iter().filter_map(toml::Value::as_str).collect();
                raw.add(known.name, Some(items.join(",")), path.to_owned());
            }
            _ => faults.push(format!("{path}: {name} must be text, a whole number or a list of texts")),
        }
    }
    Ok(())
}

/// The example file: every setting with its meaning and default.
pub fn example() -> String {
    let mut text = String::from(
        "# Settings of covernote. A flag overrides a COVERNOTE_* variable, which overrides this file, which overrides the default.\n\
         # Every setting is listed with its default. Remove the '#' of a line to set it.\n",
    );
    for Setting { name, default, meaning } in SETTINGS {
        let number = default.parse::<u64>().is_ok();
        let value = if number { (*default).to_owned() } else { format!("{default:?}") };
        text.push_str(&format!("\n#{meaning}\n# {name} = {value}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(flags: &Flags, environment: &[(&str, &str)]) -> Result<Settings> {
        let environment = environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Settings::read(flags, FlagValues::new(), environment)
    }

    fn file_of(text: &str) -> (tempfile::TempDir, Flags) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("covernote.toml");
        std::fs::write(&path, text).expect("written");
        (folder, Flags { config: Some(path), ..Flags::default() })
    }

    #[test]
    fn a_setting_comes_from_its_flag_then_variable_then_file_then_default() {
        let (_folder, mut flags) = file_of("data = 'of-file'\nlisten = '127.0.0.1:1'\nrequests = 7\n");
        let environment = [("COVERNOTE_DATA", "of-variable"), ("COVERNOTE_KEYRING", "of-variable")];
        flags.keyring = Some("of-flag".into());
        let settings = read(&flags, &environment).expect("good");
        assert_eq!((settings.keyring.as_str(), settings.data.as_str()), ("of-flag", "of-variable"));
        assert_eq!((settings.listen.as_str(), settings.requests), ("127.0.0.1:1", 7));
        assert_eq!(settings.connections, 8192);
    }

    #[test]
    fn every_unknown_setting_is_reported_with_the_most_similar_known_setting() {
        let (_folder, flags) = file_of("lisen = 'x'\n");
        let refused = read(&flags, &[("COVERNOTE_DATABSE", "x")]).expect_err("unknown").to_string();
        assert!(refused.contains("lisen is not a setting; did you mean listen?"), "{refused}");
        assert!(refused.contains("databse is not a setting; did you mean database?"), "{refused}");
    }

    #[test]
    fn a_setting_of_the_wrong_type_is_reported_with_its_source() {
        let refused = read(&Flags::default(), &[("COVERNOTE_REQUESTS", "many")]).expect_err("no number");
        assert_eq!(
            refused,
            Failure::Configuration(
                "COVERNOTE_REQUESTS: requests must be a whole number; \"many\" is not".into()
            )
        );
    }

    #[test]
    fn impossible_values_of_settings_are_refused_at_the_start() {
        let environment = [("COVERNOTE_BASE_URL", "cover.example"), ("COVERNOTE_REQUESTS", "0")];
        let refused = read(&Flags::default(), &environment).expect_err("neither can be").to_string();
        assert!(
            refused.contains("base_url: ") && refused.contains("requests: 0 would refuse everything"),
            "{refused}"
        );
        for good in ["https://cover.example", "http://127.0.0.1:8080", "https://cover.example/partners"] {
            read(&Flags::default(), &[("COVERNOTE_BASE_URL", good)]).expect(good);
        }
    }

    #[test]
    fn config_example_toml_equals_the_file_generated_from_the_settings() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config.example.toml");
        let present = std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(
            present,
            example(),
            "config.example.toml is generated from the settings: write the text that example() returns"
        );
    }
}
