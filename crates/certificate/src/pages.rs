//! Page breaks: stacks rows until a page is full.

use crate::{
    block::{Strip, StripRow},
    style::{BOTTOM, FIRST_TOP, LATER_TOP, SECTION_GAP_SHRINK, SECTION_GAP_STRETCH},
};

/// Content of one page. Each number is a distance from the top of the page, in points.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) strips: Vec<(f32, Strip)>,
    /// Top and bottom of each tinted area.
    pub(crate) tints: Vec<(f32, f32)>,
    pub(crate) bookmarks: Vec<(f32, &'static str)>,
}

/// Stacks rows on as many pages as they need. Rows that stay together move to the next page together, if one
/// page can hold them. If all rows fit on a single page, its spare room is divided among the sections. Room
/// that is still left goes above the last section, so that this section ends at the page's bottom.
pub(crate) fn paginate(mut rows: Vec<StripRow>) -> Vec<Page> {
    spread(&mut rows);
    let mut stack = Stack { pages: vec![Page::default()], cursor: FIRST_TOP };
    let mut rows = rows.into_iter().peekable();
    while let Some(row) = rows.next() {
        let mut group = vec![row];
        while group.last().is_some_and(|row| row.stays_with_next) {
            match rows.next() {
                Some(row) => group.push(row),
                None => break,
            }
        }
        stack.make_room_for(&group);
        group.into_iter().for_each(|row| stack.push(row));
    }
    stack.pages
}

/// Divides the spare room of a single page among its sections. If the rows slightly exceed a page, reduces
/// the space above the sections so that they fit.
fn spread(rows: &mut [StripRow]) {
    let sections = rows.iter().filter(|row| row.begins_section).count() as f32;
    let height: f32 = rows.iter().map(|row| row.space_above + row.height()).sum();
    // Slightly less than the real room, so that rounding cannot push the last row to the next page.
    let spare = BOTTOM - FIRST_TOP - height - 0.5;
    let each = (spare / sections).min(SECTION_GAP_STRETCH);
    if sections == 0.0 || each < -SECTION_GAP_SHRINK {
        return;
    }
    let mut last = None;
    for row in rows.iter_mut().filter(|row| row.begins_section) {
        row.space_above += each;
        last = Some(row);
    }
    if let Some(last) = last {
        last.space_above += spare - each * sections;
    }
}

struct Stack {
    pages: Vec<Page>,
    cursor: f32,
}

impl Stack {
    fn make_room_for(&mut self, group: &[StripRow]) {
        let height: f32 = group.iter().map(|row| row.space_above + row.height()).sum();
        if self.cursor + height > BOTTOM && LATER_TOP + height <= BOTTOM {
            self.break_page();
        }
    }

    fn push(&mut self, row: StripRow) {
        if !self.is_at_top() {
            self.cursor += row.space_above;
        }
        let mut tint_from = self.cursor;
        let mut bookmark = row.bookmark;
        for strip in row.strips {
            if self.cursor + strip.height > BOTTOM && !self.is_at_top() {
                self.tint(row.is_tinted, tint_from);
                self.break_page();
                tint_from = self.cursor;
            }
            let (top, height) = (self.cursor, strip.height);
            let page = self.page();
            page.bookmarks.extend(bookmark.take().map(|title| (top, title)));
            page.strips.push((top, strip));
            self.cursor += height;
        }
        self.tint(row.is_tinted, tint_from);
    }

    fn tint(&mut self, is_tinted: bool, from: f32) {
        let to = self.cursor;
        if is_tinted && to > from {
            self.page().tints.push((from, to));
        }
    }

    fn break_page(&mut self) {
        self.pages.push(Page::default());
        self.cursor = LATER_TOP;
    }

    fn is_at_top(&self) -> bool {
        self.pages.last().is_none_or(|page| page.strips.is_empty())
    }

    fn page(&mut self) -> &mut Page {
        self.pages.last_mut().expect("a page: the stack begins with one")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(heights: &[f32]) -> StripRow {
        StripRow::of(heights.iter().map(|height| Strip::space(*height)).collect())
    }

    fn assert_apart_and_inside(pages: &[Page]) {
        for page in pages {
            for pair in page.strips.windows(2) {
                assert!(pair[0].0 + pair[0].1.height <= pair[1].0 + 0.01, "strips overlap");
            }
            for (top, strip) in &page.strips {
                assert!(*top >= FIRST_TOP && top + strip.height <= BOTTOM + 0.01, "a strip leaves the page");
            }
        }
    }

    #[test]
    fn rows_that_fit_stand_on_one_page() {
        let pages = paginate((0..10).map(|_| row(&[20.0, 20.0])).collect());
        assert_eq!(pages.len(), 1);
        assert_apart_and_inside(&pages);
    }

    #[test]
    fn a_row_that_does_not_fit_moves_to_the_next_page_whole() {
        let pages = paginate(vec![row(&[700.0]), row(&[40.0, 40.0])]);
        assert_eq!(pages.iter().map(|page| page.strips.len()).collect::<Vec<_>>(), [1, 2]);
        assert_apart_and_inside(&pages);
    }

    #[test]
    fn a_row_taller_than_a_page_breaks_between_its_strips() {
        let pages = paginate(vec![row(&[30.0; 60])]);
        assert_eq!(pages.len(), 3);
        assert_apart_and_inside(&pages);
    }

    #[test]
    fn a_heading_is_never_the_last_row_of_a_page() {
        let heading = StripRow { stays_with_next: true, ..row(&[20.0]) };
        let pages = paginate(vec![row(&[710.0]), heading, row(&[30.0])]);
        assert_eq!(pages.iter().map(|page| page.strips.len()).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn spare_space_on_a_page_widens_the_gaps_above_its_sections() {
        let section = || StripRow { begins_section: true, ..row(&[100.0]) };
        let pages = paginate(vec![row(&[100.0]), section(), section()]);
        let tops: Vec<f32> = pages[0].strips.iter().map(|(top, _)| *top).collect();
        assert_eq!(tops[1] - tops[0], 100.0 + SECTION_GAP_STRETCH);
        assert!((BOTTOM - tops[2] - 100.0) < 1.0, "the last section ends the page");
    }

    #[test]
    fn gaps_between_sections_shrink_if_that_saves_a_page() {
        let section = || StripRow { begins_section: true, space_above: SECTION_GAP_SHRINK, ..row(&[100.0]) };
        let sections: Vec<StripRow> = (0..7).map(|_| section()).collect();
        let pages = paginate([row(&[BOTTOM - FIRST_TOP - 720.0])].into_iter().chain(sections).collect());
        assert_eq!(pages.len(), 1);
        assert_apart_and_inside(&pages);
    }
}
