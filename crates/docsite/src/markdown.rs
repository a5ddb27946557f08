//! Converts Markdown to HTML: headings with anchors, tables that scroll, links between pages.

use std::collections::BTreeSet;
use std::fmt::Write;

use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, TextMergeStream,
};

use crate::escape::html;
use crate::facts::Facts;

/// Rendered page, with the data that layout and search need.
#[derive(Debug, Default)]
pub(crate) struct Rendered {
    /// HTML below the title.
    pub(crate) html: String,
    /// Headings below the title, in order.
    pub(crate) headings: Vec<Heading>,
    /// Text for the search: first the text before the first heading, then the text below each heading.
    pub(crate) passages: Vec<Passage>,
}

/// Heading of a page, except the title.
#[derive(Debug)]
pub(crate) struct Heading {
    /// Level of the heading, from 2 to 6.
    pub(crate) level: u8,
    /// Anchor of the heading, unique on its page.
    pub(crate) id: String,
    pub(crate) text: String,
}

/// Text below one heading, or before the first heading.
#[derive(Debug, Default)]
pub(crate) struct Passage {
    /// Index of the heading in [`Rendered::headings`]. `None`: the text before the first heading.
    pub(crate) heading: Option<usize>,
    pub(crate) text: String,
}

/// Resolves a link target in the Markdown to a URL. `None` if the site has no such page; the link is then
/// shown as plain text.
pub(crate) type Resolve<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Renders Markdown as HTML. Leaves out the first heading of level 1, because it is the title, which the
/// layout shows.
pub(crate) fn render(markdown: &str, facts: &Facts, resolve: Resolve<'_>) -> Rendered {
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    let mut writer = Writer {
        facts,
        resolve,
        done: Rendered { passages: vec![Passage::default()], ..Rendered::default() },
        heading: None,
        in_title: false,
        cell: "td",
        labels: BTreeSet::new(),
        links: Vec::new(),
    };
    for event in TextMergeStream::new(Parser::new_ext(markdown, options)) {
        writer.event(event);
    }
    writer.done
}

/// Anchor of a heading: its words in lower case, joined by hyphens.
pub(crate) fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            ' ' | '-' => slug.push('-'),
            '_' => slug.push('_'),
            letter if letter.is_alphanumeric() => slug.extend(letter.to_lowercase()),
            _ => {}
        }
    }
    slug
}

struct Writer<'a> {
    facts: &'a Facts,
    resolve: Resolve<'a>,
    done: Rendered,
    /// Text of the heading that is being written, and the offset at which its HTML begins.
    heading: Option<(String, usize)>,
    /// Whether the title is being read. The title is left out, because the layout shows it.
    in_title: bool,
    /// Tag of the table cells that are being written: `th` or `td`.
    cell: &'static str,
    /// Labels of the tables so far. Each is unique on the page.
    labels: BTreeSet<String>,
    /// For each link that is still open: whether it has a URL. If not, only its text is written.
    links: Vec<bool>,
}

