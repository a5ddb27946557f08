//! `operator.toml`: the company that runs this service and sells the insurance.

use std::path::Path;

use domain::date::Date;
use domain::language::{Language, Text};
use domain::operator::{Logo, Operator, OperatorKind};
use domain::text::{FromText, one_line};
use toml::{Table, Value};

/// Example of `operator.toml`. The demo uses it.
pub(crate) const EXAMPLE: &str = include_str!("../operator.example.toml");

/// Most characters of a text in the file.
const LONGEST: usize = 300;

/// Most bytes of the logo.
const LARGEST_LOGO: u64 = 200 * 1024;

/// Keys of texts that may also be translated, such as `name_hi`.
const TEXTS: &[&str] = &["name", "address", "grievance_officer"];

/// Every key besides [`TEXTS`].
const OTHERS: &[&str] = &[
    "kind",
    "licence_number",
    "licence_until",
    "licence_grace_days",
    "contact",
    "privacy_notice",
    "terms",
    "logo",
];

/// Whether the file may have a key.
fn is_known(key: &str) -> bool {
    let text = |language: Language| key.strip_suffix(language.word()).and_then(|key| key.strip_suffix('_'));
    let is_translated = Language::translated().filter_map(text).any(|key| TEXTS.contains(&key));
    TEXTS.contains(&key) || OTHERS.contains(&key) || is_translated
}

/// Reads `operator.toml`. `None` if the file does not exist.
///
/// # Errors
/// Every fault of the file, with a sentence for each fault.
pub(crate) fn read(file: &Path) -> Result<Option<Operator>, Vec<String>> {
    match std::fs::read_to_string(file) {
        Ok(text) => parse(&text, file.parent().unwrap_or(Path::new("."))).map(Some),
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(fault) => Err(vec![format!("the file cannot be read: {fault}")]),
    }
}

pub(crate) fn example() -> Operator {
    parse(EXAMPLE, Path::new(".")).expect("the example has no fault: a test parses it")
}

/// Parses the text of a file in a folder.
fn parse(text: &str, folder: &Path) -> Result<Operator, Vec<String>> {
    let table: Table = text.parse().map_err(|fault: toml::de::Error| vec![fault.to_string()])?;
    let mut keys = Keys { table: &table, faults: Vec::new() };
    keys.check_known();
    let operator = keys.operator(folder);
    match operator {
        Some(operator) if keys.faults.is_empty() => Ok(operator),
        _ => Err(keys.faults),
    }
}

/// The keys of the file, with the faults found so far.
struct Keys<'t> {
    table: &'t Table,
    faults: Vec<String>,
}

