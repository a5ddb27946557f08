//! Fields of a page: label, hint, what is wrong, and the control, tied together for those who do not see them.

use std::borrow::Cow;

use askama::Template;
use askama::filters::HtmlSafe;

use super::form::Form;

/// A field as it stands in the page.
#[derive(Template)]
#[template(path = "journey/field.html")]
pub(crate) struct Field {
    id: String,
    label: String,
    hint: String,
    fault: String,
    control: Control,
}

/// Its own template escapes what is in it.
impl HtmlSafe for Field {}

/// How it is filled in.
enum Control {
    /// One line.
    Text { value: String, attributes: &'static str },
    /// One of a list that folds out.
    List { options: Vec<Choice>, open: String },
    /// Several, all in sight: `radio` for one of them, `checkbox` for any number.
    Group { kind: &'static str, options: Vec<Choice> },
    /// Day, month and year.
    Date { parts: Vec<DatePart> },
}

/// One of several answers.
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) label: String,
    pub(crate) hint: String,
    chosen: bool,
}

/// A part of a date.
struct DatePart {
    name: &'static str,
    label: String,
    value: String,
    longest: u8,
    complete: &'static str,
}

/// Attributes of a field of digits.
pub(crate) const DIGITS: &str = r#"inputmode="numeric" autocomplete="off" maxlength="3" class="short""#;

impl Choice {
    /// An answer by its value and its words.
    pub(crate) fn of(value: impl Into<String>, label: impl Into<String>) -> Self {
        Choice { value: value.into(), label: label.into(), hint: String::new(), chosen: false }
    }

    /// Says more of it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

impl Field {
    fn of(form: &Form, id: &str, label: impl Into<String>, control: Control) -> Self {
        let fault = form.fault(id).unwrap_or_default().to_owned();
        Field { id: id.to_owned(), label: label.into(), hint: String::new(), fault, control }
    }

    /// One line of text. `attributes` are ours, never a customer's.
    pub(crate) fn text(form: &Form, id: &str, label: impl Into<String>, attributes: &'static str) -> Self {
        Field::of(form, id, label, Control::Text { value: form.value(id).to_owned(), attributes })
    }

    /// A list that folds out, which stands on `open` where nothing was chosen.
    pub(crate) fn list(
        form: &Form,
        id: &str,
        label: impl Into<String>,
        open: impl Into<String>,
        options: Vec<Choice>,
    ) -> Self {
        let options = chosen(form, id, options);
        Field::of(form, id, label, Control::List { options, open: open.into() })
    }

    /// One of several, none chosen beforehand.
    pub(crate) fn radio(form: &Form, id: &str, label: impl Into<String>, options: Vec<Choice>) -> Self {
        Field::of(form, id, label, Control::Group { kind: "radio", options: chosen(form, id, options) })
    }

    /// Any number of several.
    pub(crate) fn boxes(form: &Form, id: &str, label: impl Into<String>, options: Vec<Choice>) -> Self {
        Field::of(form, id, label, Control::Group { kind: "checkbox", options: chosen(form, id, options) })
    }

    /// A date in three parts, which phones fill in faster than a calendar of ninety years. `complete` says whether a
    /// browser may fill in the customer's own.
    pub(crate) fn date(
        form: &Form,
        id: &str,
        label: impl Into<String>,
        parts: [String; 3],
        own: bool,
    ) -> Self {
        let [day, month, year] = parts;
        let part = |name: &'static str, label: String, longest: u8, complete: &'static str| DatePart {
            value: form.value(&format!("{id}-{name}")).to_owned(),
            name,
            label,
            longest,
            complete: if own { complete } else { "off" },
        };
        let parts = vec![
            part("day", day, 2, "bday-day"),
            part("month", month, 2, "bday-month"),
            part("year", year, 4, "bday-year"),
        ];
        Field::of(form, id, label, Control::Date { parts })
    }

    /// Says more of it.
    pub(crate) fn hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.hint = hint.into().into_owned();
        self
    }

    /// What ties hint and fault to the control, for whoever does not see that they stand beside it.
    fn described(&self) -> String {
        let hint = (!self.hint.is_empty()).then(|| format!("{}-hint", self.id));
        let fault = (!self.fault.is_empty()).then(|| format!("{}-fault", self.id));
        let ids = hint.into_iter().chain(fault).collect::<Vec<_>>().join(" ");
        if ids.is_empty() { ids } else { format!(r#" aria-describedby="{ids}""#) }
    }

    /// Hint and fault.
    fn notes(&self) -> String {
        Notes { id: &self.id, hint: &self.hint, fault: &self.fault }.render().unwrap_or_default()
    }
}

/// What stands between a label and its control.
#[derive(Template)]
#[template(path = "journey/notes.html")]
struct Notes<'f> {
    id: &'f str,
    hint: &'f str,
    fault: &'f str,
}

fn chosen(form: &Form, id: &str, mut options: Vec<Choice>) -> Vec<Choice> {
    for option in &mut options {
        option.chosen = form.is_ticked(id, &option.value);
    }
    options
}
