//! Controls, found by the text that a person reads on or beside them.

use fantoccini::elements::{Element, ElementRef};
use fantoccini::error::CmdError;
use serde_json::{Value, json};

use crate::browser::Browser;

/// Finds controls in the page.
const FIND: &str = include_str!("find_controls.js");

/// The key of an element reference in WebDriver's JSON.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A part of a page: the whole page, or a group inside groups.
///
/// A name is the whole text of a label, button or link. If none has exactly this text, the name may be its
/// beginning.
pub(crate) struct Part<'a> {
    browser: &'a Browser,
    groups: Vec<String>,
}

/// A control with the label beside it, if any.
struct Control {
    element: Element,
    label: Option<Element>,
}

impl Browser {
    /// A group by its name: a fieldset's legend, a section's heading, the first words of a row.
    pub(crate) fn within(&self, group: &str) -> Part<'_> {
        self.page().within(group)
    }

    /// See [`Part::fill`].
    pub(crate) async fn fill(&self, label: &str, value: &str) {
        self.page().fill(label, value).await;
    }

    /// See [`Part::value_of`].
    pub(crate) async fn value_of(&self, label: &str) -> String {
        self.page().value_of(label).await
    }

    /// See [`Part::choose`].
    pub(crate) async fn choose(&self, label: &str) {
        self.page().choose(label).await;
    }

    /// See [`Part::is_chosen`].
    pub(crate) async fn is_chosen(&self, label: &str) -> bool {
        self.page().is_chosen(label).await
    }

    /// See [`Part::press`].
    pub(crate) async fn press(&self, name: &str) {
        self.page().press(name).await;
    }

    /// See [`Part::press_and_stay`].
    pub(crate) async fn press_and_stay(&self, name: &str) {
        self.page().press_and_stay(name).await;
    }

    fn page(&self) -> Part<'_> {
        Part { browser: self, groups: Vec::new() }
    }
}

impl<'a> Part<'a> {
    /// A group inside this part.
    pub(crate) fn within(&self, group: &str) -> Part<'a> {
        let groups = self.groups.iter().cloned().chain([group.to_owned()]).collect();
        Part { browser: self.browser, groups }
    }

    /// Types a value into the field with this label, replacing its content. In a select list, picks the
    /// option with this text.
    pub(crate) async fn fill(&self, label: &str, value: &str) {
        let fill = async |field: &Control| {
            if field.element.tag_name().await? == "select" {
                return field.element.select_by_label(value).await;
            }
            field.element.clear().await?;
            field.element.send_keys(value).await
        };
        self.act("field", label, fill).await;
    }

    /// The value of the field with this label.
    pub(crate) async fn value_of(&self, label: &str) -> String {
        let value = async |field: &Control| field.element.prop("value").await;
        self.act("field", label, value).await.unwrap_or_default()
    }

    /// Selects the radio button or ticks the checkbox with this label, if it is not selected yet.
    pub(crate) async fn choose(&self, label: &str) {
        let choose = async |choice: &Control| {
            if choice.element.is_selected().await? {
                return Ok(true);
            }
            choice.click().await?;
            choice.element.is_selected().await
        };
        assert!(self.act("choice", label, choose).await, "{label:?} was pressed and is not chosen");
    }

    /// Whether the radio button or checkbox with this label is selected.
    pub(crate) async fn is_chosen(&self, label: &str) -> bool {
        self.act("choice", label, async |choice: &Control| choice.element.is_selected().await).await
    }

    /// Presses the button or link with this text, and waits until another page replaces this one.
    pub(crate) async fn press(&self, name: &str) {
        let what = format!("pressing {name:?}");
        let button = self.find("button", name).await;
        self.browser.to_next_page(&what, async || button.click().await).await;
    }

    /// Presses a button or link with this text that leads to no other page: a download, a script's action, a
    /// place further down.
    pub(crate) async fn press_and_stay(&self, name: &str) {
        self.act("button", name, Control::click).await;
    }

    /// Does something to a control. Repeats it if the page replaced the control meanwhile.
    async fn act<T>(
        &self,
        kind: &str,
        name: &str,
        mut act: impl AsyncFnMut(&Control) -> Result<T, CmdError>,
    ) -> T {
        loop {
            match act(&self.find(kind, name).await).await {
                Ok(done) => return done,
                Err(fault) if fault.is_stale_element_reference() => {}
                Err(fault) => panic!("{name:?} on {} cannot be used: {fault}", self.browser.url().await),
            }
        }
    }

    /// Waits for the only control of a kind with this name.
    async fn find(&self, kind: &str, name: &str) -> Control {
        let mut there = Value::Null;
        let found = self
            .browser
            .eventually(async || {
                let asked = vec![json!(kind), json!(self.groups), json!(name)];
                let mut answer = self.browser.attempt(FIND, asked).await?;
                there = answer["there"].take();
                let found = answer["found"].as_array().cloned().expect("a list");
                (!found.is_empty()).then_some(found)
            })
            .await;
        let place = format!("{} {:?}", self.browser.url().await, self.groups);
        match found.as_deref() {
            Some([one]) => self.control_of(one),
            Some(many) => {
                panic!("{} of them are called {name:?} on {place}: say within which group", many.len())
            }
            None => panic!("there is no {kind} called {name:?} on {place}, but {there:#}"),
        }
    }

    fn control_of(&self, found: &Value) -> Control {
        let element = |value: &Value| {
            let reference = ElementRef::from(value[ELEMENT].as_str()?.to_owned());
            Some(Element::from_element_id(self.browser.client.clone(), reference))
        };
        Control { element: element(&found["control"]).expect("an element"), label: element(&found["label"]) }
    }
}

impl Control {
    /// Clicks the control. If it is covered by its label or has no size, clicks the label instead.
    async fn click(&self) -> Result<(), CmdError> {
        match (self.element.click().await, &self.label) {
            (Err(fault), Some(label)) if is_covered(&fault) => label.click().await,
            (clicked, _) => clicked,
        }
    }
}

fn is_covered(fault: &CmdError) -> bool {
    use fantoccini::error::ErrorStatus::{ElementClickIntercepted, ElementNotInteractable};
    let CmdError::Standard(fault) = fault else { return false };
    matches!(fault.error, ElementClickIntercepted | ElementNotInteractable)
}
