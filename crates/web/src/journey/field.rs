//! Fields of a page: each ties label, hint, error and control together for people who use a screen reader.

use askama::Template;
use askama::filters::HtmlSafe;
use domain::vocabulary;

use super::form::Form;

/// A field of a page.
#[derive(Template)]
#[template(path = "journey/field.html")]
pub(crate) struct Field {
    id: String,
    label: String,
    hint: String,
    error: String,
    control: Control,
}

/// The template of the field escapes its texts.
impl HtmlSafe for Field {}

/// How a field is filled in.
enum Control {
    /// One line.
    Text { value: String, attributes: &'static str },
    /// One of a list that unfolds. `open` is its entry for no choice.
    List { options: Vec<Choice>, open: String },
    /// Several choices, all visible.
    Group { kind: GroupKind, options: Vec<Choice> },
    /// Day, month and year.
    Date { inputs: Vec<DateInput> },
}

/// One of several answers.
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) label: String,
    pub(crate) hint: String,
    chosen: bool,
}

vocabulary! {
    /// How many of a group's choices can be made, by the `type` of their inputs.
    GroupKind, "one of radio, checkbox" {
        /// One.
        Radio = "radio",
        /// Any number.
        Boxes = "checkbox",
    }
}

vocabulary! {
    /// A part of a date, by the end of its input's name.
    DatePart, "one of day, month, year" {
        /// Day of the month.
        Day = "day",
        /// Number of the month.
        Month = "month",
        /// Year, with four digits.
        Year = "year",
    }
}

/// The input of a part of a date.
struct DateInput {
    part: DatePart,
    label: &'static str,
    value: String,
    longest: u8,
    autocomplete: &'static str,
}

impl DatePart {
    /// Name of the part's input in the date field of an id.
    pub(crate) fn of(self, id: &str) -> String {
        format!("{id}-{self}")
    }
}

/// Attributes of a field of digits.
pub(crate) const DIGITS: &str = r#"inputmode="numeric" autocomplete="off" maxlength="3" class="short""#;

impl Choice {
    /// An answer by its value and its label.
    pub(crate) fn of(value: impl Into<String>, label: impl Into<String>) -> Self {
        Choice { value: value.into(), label: label.into(), hint: String::new(), chosen: false }
    }

    /// Adds a hint.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

impl Field {
    fn of(form: &Form, id: &str, label: impl Into<String>, control: Control) -> Self {
        let error = form.error(id).unwrap_or_default().to_owned();
        Field { id: id.to_owned(), label: label.into(), hint: String::new(), error, control }
    }

    /// One line of text. `attributes` are written into the page as they are.
    pub(crate) fn text(
        form: &Form,
        id: impl AsRef<str>,
        label: impl Into<String>,
        attributes: &'static str,
    ) -> Self {
        let id = id.as_ref();
        Field::of(form, id, label, Control::Text { value: form.value(id).to_owned(), attributes })
    }

    /// A list that unfolds, with `open` as its entry for no choice.
    pub(crate) fn list(
        form: &Form,
        id: impl AsRef<str>,
        label: impl Into<String>,
        open: impl Into<String>,
        options: Vec<Choice>,
    ) -> Self {
        let id = id.as_ref();
        let options = chosen(form, id, options);
        Field::of(form, id, label, Control::List { options, open: open.into() })
    }

    /// One of several choices, none of them made in advance.
    pub(crate) fn radio(
        form: &Form,
        id: impl AsRef<str>,
        label: impl Into<String>,
        options: Vec<Choice>,
    ) -> Self {
        let id = id.as_ref();
        Field::of(
            form,
            id,
            label,
            Control::Group { kind: GroupKind::Radio, options: chosen(form, id, options) },
        )
    }

    /// Any number of several choices.
    pub(crate) fn boxes(
        form: &Form,
        id: impl AsRef<str>,
        label: impl Into<String>,
        options: Vec<Choice>,
    ) -> Self {
        let id = id.as_ref();
        Field::of(
            form,
            id,
            label,
            Control::Group { kind: GroupKind::Boxes, options: chosen(form, id, options) },
        )
    }

    /// A date in three parts, which phones fill in faster than a calendar of ninety years. `labels` are those of day, month
    /// and year. A browser may fill in the customer's own date of birth where `is_own` says so.
    pub(crate) fn date(
        form: &Form,
        id: impl AsRef<str>,
        label: impl Into<String>,
        labels: [&'static str; 3],
        is_own: bool,
    ) -> Self {
        let id = id.as_ref();
        let [day, month, year] = labels;
        let input = |part: DatePart, label: &'static str, longest: u8, own: &'static str| DateInput {
            value: form.value(part.of(id)).to_owned(),
            part,
            label,
            longest,
            autocomplete: if is_own { own } else { "off" },
        };
        let inputs = vec![
            input(DatePart::Day, day, 2, "bday-day"),
            input(DatePart::Month, month, 2, "bday-month"),
            input(DatePart::Year, year, 4, "bday-year"),
        ];
        Field::of(form, id, label, Control::Date { inputs })
    }

    /// Adds a hint.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// The attribute that ties hint and error to the control for screen readers.
    fn described(&self) -> String {
        let hint = (!self.hint.is_empty()).then(|| format!("{}-hint", self.id));
        let error = (!self.error.is_empty()).then(|| format!("{}-fault", self.id));
        let ids = hint.into_iter().chain(error).collect::<Vec<_>>().join(" ");
        if ids.is_empty() { ids } else { format!(r#" aria-describedby="{ids}""#) }
    }

    /// Hint and error.
    fn notes(&self) -> String {
        Notes { id: &self.id, hint: &self.hint, error: &self.error }.render().unwrap_or_default()
    }
}

/// The texts between a label and its control.
#[derive(Template)]
#[template(path = "journey/notes.html")]
struct Notes<'f> {
    id: &'f str,
    hint: &'f str,
    error: &'f str,
}

fn chosen(form: &Form, id: &str, mut options: Vec<Choice>) -> Vec<Choice> {
    for option in &mut options {
        option.chosen = form.is_checked(id, &option.value);
    }
    options
}
