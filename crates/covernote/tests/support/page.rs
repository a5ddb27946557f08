//! A page as a customer reads it: title, headings, fields with their faults.

use super::answer::Answer;

/// A page with its address.
#[derive(Debug)]
pub struct Page {
    pub answer: Answer,
    /// Path and query.
    pub at: String,
}

/// An element: its attributes, and the HTML up to the next end tag of its kind.
#[derive(Debug)]
pub struct Element<'p> {
    pub name: &'p str,
    attributes: Vec<(&'p str, String)>,
    inner: &'p str,
}

impl Element<'_> {
    /// The value of an attribute. Empty for an attribute without a value.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// The text of the element.
    pub fn text(&self) -> String {
        words(self.inner)
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.attribute(name) == Some(value)
    }
}

/// A part of a page's HTML.
#[derive(Clone, Copy)]
pub struct Part<'p>(pub &'p str);

impl<'p> Part<'p> {
    /// Every element of the part, in order.
    pub fn elements(self) -> impl Iterator<Item = Element<'p>> {
        let html = self.0;
        html.match_indices('<').filter_map(move |(at, _)| element(&html[at + 1..]))
    }

    /// Every element of a kind.
    pub fn all(self, name: &str) -> impl Iterator<Item = Element<'p>> {
        self.elements().filter(move |element| element.name == name)
    }

    /// The text of each element of a kind.
    pub fn texts(self, name: &str) -> Vec<String> {
        self.all(name).map(|element| element.text()).collect()
    }

    /// The text of the part.
    pub fn text(self) -> String {
        words(self.0)
    }
}

/// The element whose tag begins here, after its `<`.
fn element(rest: &str) -> Option<Element<'_>> {
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric())?;
    let (name, mut rest) = rest.split_at(length);
    if name.is_empty() {
        return None;
    }
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(inner) = rest.strip_prefix('>') {
            let end = inner.find(&format!("</{name}>")).unwrap_or(0);
            return Some(Element { name, attributes, inner: &inner[..end] });
        }
        let length = rest.find(|c: char| c == '=' || c == '>' || c.is_whitespace())?;
        let (attribute, behind) = rest.split_at(length);
        let (value, behind) = match behind.strip_prefix("=\"") {
            Some(quoted) => quoted.split_once('"')?,
            None => ("", behind),
        };
        attributes.push((attribute, unescaped(value)));
        rest = behind;
    }
}

