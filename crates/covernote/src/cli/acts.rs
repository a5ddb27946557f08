//! The commands of the operators' API, made from its list of actions.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, ValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};
use operators::{ACTIONS, Action, Field, Out};
use serde_json::{Map, Value};

/// Commands inside a command, such as `partner secret`.
const INNER: &[(&str, &str)] = &[
    ("partner.secret", "Manage the secrets of a partner; a partner can have two valid secrets at once"),
    ("partner.tokens", "Manage the tokens of a partner"),
];

/// Name of the flag for the file or folder that a command writes.
const OUT: &str = "out";

/// Name of the file that a command uploads.
const UPLOAD: &str = "file";

/// An action of the operators' API with the fields and files that the command line names.
#[derive(Clone)]
pub struct Asked {
    pub(crate) action: &'static Action,
    pub(crate) fields: Map<String, Value>,
    /// Files whose text is sent as the field of this name.
    pub(crate) texts: Vec<(&'static str, PathBuf)>,
    /// File to send as the body of the request.
    pub(crate) upload: Option<PathBuf>,
    /// File to write, or folder to fill.
    pub(crate) out: Option<PathBuf>,
}

impl Asked {
    /// The action of this name, which must exist, with these fields and without files.
    pub(crate) fn of(name: &str, fields: Map<String, Value>) -> Self {
        Asked { action: action(name), fields, texts: Vec::new(), upload: None, out: None }
    }
}

impl std::fmt::Debug for Asked {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(self.action.about.name)
    }
}

/// Declares, for each noun, the subcommands of its command.
macro_rules! nouns {
    ($($(#[$doc:meta])* $verb:ident = $noun:literal,)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $verb(pub Asked);

        impl FromArgMatches for $verb {
            fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
                asked_verb($noun, matches).map($verb)
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }

        impl Subcommand for $verb {
            fn augment_subcommands(command: Command) -> Command {
                with_verbs(command, $noun)
            }

            fn augment_subcommands_for_update(command: Command) -> Command {
                with_verbs(command, $noun)
            }

            fn has_subcommand(name: &str) -> bool {
                verbs_of($noun).any(|(action, verb)| verb == name || action.about.alias == Some(name))
            }
        }

        impl From<$verb> for Asked {
            fn from($verb(asked): $verb) -> Asked {
                asked
            }
        }
    )+};
}

nouns! {
    /// `covernote waiting`
    WaitingVerb = "waiting",
    /// `covernote partner`
    PartnerVerb = "partner",
    /// `covernote quote`
    QuoteVerb = "quote",
    /// `covernote proposal`
    ProposalVerb = "proposal",
    /// `covernote policy`
    PolicyVerb = "policy",
    /// `covernote refund`
    RefundVerb = "refund",
    /// `covernote claim`
    ClaimVerb = "claim",
    /// `covernote complaint`
    ComplaintVerb = "complaint",
    /// `covernote person`
    PersonVerb = "person",
    /// `covernote breach`
    BreachVerb = "breach",
    /// `covernote hold`
    HoldVerb = "hold",
    /// `covernote retention`
    RetentionVerb = "retention",
    /// `covernote premium`
    PremiumVerb = "premium",
    /// `covernote deposit`
    DepositVerb = "deposit",
    /// `covernote statement`
    StatementVerb = "statement",
    /// Verbs of `covernote webhook` that work on a store
    EndpointVerb = "webhook",
    /// `covernote keys`
    KeysVerb = "keys",
    /// `covernote audit`
    AuditVerb = "audit",
    /// Verbs of `covernote operator` about the team
    TeamVerb = "operator",
    /// `covernote approval`
    ApprovalVerb = "approval",
    /// `covernote import`
    ImportVerb = "import",
}

/// `covernote today`
#[derive(Debug, Clone)]
pub struct Today(pub Asked);

impl Today {
    fn action() -> &'static Action {
        action("waiting.list")
    }
}

impl From<Today> for Asked {
    fn from(Today(asked): Today) -> Asked {
        asked
    }
}

impl FromArgMatches for Today {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        asked(Today::action(), matches).map(Today)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Today {
    fn augment_args(command: Command) -> Command {
        with_fields(command, Today::action())
    }

