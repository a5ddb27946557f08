//! Pages of lists: each rule is tested on every list.

use domain::line::LineOfBusiness;
use std::cmp::Reverse;

use domain::date::{Date, Timestamp, day_of};
use domain::id::{PartnerId, SessionId, Uuid};
use domain::identifier::Reference;
use domain::period::Period;
use ports::storage::Storage;
use ports::storage::lists::{Beyond, ListPosition, ListStart, Page, Selection};

use crate::health_sample::{imported_policy, imported_proposal, records};
use crate::sample::{health, health_quote, id, later, now};

/// The day of `now()`.
const TODAY: Selection =
    Selection::Period(Period { first: Date::constant(2026, 11, 20), last: Date::constant(2026, 11, 20) });

const HOUR: i64 = 3_600_000_000;

#[derive(Debug, Clone, Copy, PartialEq)]
enum List {
    Quotes,
    Proposals,
    Policies,
}

const LISTS: [List; 3] = [List::Quotes, List::Proposals, List::Policies];

/// RowFields of a record that decide its place in a list.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Listed {
    position: ListPosition,
    /// If a proposal has a session, it also has a reference.
    session: Option<SessionId>,
}

/// Reference of the proposals that have a session.
const REFERENCE: &str = "LN-0001";

impl Listed {
    fn of(created_at: Timestamp, id: Uuid, session: Option<SessionId>) -> Self {
        Listed { position: ListPosition { created_at, id }, session }
    }
}

impl List {
    /// Writes a record for each of `times`, in microseconds from now. Every third one has the session.
    async fn has(self, store: &dyn Storage, of: PartnerId, session: SessionId, times: &[i64]) -> Vec<Listed> {
        let of_session = |number: usize| number.is_multiple_of(3).then_some(session);
        let mut listed = Vec::new();
        let (mut proposals, mut policies) = (Vec::new(), Vec::new());
        for (number, after) in times.iter().enumerate() {
            let (at, session) = (later(*after), of_session(number));
            let uuid = match self {
                List::Quotes => {
                    let mut quote = health_quote(of);
                    quote.created_at = at;
                    quote.request.session = session;
                    store.keep_health_quote(&quote, None).await.unwrap();
                    quote.id.uuid()
                }
                List::Proposals => {
                    proposals.push(imported_proposal(of, at));
                    let proposal = proposals.last_mut().unwrap();
                    proposal.session = session;
                    proposal.reference = session.map(|_| Reference::kept(REFERENCE));
                    proposal.id.uuid()
                }
                List::Policies => {
                    policies.push(imported_policy(of, at));
                    let policy = policies.last_mut().unwrap();
                    policy.session = session;
                    policy.id.uuid()
                }
            };
            listed.push(Listed::of(at, uuid, session));
        }
        health(store).import_proposals(records(&proposals)).await.unwrap();
        store.import_policies(records(&policies)).await.unwrap();
        listed
    }

    /// Reads a page, and of each record only the fields that decide its place.
    async fn page(
        self,
        store: &dyn Storage,
        of: PartnerId,
        which: Selection,
        from: ListStart,
        most: usize,
    ) -> Page<Listed> {
        match self {
            List::Quotes => store.health_quotes(of, which, from, most).await.unwrap().try_map(|quote| {
                Ok::<_, ()>(Listed::of(quote.created_at, quote.id.uuid(), quote.request.session))
            }),
            List::Proposals => {
                health(store).proposals(of, which, from, most).await.unwrap().try_map(|proposal| {
                    Ok::<_, ()>(Listed::of(proposal.created_at, proposal.id.uuid(), proposal.session))
                })
            }
            List::Policies => store
                .policies(of, Some(LineOfBusiness::Health), which, from, most, day_of(now()))
                .await
                .unwrap()
                .try_map(|policy| {
                    Ok::<_, ()>(Listed::of(policy.issued_at, policy.id.uuid(), policy.session))
                }),
        }
        .unwrap()
    }

    /// Selections that the list supports. Only policies support all records (D31), only proposals a reference
    /// (D79).
    fn selections(self, session: SessionId) -> Vec<Selection> {
        let both = vec![TODAY, Selection::Session(session)];
        match self {
            List::Quotes => both,
            List::Proposals => [both, vec![Selection::Reference(Reference::kept(REFERENCE))]].concat(),
            List::Policies => [both, vec![Selection::All]].concat(),
        }
    }
}

/// Records that a selection contains, newest first.
fn selected(records: &[Listed], which: &Selection) -> Vec<Listed> {
    let is_selected = |record: &&Listed| match which {
        Selection::All => true,
        Selection::Period(_) | Selection::PeriodIn(..) => record.position.created_at >= now(),
        Selection::Session(session) => record.session == Some(*session),
        Selection::Reference(_) => record.session.is_some(),
    };
    let mut selected: Vec<Listed> = records.iter().filter(is_selected).copied().collect();
    match which {
        // Ids sort by their time of creation.
        Selection::Reference(_) => selected.sort_by_key(|record| Reverse(record.position.id)),
        _ => selected.sort_by_key(|record| Reverse(record.position)),
    }
    selected
}

