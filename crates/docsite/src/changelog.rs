//! Changelog page for partners, made from the program's changelog.

use crate::source::{self, SECTIONS};

/// Introduction that is shown above the versions.
const INTRODUCTION: &str = "Changes for partners, newest version first. Numbers such as D28 refer to decisions in the \
                            program's documentation.\n\n";

/// Text of the changelog for partners: with [`INTRODUCTION`], without the original introduction and the parts
/// for operators.
pub(crate) fn for_partners(changelog: &str) -> String {
    let mut kept = String::from(INTRODUCTION);
    let mut is_introduction = true;
    let mut is_for_operators = false;
    for line in changelog.lines() {
        if line.starts_with("## ") {
            (is_introduction, is_for_operators) = (false, false);
        } else if let Some(heading) = line.strip_prefix("### ") {
            is_for_operators = heading.trim().eq_ignore_ascii_case("for operators");
        }
        if !is_introduction && !is_for_operators {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    with_titles(kept)
}

/// Replaces names of documents in links by the titles of the guides with the same name.
fn with_titles(changelog: String) -> String {
    let guides = SECTIONS.iter().flat_map(|(_, pages)| *pages);
    guides.filter_map(|name| Some((name, source::page(name)?))).fold(changelog, |text, (name, page)| {
        text.replace(&format!("[docs/{name}.md](docs/"), &format!("[{}](docs/", page.title()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changelog_link_to_a_guide_shows_the_title_of_the_guide() {
        let kept = for_partners(
            "## 1\n\nSee [docs/claims.md](docs/claims.md#x) and [docs/backup.md](docs/backup.md).\n",
        );
        assert!(
            kept.contains("See [Claims](docs/claims.md#x) and [docs/backup.md](docs/backup.md)."),
            "{kept}"
        );
    }

    #[test]
    fn the_changelog_for_partners_leaves_out_entries_for_operators() {
        let log = "# Changelog\n\nFor all.\n\n## Unreleased\n\n### For partners\n\n- a\n\n### For operators\n\n- b\n\n## 0.1.0\n\n- c\n";
        let kept = for_partners(log);
        assert!(kept.contains("- a") && kept.contains("## 0.1.0\n\n- c"), "{kept}");
        assert!(!kept.contains("- b") && !kept.contains("For all"), "{kept}");
    }
}