    fn augment_args_for_update(command: Command) -> Command {
        with_fields(command, Today::action())
    }
}

/// The action of this name, which must exist.
fn action(name: &str) -> &'static Action {
    ACTIONS.iter().find(|action| action.about.name == name).expect("an action of this name")
}

/// Actions of a noun, each with the rest of its name.
fn verbs_of(noun: &str) -> impl Iterator<Item = (&'static Action, String)> {
    let noun = format!("{noun}.");
    ACTIONS.iter().filter_map(move |action| {
        let verb = action.about.name.strip_prefix(&noun)?;
        Some((action, verb.replace('_', "-")))
    })
}

/// Adds a subcommand for each action of a noun.
fn with_verbs(mut command: Command, noun: &'static str) -> Command {
    let inner = || INNER.iter().filter(|(inner, _)| inner.starts_with(noun) && *inner != noun);
    for (action, verb) in verbs_of(noun).filter(|(_, verb)| !verb.contains('.')) {
        let about = operators::one_paragraph(action.text);
        let subcommand = Command::new(verb).about(about);
        let subcommand = match action.about.alias {
            Some(alias) => subcommand.visible_alias(alias),
            None => subcommand,
        };
        command = command.subcommand(with_fields(subcommand, action));
    }
    for (name, about) in inner() {
        let verb = name.rsplit('.').next().unwrap_or(name);
        let subcommand =
            Command::new(verb).about(*about).subcommand_required(true).arg_required_else_help(true);
        command = command.subcommand(with_verbs(subcommand, name));
    }
    command
}

fn asked_verb(noun: &'static str, matches: &ArgMatches) -> Result<Asked, Error> {
    let missing = || Error::raw(ErrorKind::MissingSubcommand, "a subcommand is missing\n");
    let (verb, matches) = matches.subcommand().ok_or_else(missing)?;
    let named = format!("{noun}.{verb}");
    if let Some((inner, _)) = INNER.iter().find(|(inner, _)| *inner == named) {
        return asked_verb(inner, matches);
    }
    let found = verbs_of(noun).find(|(_, known)| known == verb).ok_or_else(missing)?;
    asked(found.0, matches)
}

fn is_positional(action: &Action, field: &Field) -> bool {
    field.is_positional || field.long.is_none() && action.about.has_in_path(field.name)
}

/// Flag or position of a field on a command line, for messages. An item of a list follows its flag.
pub(crate) fn flag_of(asked: &Asked, name: &str) -> String {
    let field = asked.action.fields().iter().find(|field| name.split(['.', '[']).next() == Some(field.name));
    match field {
        Some(field) if !is_positional(asked.action, field) => {
            let at = name.strip_prefix(field.name).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
            let item =
                at.and_then(|at| asked.fields.get(field.name)?.get(at.parse::<usize>().ok()?)?.as_str());
            format!("--{}{}", long_of(field), item.map(|item| format!(" {item}")).unwrap_or_default())
        }
        _ => name.to_owned(),
    }
}

fn long_of(field: &Field) -> String {
    field.long.map_or_else(|| field.name.replace('_', "-"), str::to_owned)
}

/// The action with the fields and files that the command line names.
fn asked(action: &'static Action, matches: &ArgMatches) -> Result<Asked, Error> {
    let mut asked = Asked::of(action.about.name, Map::new());
    for field in action.fields() {
        if field.is_text_of_file {
            asked.texts.extend(matches.get_one::<PathBuf>(field.name).map(|path| (field.name, path.clone())));
            continue;
        }
        if field.item_type() == "boolean" {
            asked.fields.insert(field.name.to_owned(), matches.get_flag(field.name).into());
            continue;
        }
        let values: Vec<Value> = match field.item_type() {
            "integer" => matches
                .get_many::<i64>(field.name)
                .into_iter()
                .flatten()
                .map(|number| (*number).into())
                .collect(),
            _ => matches
                .get_many::<String>(field.name)
                .into_iter()
                .flatten()
                .map(|text| exact(field, text).into())
                .collect(),
        };
        if field.is_list() && !values.is_empty() {
            asked.fields.insert(field.name.to_owned(), values.into());
        } else if let Some(value) = values.into_iter().next() {
            asked.fields.insert(field.name.to_owned(), value);
        }
    }
    if action.about.takes_file.is_some() {
        asked.upload = matches.get_one::<PathBuf>(UPLOAD).cloned();
    }
    if action.about.out != Out::None {
        asked.out = matches.get_one::<PathBuf>(OUT).cloned();
    }
    Ok(asked)
}