/// Walk through a list with a given page size.
struct Walk<'w> {
    store: &'w dyn Storage,
    list: List,
    of: PartnerId,
    which: Selection,
    most: usize,
    /// All records that the walk must see, newest first.
    all: Vec<Listed>,
}

impl Walk<'_> {
    async fn page(&self, from: ListStart) -> Page<Listed> {
        let page = self.list.page(self.store, self.of, self.which.clone(), from, self.most).await;
        assert!(!page.records.is_empty() && page.records.len() <= self.most, "{}", self.shown());
        assert_eq!(page.count, self.all.len() as u64, "{}", self.shown());
        page
    }

    fn shown(&self) -> String {
        format!("{:?} by {:?}, {} at once", self.list, self.which, self.most)
    }

    /// Walks from the newest record to the oldest. Returns the oldest one's position.
    async fn forward(&self) -> ListPosition {
        let (mut seen, mut from) = (Vec::<Listed>::new(), None);
        loop {
            let page = self.page(from).await;
            assert_eq!(page.has_newer, !seen.is_empty(), "{}", self.shown());
            seen.extend(&page.records);
            assert_eq!(page.has_older, seen.len() < self.all.len(), "{}", self.shown());
            let last = seen.last().unwrap().position;
            if !page.has_older {
                assert_eq!(seen, self.all, "forward, {}", self.shown());
                return last;
            }
            from = Some(Beyond::After(last));
        }
    }

    /// Walks from the oldest record, at this position, to the newest.
    async fn back(&self, oldest: ListPosition) {
        let (mut seen, mut from) = (vec![*self.all.last().unwrap()], Some(Beyond::Before(oldest)));
        while seen.len() < self.all.len() {
            let page = self.page(from).await;
            assert!(page.has_older, "{}", self.shown());
            seen.extend(page.records.iter().rev());
            assert_eq!(page.has_newer, seen.len() < self.all.len(), "{}", self.shown());
            from = Some(Beyond::Before(page.records[0].position));
        }
        seen.reverse();
        assert_eq!(seen, self.all, "back, {}", self.shown());
    }
}

pub async fn every_record_is_on_exactly_one_page_in_both_directions(store: &dyn Storage) {
    // D31, D33
    for list in LISTS {
        let (of, session) = (id(), id());
        // Most records are of today, in pairs of one instant, so that ids decide too. Some are of days long
        // ago.
        let times: Vec<i64> = (0..23).map(|n| if n < 17 { n / 2 * 7 } else { -n * 40 * 24 * HOUR }).collect();
        let made = list.has(store, of, session, &times).await;
        for which in list.selections(session) {
            let all = selected(&made, &which);
            for most in [1, 4, all.len(), 100] {
                let walk = Walk { store, list, of, which: which.clone(), most, all: all.clone() };
                let oldest = walk.forward().await;
                walk.back(oldest).await;
            }
        }
    }
}

pub async fn records_of_the_same_instant_are_ordered_by_their_ids(store: &dyn Storage) {
    // D33
    for list in LISTS {
        let (of, session) = (id(), id());
        let mut made = list.has(store, of, session, &[5; 7]).await;
        made.sort_by_key(|record| Reverse(record.position.id));
        let first = list.page(store, of, TODAY, None, 3).await;
        let behind = Some(Beyond::After(first.records[2].position));
        let second = list.page(store, of, TODAY, behind, 10).await;
        assert_eq!([first.records, second.records].concat(), made, "{list:?}");
    }
}

pub async fn a_page_and_its_count_contain_only_records_of_its_partner_and_selection(store: &dyn Storage) {
    // D3, D32: days are calendar days in Kolkata. `now()` is 10:00 there.
    for list in LISTS {
        let (of, session) = (id(), id());
        let midnight = -10 * HOUR;
        let edges = [midnight - 1, midnight, midnight + 24 * HOUR - 1, midnight + 24 * HOUR];
        let made = list.has(store, of, session, &edges).await;
        list.has(store, id(), session, &edges).await;
        let wide = Period { first: Date::constant(2026, 11, 19), last: Date::constant(2026, 11, 21) };
        for (which, wanted) in [
            (TODAY, vec![made[2], made[1]]),
            (Selection::Period(wide), vec![made[3], made[2], made[1], made[0]]),
            (Selection::Session(session), vec![made[3], made[0]]),
            (Selection::All, vec![made[3], made[2], made[1], made[0]]),
        ] {
            if which == Selection::All && !list.selections(session).contains(&which) {
                continue;
            }
            let page = list.page(store, of, which.clone(), None, 20).await;
            assert_eq!((page.count, page.has_newer, page.has_older), (wanted.len() as u64, false, false));
            assert_eq!(page.records, wanted, "{list:?} by {which:?}");
            let page = list.page(store, id(), which.clone(), None, 20).await;
            assert_eq!((page.records.len(), page.count), (0, 0), "{list:?} by {which:?}");
        }
    }
}
