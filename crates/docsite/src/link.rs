//! Where the links of a page's Markdown lead on the site.

use crate::source::SECTIONS;

/// The path below which the site is served.
pub const ROOT: &str = "/docs";

/// The address of a page by its name.
pub(crate) fn page(name: &str) -> String {
    if name == "index" { ROOT.to_owned() } else { format!("{ROOT}/{name}") }
}

/// Whether the site has a guide of this name.
pub(crate) fn is_page(name: &str) -> bool {
    SECTIONS.iter().any(|(_, pages)| pages.contains(&name))
}

/// Where a link leads from a page in the folder, which is empty or ends with a slash. Pages name each other's files, so that
/// the links work where the files are read as they are.
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

/// Where a link of the changelog leads: to the guide of the same name as the document that it names, if there is one.
pub(crate) fn from_changelog(target: &str) -> Option<String> {
    if target.starts_with("https://") {
        return Some(target.to_owned());
    }
    let name = target.strip_prefix("docs/")?.split('#').next()?.strip_suffix(".md")?;
    is_page(name).then(|| page(name))
}

/// Whether the target is an address of its own, or a place on the same page.
fn is_whole(target: &str) -> bool {
    ["#", "/", "https://", "http://"].iter().any(|start| target.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_pages() {
        assert_eq!(from_page("", "index.md").as_deref(), Some("/docs"));
        assert_eq!(from_page("", "errors/A4001.md#x").as_deref(), Some("/docs/errors/A4001#x"));
        assert_eq!(from_page("errors/", "../tokens.md").as_deref(), Some("/docs/tokens"));
        assert_eq!(from_page("errors/", "A4030.md").as_deref(), Some("/docs/errors/A4030"));
        assert_eq!(from_page("", "#here").as_deref(), Some("#here"));
        assert_eq!(from_page("", "javascript:alert(1)"), None);
    }

    #[test]
    fn the_changelog_leads_to_guides_alone() {
        assert_eq!(from_changelog("docs/policies.md#changing-a-policy").as_deref(), Some("/docs/policies"));
        assert_eq!(from_changelog("docs/operating.md"), None);
    }
}