/// The word of the field that a text names in another case, else the text.
fn exact(field: &Field, text: &str) -> String {
    field.words().into_iter().find(|word| word.eq_ignore_ascii_case(text)).unwrap_or(text).to_owned()
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Adds an argument for each field of an action, and for its files.
fn with_fields(mut command: Command, action: &'static Action) -> Command {
    let fields = action.fields();
    for field in fields {
        command = command.arg(argument(action, field));
    }
    let mut groups: Vec<&'static str> = fields.iter().filter_map(|field| field.one_of).collect();
    groups.dedup();
    for group in groups {
        let members = fields.iter().filter(|field| field.one_of == Some(group)).map(|field| field.name);
        command = command.group(ArgGroup::new(group).args(members.collect::<Vec<_>>()).required(true));
    }
    if let Some(file) = action.about.takes_file {
        let file = Arg::new(UPLOAD).value_name(file.value).help(file.help).required(true);
        command = command.arg(file.value_parser(clap::value_parser!(PathBuf)));
    }
    let out = match action.about.out {
        Out::None => return command,
        Out::File => Arg::new(OUT).value_name("FILE").help("File to write; it must not exist"),
        Out::Folder => Arg::new(OUT).value_name("FOLDER").help("Folder to write into; created if missing"),
    };
    command.arg(out.long(OUT).required(true).value_parser(clap::value_parser!(PathBuf)))
}

fn argument(action: &Action, field: &Field) -> Arg {
    let mut argument = Arg::new(field.name).help(field.text()).required(field.is_required);
    let named = || if field.item_type() == "integer" { "N".to_owned() } else { field.name.to_uppercase() };
    argument = argument.value_name(field.value.map_or_else(named, str::to_owned));
    if !is_positional(action, field) {
        argument = argument.long(long_of(field));
    }
    if field.item_type() == "boolean" {
        return requiring(argument.action(ArgAction::SetTrue), field);
    }
    argument = argument.action(if field.is_list() { ArgAction::Append } else { ArgAction::Set });
    if field.is_list() && is_positional(action, field) {
        argument = argument.num_args(1..);
    }
    if let Some(default) = &field.default {
        argument = argument.default_value(text_of(default));
    }
    requiring(argument.value_parser(parser(field)).ignore_case(true), field)
}

fn requiring(argument: Arg, field: &Field) -> Arg {
    field.requires.iter().fold(argument, |argument, other| argument.requires(*other))
}

fn parser(field: &Field) -> ValueParser {
    if field.is_text_of_file {
        return clap::value_parser!(PathBuf);
    }
    let words = field.words();
    if !words.is_empty() {
        return PossibleValuesParser::new(words.into_iter().map(str::to_owned).collect::<Vec<_>>()).into();
    }
    if field.item_type() == "integer" {
        let bound = |name: &str, other: i64| field.schema[name].as_i64().unwrap_or(other);
        let range = bound("minimum", 0)..=bound("maximum", i64::MAX);
        return clap::value_parser!(i64).range(range).into();
    }
    ValueParser::string()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::CommandLine;

    /// Acts that a command with a name of its own does, with this command.
    const NAMED_OTHERWISE: [(&str, &str); 3] =
        [("store.examine", "doctor"), ("store.verify", "verify"), ("catalogue.publish", "catalogue")];

    #[test]
    fn every_act_of_the_operators_api_has_a_command() {
        let program = CommandLine::command();
        for action in ACTIONS.iter() {
            let name = action.about.name;
            let other = NAMED_OTHERWISE.iter().find(|(act, _)| *act == name);
            let command = other.map_or_else(|| name.replace('_', "-"), |(_, command)| (*command).to_owned());
            let found = command.split('.').try_fold(&program, |command, word| command.find_subcommand(word));
            assert!(found.is_some(), "{name} has no command");
        }
    }
}
