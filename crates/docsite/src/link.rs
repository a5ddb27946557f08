//! Resolves the links in the Markdown of a page.

use crate::source::SECTIONS;

/// Path below which the site is served.
pub const ROOT: &str = "/docs";

/// URL path of the page with this name.
pub(crate) fn page(name: &str) -> String {
    if name == "index" { ROOT.to_owned() } else { format!("{ROOT}/{name}") }
}

/// Whether the site has a guide with this name.
pub(crate) fn is_page(name: &str) -> bool {
    SECTIONS.iter().any(|(_, pages)| pages.contains(&name))
}

/// Resolves a link target in a page. The page's file is in `folder`, which is empty or ends with a slash.
/// Pages link to the files of other pages, so that the links also work in the repository.
pub(crate) fn from_page(folder: &str, target: &str) -> Option<String> {
    if is_whole(target) {
        return Some(target.to_owned());
    }
    let (file, anchor) = match target.split_once('#') {
        Some((file, anchor)) => (file, format!("#{anchor}")),
        None => (target, String::new()),
    };
    let path = match file.strip_prefix("../") {
        Some(above) => above.to_owned(),
        None => format!("{folder}{file}"),
    };
    let name = path.strip_suffix(".md")?;
    Some(page(name) + &anchor)
}

/// Resolves a link target in the changelog. A link to a document leads to the guide with the same name.
/// `None` if there is no such guide.
pub(crate) fn from_changelog(target: &str) -> Option<String> {
    if target.starts_with("https://") {
        return Some(target.to_owned());
    }
    let name = target.strip_prefix("docs/")?.split('#').next()?.strip_suffix(".md")?;
    is_page(name).then(|| page(name))
}

/// Whether a link target needs no resolving: a URL, an absolute path, or an anchor on the same page.
fn is_whole(target: &str) -> bool {
    ["#", "/", "https://", "http://"].iter().any(|start| target.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_a_markdown_file_becomes_the_address_of_its_page() {
        assert_eq!(from_page("", "index.md").as_deref(), Some("/docs"));
        assert_eq!(from_page("", "errors/A4001.md#x").as_deref(), Some("/docs/errors/A4001#x"));
        assert_eq!(from_page("errors/", "../tokens.md").as_deref(), Some("/docs/tokens"));
        assert_eq!(from_page("errors/", "A4030.md").as_deref(), Some("/docs/errors/A4030"));
        assert_eq!(from_page("", "#here").as_deref(), Some("#here"));
        assert_eq!(from_page("", "javascript:alert(1)"), None);
    }

    #[test]
    fn the_changelog_links_only_to_guides_for_partners() {
        assert_eq!(from_changelog("docs/policies.md#changing-a-policy").as_deref(), Some("/docs/policies"));
        assert_eq!(from_changelog("docs/operating.md"), None);
    }
}
