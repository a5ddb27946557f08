//! Use of a page with the keyboard only.

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::key::Key;

use crate::browser::Browser;

/// A key, or a text to type.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stroke<'a> {
    Tab,
    ShiftTab,
    Enter,
    Space,
    Up,
    Down,
    /// Text that is typed letter by letter.
    Text(&'a str),
}

impl Browser {
    /// Presses keys for the focused element. If they lead to another page, use
    /// [`Browser::keys_to_next_page`].
    pub(crate) async fn keys(&self, strokes: &[Stroke<'_>]) {
        let keyboard = KeyActions::new("keyboard".into());
        let actions = strokes.iter().flat_map(|stroke| stroke.actions()).fold(keyboard, KeyActions::then);
        self.client.perform_actions(actions).await.expect("the keys are pressed");
    }

    /// Presses keys, and waits until another page replaces this one.
    pub(crate) async fn keys_to_next_page(&self, strokes: &[Stroke<'_>]) {
        let what = format!("{strokes:?} on {:?}", self.focused().await);
        self.to_next_page(&what, async || {
            self.keys(strokes).await;
            Ok(())
        })
        .await;
    }

    /// The accessible name of the focused element, as a screen reader says it: the label of a control, the
    /// text of a button or link. Empty if nothing has the focus.
    pub(crate) async fn focused(&self) -> String {
        self.stop().await.1
    }

    /// Presses Tab until the element with this name has the focus.
    pub(crate) async fn tab_to(&self, name: &str) {
        self.tab_until(name, |stop| stop == name).await;
    }

    /// Presses Tab until an element has the focus whose name begins with this text.
    pub(crate) async fn tab_to_beginning(&self, name: &str) {
        self.tab_until(name, |stop| stop.starts_with(name)).await;
    }

    async fn tab_until(&self, name: &str, is_it: impl Fn(&str) -> bool) {
        let mut stops: Vec<(String, String)> = Vec::new();
        loop {
            self.keys(&[Stroke::Tab]).await;
            let stop = self.stop().await;
            if is_it(&stop.1) {
                return;
            }
            let comes_round = stops.iter().any(|(element, _)| *element == stop.0);
            let names: Vec<&String> = stops.iter().map(|(_, name)| name).collect();
            assert!(!comes_round, "Tab never comes to {name:?}; it comes to {names:?}");
            stops.push(stop);
        }
    }

    /// The focused element: its reference and its accessible name.
    async fn stop(&self) -> (String, String) {
        let element = self.client.active_element().await.expect("the body at least").element_id();
        let name = self.extension(&format!("element/{element}/computedlabel"), None).await.expect("a name");
        (element.into(), name.as_str().expect("text").to_owned())
    }
}

impl Stroke<'_> {
    fn actions(self) -> Vec<KeyAction> {
        let press = |key: char| [KeyAction::Down { value: key }, KeyAction::Up { value: key }];
        let shift = char::from(Key::Shift);
        match self {
            Stroke::Tab => press(Key::Tab.into()).into(),
            Stroke::ShiftTab => {
                let [down, up] = press(Key::Tab.into());
                vec![KeyAction::Down { value: shift }, down, up, KeyAction::Up { value: shift }]
            }
            Stroke::Enter => press(Key::Enter.into()).into(),
            Stroke::Space => press(' ').into(),
            Stroke::Up => press(Key::Up.into()).into(),
            Stroke::Down => press(Key::Down.into()).into(),
            Stroke::Text(text) => text.chars().flat_map(press).collect(),
        }
    }
}