impl Writer<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            // Pages have no HTML of their own. Whatever looks like HTML is text, such as `<ACCESS_TOKEN>`.
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) => {
                self.put("<code>");
                self.text(&text);
                self.put("</code>");
            }
            Event::SoftBreak => self.text("\n"),
            Event::HardBreak => {
                self.put("<br>");
                self.note(" ");
            }
            Event::Rule => self.put("<hr>\n"),
            Event::TaskListMarker(_) => self.put("<span class=\"box\" aria-hidden=\"true\"></span>"),
            // The parser options for these are off.
            Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self.put("<p>"),
            Tag::Heading { level: HeadingLevel::H1, .. } => self.in_title = true,
            Tag::Heading { .. } => self.heading = Some((String::new(), self.done.html.len())),
            Tag::BlockQuote(_) => self.put("<div class=\"note\" role=\"note\">\n"),
            Tag::CodeBlock(kind) => self.code(&kind),
            Tag::List(None) => self.put("<ul>\n"),
            Tag::List(Some(1)) => self.put("<ol>\n"),
            Tag::List(Some(first)) => self.put(&format!("<ol start=\"{first}\">\n")),
            Tag::Item => self.put("<li>"),
            Tag::Table(_) => self.table(),
            Tag::TableHead => {
                self.cell = "th";
                self.put("<thead><tr>");
            }
            Tag::TableRow => self.put("<tr>"),
            Tag::TableCell if self.cell == "th" => self.put("<th scope=\"col\">"),
            Tag::TableCell => self.put("<td>"),
            Tag::Emphasis => self.put("<em>"),
            Tag::Strong => self.put("<strong>"),
            Tag::Strikethrough => self.put("<del>"),
            Tag::Link { dest_url, .. } => self.link(&dest_url),
            // The site has no pictures and shows their text instead. The parser options for the others are
            // off.
            Tag::Image { .. }
            | Tag::HtmlBlock
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.close("</p>\n"),
            TagEnd::Heading(HeadingLevel::H1) => self.in_title = false,
            TagEnd::Heading(level) => self.end_heading(level as u8),
            TagEnd::BlockQuote(_) => self.put("</div>\n"),
            TagEnd::CodeBlock => self.close("</code></pre>\n"),
            TagEnd::List(true) => self.put("</ol>\n"),
            TagEnd::List(false) => self.put("</ul>\n"),
            TagEnd::Item => self.close("</li>\n"),
            TagEnd::Table => self.put("</tbody></table></div>\n"),
            TagEnd::TableHead => {
                self.cell = "td";
                self.put("</tr></thead><tbody>\n");
            }
            TagEnd::TableRow => self.close("</tr>\n"),
            TagEnd::TableCell => {
                let end = format!("</{}>", self.cell);
                self.close(&end);
            }
            TagEnd::Emphasis => self.put("</em>"),
            TagEnd::Strong => self.put("</strong>"),
            TagEnd::Strikethrough => self.put("</del>"),
            TagEnd::Link => {
                if self.links.pop() == Some(true) {
                    self.put("</a>");
                }
            }
            TagEnd::Image
            | TagEnd::HtmlBlock
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    /// Adds HTML to the page, but not to the search text.
    fn put(&mut self, html: &str) {
        if !self.in_title {
            self.done.html.push_str(html);
        }
    }

    /// Adds HTML to the page, and a space to the search text, so that words stay separate.
    fn close(&mut self, html: &str) {
        self.put(html);
        self.note(" ");
    }

    /// Adds text to the page and to the search text.
    fn text(&mut self, text: &str) {
        if self.in_title {
            return;
        }
        let text = self.facts.fill(text);
        self.done.html.push_str(&html(&text));
        self.note(&text);
    }

    fn note(&mut self, text: &str) {
        if self.in_title {
            return;
        }
        match (&mut self.heading, self.done.passages.last_mut()) {
            (Some((words, _)), _) => words.push_str(text),
            (None, Some(passage)) => passage.text.push_str(text),
            (None, None) => {}
        }
    }

    fn end_heading(&mut self, level: u8) {
        let Some((text, start)) = self.heading.take() else { return };
        let inner = self.done.html.split_off(start);
        let wanted = slug(&text);
        let taken = |id: &str| self.done.headings.iter().any(|heading| heading.id == id);
        let mut id = wanted.clone();
        let mut number = 1;
        while taken(&id) {
            number += 1;
            id = format!("{wanted}-{number}");
        }
        let line =
            format!("<h{level} id=\"{id}\"><a class=\"anchor\" href=\"#{id}\">{inner}</a></h{level}>\n");
        self.done.html.push_str(&line);
        self.done.passages.push(Passage { heading: Some(self.done.headings.len()), text: String::new() });
        self.done.headings.push(Heading { level, id, text });
    }

    fn code(&mut self, kind: &CodeBlockKind<'_>) {
        let language = match kind {
            CodeBlockKind::Fenced(info) => info.split_whitespace().next().unwrap_or_default(),
            CodeBlockKind::Indented => "",
        };
        self.put("<pre><code");
        if !language.is_empty() {
            let class = format!(" class=\"language-{}\"", html(language));
            self.put(&class);
        }
        self.put(">");
    }

    /// Opens a table, inside a region that scrolls sideways. The region's label contains the last heading.
    fn table(&mut self) {
        let heading = self.done.headings.last().map_or("this page", |heading| heading.text.as_str());
        let wanted = format!("Table: {heading}");
        let mut label = wanted.clone();
        let mut number = 1;
        while !self.labels.insert(label.clone()) {
            number += 1;
            label = format!("{wanted} ({number})");
        }
        let label = html(&label);
        let line =
            format!("<div class=\"table\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\"><table>\n");
        self.put(&line);
    }

    fn link(&mut self, target: &CowStr<'_>) {
        let target = self.facts.fill(target);
        let address = (self.resolve)(&target);
        self.links.push(address.is_some());
        if let Some(address) = address {
            let mut tag = String::new();
            // Do not tell other sites from which page a visitor comes.
            let rel = if address.starts_with("http") { " rel=\"noreferrer\"" } else { "" };
            let written = write!(tag, "<a href=\"{}\"{rel}>", html(&address));
            debug_assert!(written.is_ok(), "a string takes what is written to it");
            self.put(&tag);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(markdown: &str) -> Rendered {
        let facts = Facts {
            base_url: "https://a.example/<x>".to_owned(),
            journey_url: None,
            version: "1",
            codes: &[],
            changelog: "",
        };
        render(markdown, &facts, &|target| (target != "nowhere").then(|| target.to_owned()))
    }

    #[test]
    fn headings_of_a_page_have_different_anchors() {
        let page = rendered("# Title\n\n## One `two`\n\n## One two\n");
        let ids: Vec<&str> = page.headings.iter().map(|heading| heading.id.as_str()).collect();
        assert_eq!(ids, ["one-two", "one-two-2"]);
        assert!(!page.html.contains("Title"), "the layout shows the title: {}", page.html);
        assert!(page.html.contains(
            "<h2 id=\"one-two\"><a class=\"anchor\" href=\"#one-two\">One <code>two</code></a></h2>"
        ));
    }

    #[test]
    fn html_in_markdown_is_shown_as_text() {
        let page = rendered("a <b>c</b>\n\n<script>alert(1)</script>\n");
        assert!(page.html.contains("a &lt;b&gt;c&lt;/b&gt;"), "{}", page.html);
        assert!(page.html.contains("&lt;script&gt;"), "{}", page.html);
    }

    #[test]
    fn addresses_are_escaped_in_text_code_and_links() {
        let page = rendered("{base_url} `{base_url}` [x]({base_url})\n\n```sh\ncurl {base_url}\n```\n");
        assert_eq!(page.html.matches("https://a.example/&lt;x&gt;").count(), 4, "{}", page.html);
        assert!(!page.html.contains("<x>"), "{}", page.html);
    }

    #[test]
    fn a_scrolling_table_can_be_focused_by_keyboard_and_has_a_unique_label() {
        let page = rendered("## Fields\n\n| a |\n|---|\n| b |\n\n| c |\n|---|\n| d |\n");
        assert!(page.html.contains("aria-label=\"Table: Fields\" tabindex=\"0\""), "{}", page.html);
        assert!(page.html.contains("aria-label=\"Table: Fields (2)\""), "{}", page.html);
        assert!(page.html.contains("<th scope=\"col\">a</th>") && page.html.contains("<td>b</td>"));
    }

    #[test]
    fn a_link_without_a_known_target_becomes_plain_text() {
        let page = rendered("[a](nowhere) [b](#x)\n");
        assert!(page.html.contains("<p>a <a href=\"#x\">b</a></p>"), "{}", page.html);
    }
}
