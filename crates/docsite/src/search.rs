//! Search for words in the pages. It works without scripts.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use crate::escape::html;

/// Most characters of a query that are used. The rest of the query is ignored.
const LONGEST_QUERY: usize = 100;
/// Most words of a query that are used. The rest of the query is ignored.
const MOST_WORDS: usize = 8;
/// Most results of a search.
const MOST_HITS: usize = 25;
/// Most results of a search from the same page.
const MOST_OF_PAGE: usize = 3;
/// Most bytes of a snippet before the first match.
const BEFORE: usize = 60;
const AFTER: usize = 140;

/// Score of a match in the page's title, for the text before the first heading.
const IN_TITLE: usize = 40;
const IN_HEADING: usize = 12;
const IN_TEXT: usize = 1;
/// Score of a match in the page's title, for the text below a heading.
const BELOW_TITLE: usize = 3;

/// Searchable part of a page: the text below one heading, or before the first heading.
#[derive(Debug)]
pub(crate) struct Part {
    address: String,
    title: String,
    heading: String,
    text: String,
    folded_title: String,
    /// Heading in lower case. For the part before the first heading: additional search words of the page.
    folded_heading: String,
    folded_text: String,
    /// Whether this is the part before the first heading. A match in the page's title gives only this part
    /// the full score.
    is_lead: bool,
    /// Number by which the score is divided. It is higher for the changelog, because guides say the same in
    /// more detail.
    divisor: usize,
}

/// Searchable parts of all pages.
#[derive(Debug, Default)]
pub(crate) struct Index {
    parts: Vec<Part>,
}

impl Index {
    /// Adds a part of a page. The part before the first heading has an empty `heading`; it is also found by
    /// `other_words`.
    pub(crate) fn add(
        &mut self,
        address: String,
        title: &str,
        heading: &str,
        text: &str,
        other_words: &str,
        divisor: usize,
    ) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let folded_title = fold(title);
        let folded_heading = fold(if heading.is_empty() { other_words } else { heading });
        let folded_text = fold(&text);
        self.parts.push(Part {
            address,
            folded_title,
            folded_heading,
            folded_text,
            title: title.to_owned(),
            is_lead: heading.is_empty(),
            heading: heading.to_owned(),
            text,
            divisor,
        });
    }

    /// Parts that match all words, best first. If no part matches all words, the parts that match the most
    /// words.
    fn find(&self, words: &[String]) -> Vec<&Part> {
        let mut found: Vec<(usize, usize, usize)> = Vec::new();
        for (place, part) in self.parts.iter().enumerate() {
            let scores: Vec<usize> = words.iter().map(|word| part.score(word)).collect();
            let matched = scores.iter().filter(|score| **score > 0).count();
            if matched > 0 && part.has_of_its_own(words) {
                found.push((matched, scores.iter().sum::<usize>() * 4 / part.divisor, place));
            }
        }
        let most = found.iter().map(|(matched, ..)| *matched).max().unwrap_or_default();
        found.retain(|(matched, ..)| *matched == most);
        found.sort_by_key(|(_, score, place)| (Reverse(*score), *place));
        let mut of_page: BTreeMap<&str, usize> = BTreeMap::new();
        let parts = found.into_iter().map(|(.., place)| &self.parts[place]);
        let few = parts.filter(|part| {
            let count = of_page.entry(part.title.as_str()).or_default();
            *count += 1;
            *count <= MOST_OF_PAGE
        });
        few.take(MOST_HITS).collect()
    }
}

impl Part {
    fn score(&self, word: &str) -> usize {
        let title = match (self.folded_title.contains(word), self.is_lead) {
            (true, true) => IN_TITLE,
            (true, false) => BELOW_TITLE,
            (false, _) => 0,
        };
        let heading = if self.folded_heading.contains(word) { IN_HEADING } else { 0 };
        title + heading + IN_TEXT * self.folded_text.matches(word).take(3).count()
    }

