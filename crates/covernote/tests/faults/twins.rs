//! Many requests with one idempotency key, with kills in between. The work is done once, and all get its
//! answer.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};

use serde_json::json;

use crate::bodies;
use crate::check::check;
use crate::dice::Dice;
use crate::http::Request;
use crate::journal::{Acknowledged, Journal, Recommended, Written};
use crate::load::{Client, Common, LABEL, Outcome, QUOTE, RECOMMENDATION, SESSION, labelled};
use crate::long_or;
use crate::site::Site;

/// Number of requests with one key.
const TWINS: usize = 16;

/// Sends each of `keys` requests with 16 twins at once, and calls `meanwhile` until all are answered. Returns
/// a journal of the records, of which there must be one for each key.
pub fn send(common: &Arc<Common>, keys: usize, mut meanwhile: impl FnMut()) -> Journal {
    let (together, answered) = (Arc::new(Barrier::new(TWINS)), Arc::new(AtomicUsize::new(0)));
    let twins: Vec<_> = (0..TWINS)
        .map(|number| {
            let mut client = Client::new(number, common.clone());
            let (together, answered) = (together.clone(), answered.clone());
            std::thread::spawn(move || {
                let mut answers = Vec::new();
                for key in 0..keys {
                    together.wait();
                    // If one twin gives up, the others must not wait for it. The end of the test checks that
                    // all were done.
                    answers.push(match client.tell(&request(key)) {
                        Outcome::Made(answer) => Some(answer),
                        Outcome::Unknown => None,
                    });
                    answered.fetch_add(1, Ordering::SeqCst);
                }
                (client.journal, answers)
            })
        })
        .collect();
    while answered.load(Ordering::SeqCst) < keys * TWINS && twins.iter().all(|twin| !twin.is_finished()) {
        meanwhile();
    }
    let (journals, answers): (Vec<Journal>, Vec<_>) =
        twins.into_iter().map(|twin| twin.join().expect("no panic")).unzip();
    let mut journal = Journal::of_all(journals);
    journal.has_no_faults();
    for key in 0..keys {
        let told: Vec<_> = answers.iter().map(|twin| twin[key].as_ref().expect("done: no faults")).collect();
        let first = told[0];
        for twin in &told {
            assert_eq!((twin.status, twin.text()), (first.status, first.text()), "of key {key}");
        }
        let answer = first.json();
        let id =
            [&answer["session_id"], &answer["payload"]["quote_id"]].into_iter().find_map(|id| id.as_str());
        let written = Written {
            label: label(key),
            acknowledged: Some(Acknowledged { id: id.expect("an id").to_owned(), mark: 0 }),
        };
        match key % 3 {
            0 => journal.sessions.push(written),
            1 => journal.quotes.push(written),
            _ => journal.recommendations.push(Recommended { written, session: None }),
        }
    }
    journal
}

fn label(key: usize) -> String {
    format!("twins {key}")
}

fn request(key: usize) -> Request {
    let label = label(key);
    let request = match key % 3 {
        0 => Request::post(SESSION, &json!({ "metadata": { LABEL: label } })),
        1 => Request::post(QUOTE, &labelled(bodies::quote(), &label)),
        _ => {
            let mut body = bodies::recommendation();
            body["customer"]["name"] = label.as_str().into();
            Request::post(RECOMMENDATION, &body)
        }
    };
    request.keyed(Some(label))
}

#[test]
fn only_one_of_sixteen_equal_requests_is_executed_even_if_the_server_is_killed() {
    let keys = long_or(1000, 60);
    let mut site = Site::sqlite();
    let mut server = site.server();
    let common = Common::new("twins", &site.token(&server), || 0);
    let mut target = common.targets.open(&server.base);
    let (mut dice, mut kills) = (Dice::new(2), 0);
    let journal = send(&common, keys, || {
        std::thread::sleep(std::time::Duration::from_millis(200 + dice.below(400)));
        target.is_killed();
        server.kill();
        common.targets.close(&target);
        server = site.server();
        target = common.targets.open(&server.base);
        kills += 1;
    });
    drop(server);
    check(&mut site, &journal);
    println!(
        "SQLite: {keys} keys, each sent by {TWINS} at once, {kills} kills meanwhile: one record each, and its answer to all"
    );
}