impl Keys<'_> {
    fn check_known(&mut self) {
        for key in self.table.keys().filter(|key| !is_known(key)) {
            let known = [TEXTS, OTHERS].concat().join(", ");
            self.faults.push(format!("`{key}` is not a known key; known are {known}"));
        }
    }

    fn operator(&mut self, folder: &Path) -> Option<Operator> {
        let name = self.text_in_languages("name");
        let kind = self.line("kind").and_then(|kind| {
            let parsed = OperatorKind::from_text(&kind);
            parsed.map_err(|_| self.faults.push(format!("`kind` must be {}", OperatorKind::WANTED))).ok()
        });
        let licence_number = self.line("licence_number");
        let licence_until = self.day("licence_until");
        let licence_grace_days = self.grace_days();
        let address = self.text_in_languages("address");
        let contact = self.line("contact");
        let grievance_officer = self.text_in_languages("grievance_officer");
        let (privacy_notice, terms) = (self.link("privacy_notice"), self.link("terms"));
        let logo = match self.table.contains_key("logo") {
            true => Some(self.logo(folder)?),
            false => None,
        };
        Some(Operator {
            name: name?,
            kind: kind?,
            licence_number: licence_number?,
            licence_until: licence_until?,
            licence_grace_days: licence_grace_days?,
            address: address?,
            contact: contact?,
            grievance_officer: grievance_officer?,
            privacy_notice: privacy_notice?,
            terms: terms?,
            logo,
        })
    }

    /// Parses the optional number of days for which sales go on after the licence. Without it, none.
    fn grace_days(&mut self) -> Option<u16> {
        let Some(value) = self.table.get("licence_grace_days") else { return Some(0) };
        let days = value.as_integer().and_then(|days| u16::try_from(days).ok()).filter(|days| *days <= 365);
        if days.is_none() {
            self.faults.push("`licence_grace_days` must be a whole number from 0 to 365".to_owned());
        }
        days
    }

    /// Parses a required text of one line.
    fn line(&mut self, key: &str) -> Option<String> {
        let text = self.table.get(key).and_then(Value::as_str).unwrap_or_default();
        let line = one_line(text, LONGEST).filter(|line| line == text.trim());
        if line.is_none() {
            self.faults.push(format!("`{key}` must be one line of 1 to {LONGEST} characters"));
        }
        line
    }

    /// Parses a required text with its optional translations.
    fn text_in_languages(&mut self, key: &str) -> Option<Text> {
        let english = self.line(key);
        let mut translations = Vec::new();
        for language in Language::translated() {
            let translated = format!("{key}_{}", language.word());
            if self.table.contains_key(&translated) {
                translations.push((language, self.line(&translated)?));
            }
        }
        Some(Text::new(english?, translations))
    }

    fn day(&mut self, key: &str) -> Option<Date> {
        let written = self.table.get(key).and_then(Value::as_datetime).and_then(|written| written.date);
        let day = written.and_then(|day| {
            let part = |number: u8| i8::try_from(number).ok();
            Date::new(i16::try_from(day.year).ok()?, part(day.month)?, part(day.day)?).ok()
        });
        if day.is_none() {
            self.faults.push(format!("`{key}` must be a day without quotation marks, such as 2029-03-31"));
        }
        day
    }

    fn link(&mut self, key: &str) -> Option<String> {
        let text = self.table.get(key).and_then(Value::as_str).unwrap_or_default();
        let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\".contains(&byte));
        if plain
            && text.len() <= LONGEST
            && text.strip_prefix("https://").is_some_and(|rest| !rest.is_empty())
        {
            return Some(text.to_owned());
        }
        self.faults.push(format!("`{key}` must be an address that begins with https://"));
        None
    }

    fn logo(&mut self, folder: &Path) -> Option<Logo> {
        match self.read_logo(folder) {
            Ok(logo) => Some(logo),
            Err(why) => {
                self.faults.push(format!("`logo` {why}"));
                None
            }
        }
    }

    fn read_logo(&self, folder: &Path) -> Result<Logo, String> {
        let name = self.table.get("logo").and_then(Value::as_str).unwrap_or_default();
        let media_type = match name.rsplit_once('.') {
            Some((_, "svg")) => "image/svg+xml",
            Some((_, "png")) => "image/png",
            _ => return Err("must name an .svg or .png file".into()),
        };
        if name.contains(['/', '\\']) {
            return Err("must name a file in the same folder".into());
        }
        let file = folder.join(name);
        let unreadable = |fault| format!("cannot be read: {fault}");
        let length = std::fs::metadata(&file).map_err(unreadable)?.len();
        if length > LARGEST_LOGO {
            return Err(format!("has {length} bytes; at most {LARGEST_LOGO} are allowed"));
        }
        Ok(Logo { media_type, bytes: std::fs::read(&file).map_err(unreadable)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_operator_file_is_valid_and_contains_every_key() {
        let operator = example();
        assert_eq!(operator.kind, OperatorKind::Broker);
        assert!(operator.name.has(Language::Hindi));
        for key in TEXTS.iter().chain(OTHERS) {
            assert!(EXAMPLE.contains(&format!("{key} = ")), "{key}");
        }
    }

    #[test]
    fn every_fault_of_an_operator_file_is_reported_with_its_key() {
        let text = EXAMPLE
            .replace("kind = \"broker\"", "kind = \"shop\"")
            .replace("licence_until = 2029-03-31", "licence_until = \"2029\"")
            .replace("https://broker.example/terms", "http://broker.example/terms")
            .replace("contact = ", "contract = ")
            .replace("# logo = \"logo.svg\"", "logo = \"../logo.svg\"");
        let faults = parse(&text, Path::new(".")).expect_err("faults");
        for wanted in [
            "`contract` is",
            "`kind` must",
            "`licence_until` must",
            "`contact` must",
            "`terms` must",
            "`logo` must",
        ] {
            assert!(faults.iter().any(|fault| fault.starts_with(wanted)), "{wanted}: {faults:?}");
        }
        assert_eq!(faults.len(), 6, "{faults:?}");
    }
}