/// Text without tags, with single spaces.
fn words(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        rest = tag.split_once('>').map_or("", |(_, behind)| behind);
    }
    text.push_str(rest);
    unescaped(&text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text with character references replaced.
fn unescaped(text: &str) -> String {
    ["&#60;<", "&#62;>", "&#34;\"", "&#39;'", "&#38;&"].iter().fold(text.to_owned(), |text, pair| {
        let (escape, plain) = pair.split_at(5);
        text.replace(escape, plain)
    })
}

impl Page {
    pub fn status(&self) -> u16 {
        self.answer.status
    }

    /// The target of a redirect, as a path relative to the page.
    pub fn location(&self) -> Option<&str> {
        self.answer.header("location")
    }

    /// The last part of the address without query, such as `who`.
    pub fn name(&self) -> &str {
        let path = self.at.split('?').next().expect("one part");
        path.rsplit('/').next().expect("one part")
    }

    pub fn whole(&self) -> Part<'_> {
        Part(&self.answer.text)
    }

    /// The text of its first element of a kind.
    #[track_caller]
    fn first(&self, name: &str) -> String {
        let first = self.whole().all(name).next();
        first.unwrap_or_else(|| panic!("{} has no {name}: {}", self.at, self.answer.text)).text()
    }

    #[track_caller]
    pub fn title(&self) -> String {
        self.first("title")
    }

    #[track_caller]
    pub fn heading(&self) -> String {
        self.first("h1")
    }

    /// The language in the page's `lang` attribute.
    #[track_caller]
    pub fn language(&self) -> String {
        let html = self.whole().all("html").next().expect("a page");
        html.attribute("lang").expect("a language").to_owned()
    }

    pub fn has(&self, text: &str) -> bool {
        self.whole().text().contains(text)
    }

    #[track_caller]
    pub fn shows(&self, text: &str) {
        assert!(self.has(text), "{} lacks {text:?}: {}", self.at, self.whole().text());
    }

    #[track_caller]
    pub fn lacks(&self, text: &str) {
        assert!(!self.has(text), "{} has {text:?}: {}", self.at, self.whole().text());
    }

    /// The element with an id.
    pub fn by_id(&self, id: &str) -> Option<Element<'_>> {
        self.whole().elements().find(|element| element.is("id", id))
    }

    /// The target of the link with this text.
    #[track_caller]
    pub fn link(&self, text: &str) -> String {
        let link = self.whole().all("a").find(|link| link.text().contains(text));
        let link = link.unwrap_or_else(|| panic!("{} has no link {text:?}", self.at));
        link.attribute("href").expect("an address").to_owned()
    }

    /// The fields in the page's error summary, each with its message.
    pub fn faults(&self) -> Vec<(String, String)> {
        let Some((_, summary)) = self.answer.text.split_once(r#"id="faults""#) else { return Vec::new() };
        let summary = Part(summary.split("</div>").next().expect("one part"));
        let fault = |link: Element<'_>| {
            let field = link.attribute("href").and_then(|href| href.strip_prefix('#'));
            (field.expect("a link to a field").to_owned(), link.text())
        };
        summary.all("a").map(fault).collect()
    }

    /// Checks that exactly these fields have faults: each in the summary, with a link to an existing field,
    /// and with the same words beside the field.
    #[track_caller]
    pub fn has_faults_on(&self, fields: &[&str]) {
        assert_eq!(self.status(), 422, "{}", self.whole().text());
        let faults = self.faults();
        let found: Vec<&str> = faults.iter().map(|(field, _)| field.as_str()).collect();
        assert_eq!(found, fields, "{faults:?}");
        for (field, message) in &faults {
            assert!(!message.is_empty(), "{field}");
            let control = self.by_id(field).unwrap_or_else(|| panic!("no field {field}"));
            let beside = format!("{field}-fault");
            let described = control.attribute("aria-describedby").unwrap_or_default();
            assert!(described.split(' ').any(|id| id == beside), "{field} is described by {described:?}");
            assert_eq!(self.by_id(&beside).expect("a fault beside the field").text(), *message);
        }
        let all = self.whole().all("p").filter(|element| element.is("class", "fault")).count();
        assert_eq!(all, faults.len(), "as many beside the fields as in the summary");
    }

    /// The values of a field: its text, or every selected choice.
    pub fn values(&self, name: &str) -> Vec<String> {
        let fields = self.fields().into_iter();
        fields.filter(|(known, value)| known == name && !value.is_empty()).map(|(_, value)| value).collect()
    }

    /// The value of a field. Empty if there is none.
    pub fn value(&self, name: &str) -> String {
        self.values(name).pop().unwrap_or_default()
    }

    /// Names of the visible fields of the page's form.
    pub fn asks(&self) -> Vec<String> {
        let mut asked: Vec<String> = Vec::new();
        for field in self.form_html().elements() {
            let hidden = field.is("type", "hidden");
            if let (Some(name), false, false) = (field.attribute("name"), hidden, field.name == "button")
                && !asked.iter().any(|known| known == name)
            {
                asked.push(name.to_owned());
            }
        }
        asked
    }

    /// The form with the id `main`, otherwise the page's last form.
    fn form_html(&self) -> Part<'_> {
        let html = self.answer.text.as_str();
        let main = html.find(r#"<form id="main""#);
        let at = main.or_else(|| html.rfind("<form ")).unwrap_or_else(|| panic!("no form on {}", self.at));
        Part(html[at..].split("</form>").next().expect("one part"))
    }

    /// The form's `action`.
    #[track_caller]
    pub fn action(&self) -> String {
        let form = self.form_html().elements().next().expect("a form");
        assert_eq!(form.attribute("method"), Some("post"));
        form.attribute("action").expect("an address").to_owned()
    }

    /// What a browser sends if nothing is typed.
    pub fn fields(&self) -> Vec<(String, String)> {
        let form = self.form_html();
        let mut fields = Vec::new();
        for field in form.elements() {
            let Some(name) = field.attribute("name") else { continue };
            let mut put = |value: &str| fields.push((name.to_owned(), value.to_owned()));
            match (field.name, field.attribute("type")) {
                ("input", Some("checkbox" | "radio")) if field.attribute("checked").is_none() => {}
                ("input", Some("checkbox" | "radio")) => put(field.attribute("value").expect("a value")),
                ("input", _) => put(field.attribute("value").unwrap_or_default()),
                ("select", _) => {
                    let chosen = Part(field.inner).all("option");
                    let chosen = chosen.into_iter().find(|option| option.attribute("selected").is_some());
                    put(chosen.as_ref().and_then(|option| option.attribute("value")).unwrap_or_default());
                }
                _ => {}
            }
        }
        fields
    }

    /// What a browser sends after these fields are filled in.
    pub fn filled(&self, with: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut fields = self.fields();
        fields.retain(|(name, _)| with.iter().all(|(typed, _)| typed != name));
        fields.extend(with.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        fields
    }
}