    /// Whether one of the words is in the part itself. A match in the title of the page counts only for the
    /// part before the first heading.
    fn has_of_its_own(&self, words: &[String]) -> bool {
        words.iter().any(|word| {
            (self.is_lead && self.folded_title.contains(word))
                || self.folded_heading.contains(word)
                || self.folded_text.contains(word)
        })
    }
}

/// Query as it is shown to the user: without control characters, at most [`LONGEST_QUERY`] characters.
pub(crate) fn shown(query: &str) -> String {
    let letters = query.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    letters.take(LONGEST_QUERY).collect::<String>().trim().to_owned()
}

/// Search results as HTML, for a query that [`shown`] returned.
pub(crate) fn results(index: &Index, query: &str) -> String {
    let words = words(query);
    if words.is_empty() {
        return "<p>Write one or more words, such as <code>webhook signature</code>, <code>A4030</code> or \
                <code>policy_url</code>.</p>\n"
            .to_owned();
    }
    let hits = index.find(&words);
    if hits.is_empty() {
        return format!(
            "<p>No page matches <strong>{}</strong>. Try fewer words, or the name of a field.</p>\n",
            html(query)
        );
    }
    let mut page = String::new();
    let count = if hits.len() == 1 { "1 result".to_owned() } else { format!("{} results", hits.len()) };
    page += &format!("<p>{count} for <strong>{}</strong>.</p>\n<ol class=\"hits\">\n", html(query));
    for part in hits {
        let heading = if part.heading.is_empty() {
            String::new()
        } else {
            format!(" <span class=\"of\">›</span> {}", marked(&part.heading, &part.folded_heading, &words))
        };
        let line = write!(
            page,
            "<li><a href=\"{address}\">{title}{heading}</a>\n<p>{snippet}</p></li>\n",
            address = html(&part.address),
            title = marked(&part.title, &part.folded_title, &words),
            snippet = snippet(part, &words),
        );
        debug_assert!(line.is_ok(), "a string takes what is written to it");
    }
    page.push_str("</ol>\n");
    page
}

/// Words of a query. Everything except letters, digits and underscores separates words.
fn words(query: &str) -> Vec<String> {
    let folded = fold(query);
    let mut words: Vec<String> = Vec::new();
    for word in folded.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
        if !word.trim_matches('_').is_empty() && !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words.truncate(MOST_WORDS);
    words
}

/// Converts to lower case without changing byte positions. A character whose lower case has another length in
/// bytes is not converted.
fn fold(text: &str) -> String {
    let lower = |letter: char| {
        let mut lower = letter.to_lowercase();
        match (lower.next(), lower.next()) {
            (Some(small), None) if small.len_utf8() == letter.len_utf8() => small,
            _ => letter,
        }
    };
    text.chars().map(lower).collect()
}

/// Text of the part around the first match, as HTML.
fn snippet(part: &Part, words: &[String]) -> String {
    let text = &part.text;
    let first =
        words.iter().filter_map(|word| part.folded_text.find(word.as_str())).min().unwrap_or_default();
    let mut start = text.floor_char_boundary(first.saturating_sub(BEFORE));
    if start > 0 {
        start += text[start..first].find(' ').map_or(0, |space| space + 1);
    }
    let mut end = text.floor_char_boundary(first.saturating_add(AFTER));
    if end < text.len() {
        end = text[first..end].rfind(' ').map_or(end, |space| first + space);
    }
    let before = if start > 0 { "… " } else { "" };
    let after = if end < text.len() { " …" } else { "" };
    format!("{before}{}{after}", marked(&text[start..end], &part.folded_text[start..end], words))
}

/// Converts text to HTML, and marks the matches of the words. `folded` is the text in lower case.
fn marked(text: &str, folded: &str, words: &[String]) -> String {
    let mut marked = String::with_capacity(text.len() + 32);
    let mut done = 0;
    while done < text.len() {
        let next =
            words.iter().filter_map(|word| Some((folded[done..].find(word.as_str())? + done, word.len())));
        let Some((start, length)) = next.min_by_key(|(start, length)| (*start, Reverse(*length))) else {
            break;
        };
        marked.push_str(&html(&text[done..start]));
        marked.push_str("<mark>");
        marked.push_str(&html(&text[start..start + length]));
        marked.push_str("</mark>");
        done = start + length;
    }
    marked.push_str(&html(&text[done..]));
    marked
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn index() -> Index {
        let mut index = Index::default();
        index.add("/a".into(), "Tokens", "", "A text about quotes.", "", 1);
        index.add("/b".into(), "Other", "Tokens", "Nothing more.", "", 1);
        index.add("/c".into(), "Third", "", "Tokens tokens tokens tokens <b>", "keyring", 1);
        index.add("/d".into(), "Changelog", "", "Tokens tokens tokens", "", 3);
        index
    }

    fn addresses(query: &str) -> Vec<String> {
        let index = index();
        index.find(&words(query)).iter().map(|part| part.address.clone()).collect()
    }

    #[test]
    fn the_search_ranks_titles_before_headings_and_headings_before_text() {
        assert_eq!(addresses("TOKENS"), ["/a", "/b", "/c", "/d"]);
    }

    #[test]
    fn the_search_finds_the_parts_with_all_or_else_most_words_of_the_query() {
        assert_eq!(addresses("tokens quotes"), ["/a"]);
        assert_eq!(addresses("quotes zebra"), ["/a"]);
        assert!(addresses("zebra").is_empty());
    }

    #[test]
    fn a_page_is_found_by_keywords_that_its_text_does_not_contain() {
        assert_eq!(addresses("keyring"), ["/c"]);
        assert!(!results(&index(), "keyring").contains("<mark>"));
    }

    #[test]
    fn a_word_that_no_page_has_is_reported_and_the_other_words_are_searched() {
        let page = results(&index(), "TOEKNS <b>");
        assert!(
            page.contains("<strong>TOEKNS &lt;b&gt;</strong>") && page.contains("<mark>b</mark>"),
            "{page}"
        );
        assert!(results(&index(), "toekns").contains("No page matches"));
    }

    #[test]
    fn search_results_mark_the_words_of_the_query_and_escape_html() {
        let page = results(&index(), "tokens <b>");
        assert!(page.contains("<mark>Tokens</mark> <mark>tokens</mark>"), "{page}");
        assert!(page.contains("&lt;<mark>b</mark>&gt;"), "{page}");
        assert!(!page.contains("<b>"), "{page}");
    }

    #[test]
    fn a_query_without_words_is_answered_with_a_hint_to_write_words() {
        assert!(results(&index(), " --- ").starts_with("<p>Write one or more words"));
    }

    proptest! {
        #[test]
        fn conversion_to_lower_case_keeps_the_byte_position_of_every_letter(text in any::<String>()) {
            let folded = fold(&text);
            prop_assert_eq!(text.len(), folded.len());
            prop_assert!(text.char_indices().map(|(at, _)| at).eq(folded.char_indices().map(|(at, _)| at)));
        }

        #[test]
        fn search_results_for_any_query_and_text_contain_only_known_html_tags(query in any::<String>(), text in any::<String>()) {
            let mut index = index();
            index.add("/e".into(), &text, &text, &text, &text, 1);
            let query = shown(&query);
            prop_assert!(query.chars().count() <= LONGEST_QUERY);
            let page = results(&index, &query);
            let tags = page.split('<').skip(1).map(|tag| tag.split(['>', ' ']).next().unwrap_or_default());
            for tag in tags {
                let known = ["p", "/p", "ol", "/ol", "li", "/li", "a", "/a", "mark", "/mark", "span", "/span", "strong", "/strong", "code", "/code"];
                prop_assert!(known.contains(&tag), "{} in {}", tag, page);
            }
        }
    }
}
