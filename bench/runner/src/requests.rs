//! Each kind of request at the highest rate, compared with the minimal server `ceiling`.

use std::fs;
use std::path::Path;
use std::process::Command;

use futures_util::future::join_all;

use crate::client::Partner;
use crate::load::{Measured, Request, closed};
use crate::numbers::{Spread, print};
use crate::postgres::Cluster;
use crate::server::{Manner, Server};
use crate::{Bench, Fault, step};

/// Number of health quotes that are stored before reads are measured.
const STORED: usize = 200;

/// Name of the row whose store contains only quotes.
const LOGGED: &str = "quote on SQLite, a log line each";

/// Row of the table.
struct Row<'a> {
    name: &'static str,
    servers: Vec<&'a Server>,
    request: Request,
    database: Option<&'a Cluster>,
    /// Number of answered requests, including the warm-up.
    answered: f64,
    rounds: Vec<Round>,
}

/// Result of one round of a row.
struct Round {
    measured: Measured,
    /// CPU time of the servers for each request, in microseconds.
    processor: f64,
    /// CPU time of PostgreSQL for each request, in microseconds.
    database: f64,
    /// Memory of the largest server, in MB.
    memory: f64,
}

pub(crate) async fn measure(bench: &Bench) -> Result<(), Fault> {
    let folder = bench.folder.path();
    let cluster = Cluster::start(bench)?;
    let on_postgres = || Manner { database: Some(cluster.database.clone()), ..Manner::default() };

    let (sqlite, partner) = Partner::on_sqlite(bench, "sqlite", &Manner::default()).await?;
    let logs = Manner { logs: true, ..Manner::default() };
    let (logging, of_logging) = Partner::on_sqlite(bench, "logging", &logs).await?;
    let empty = folder.join("empty");
    Partner::register(bench, &empty, None)?;
    let shared = folder.join("shared");
    let credentials = Partner::register(bench, &shared, Some(&cluster.database))?;
    // All processes of one database must read the same keyring.
    let processes: Vec<Server> =
        (0..4).map(|_| Server::covernote(bench, &shared, &on_postgres())).collect::<Result<_, _>>()?;
    let of_postgres = Partner::of(&processes[0].address, credentials).await?;
    let answer = partner.quote().await?;
    for other in [&of_logging, &of_postgres] {
        if without_ids(&other.quote().await?) != without_ids(&answer) {
            return Err("the answers of two servers differ in more than the ids".into());
        }
    }
    let ceiling = Server::ceiling(bench, &folder.join("ceiling"), &answer)?;

    step("storing records for the reads");
    let proposal = partner.completed_proposal().await?;
    let mut quote = String::new();
    for _ in 0..STORED {
        quote = partner.recommendation().await?;
        partner.wait_for(&quote).await?;
    }
    let unscoped = partner.token_for(&["business.session"]).await?;
    let cookie = partner.customer().await?;
    let plans =
        Request { method: "GET", path: "/health/plans".into(), cookie: Some(cookie), ..Request::default() };
    let token = &partner.token;

    let row = |name, servers, request| Row {
        name,
        servers,
        request,
        database: None,
        answered: 0.0,
        rounds: Vec::new(),
    };
    let on_cluster = |name, number: usize| Row {
        database: Some(&cluster),
        ..row(name, processes[..number].iter().collect(), of_postgres.quote_request())
    };
    let mut rows = vec![
        row("the ceiling", vec![&ceiling], partner.quote_request()),
        row("quote on SQLite", vec![&sqlite], partner.quote_request()),
        row(LOGGED, vec![&logging], of_logging.quote_request()),
        on_cluster("quote on PostgreSQL", 1),
        on_cluster("quote on PostgreSQL, 2 processes", 2),
        on_cluster("quote on PostgreSQL, 4 processes", 4),
        row(
            "token check alone",
            vec![&sqlite],
            Request { refused: true, ..Request::get("/v1/business/health/quotes", &unscoped) },
        ),
        row(
            "GET status of a proposal",
            vec![&sqlite],
            Request::get(format!("/v1/embedded/proposal/{proposal}/status"), token),
        ),
        row(
            "GET a stored health quote",
            vec![&sqlite],
            Request::get(format!("/v1/business/health/quotes/{quote}"), token),
        ),
        row(
            "a page of 20 health quotes",
            vec![&sqlite],
            Request::get(format!("/v1/business/health/quotes?start_date={}", today()?), token),
        ),
        row("the journey's plans", vec![&sqlite], plans),
    ];
    for round in 1..=bench.rounds {
        step(&format!("round {round} of {}", bench.rounds));
        // Every other round runs in reverse order, so that no row always follows the same one.
        let mut order: Vec<usize> = (0..rows.len()).collect();
        if round % 2 == 0 {
            order.reverse();
        }
        for at in order {
            rows[at].measure(bench).await?;
        }
    }
    report(bench, &rows, answer.len());
    let logged = rows.iter().find(|row| row.name == LOGGED).map_or(0.0, |row| row.answered);
    drop(rows);

    // The size of the store that contains only quotes, minus that of an empty store.
    let on_postgres = cluster.bytes_of_a_quote()?;
    let on_sqlite = (bytes_of(&logging.stop()?)? - bytes_of(&empty)?) / logged;
    let json = answer.len() as f64;
    println!(
        "Bytes on the disk for each quote, including indexes: {on_sqlite:.0} on SQLite, 1/{:.1} of its JSON; {on_postgres:.0} on PostgreSQL, 1/{:.1}.",
        json / on_sqlite,
        json / on_postgres,
    );
    for server in processes.into_iter().chain([sqlite]) {
        server.stop()?;
    }
    Ok(())
}

/// Response of a quote without the ids, which differ from quote to quote.
fn without_ids(answer: &str) -> String {
    let mut pieces = answer.split_inclusive("_id\":\"");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |known, piece| {
        let rest = piece.split_once('"').map_or("", |(_, rest)| rest);
        let ours = piece.starts_with("quo_") || piece.starts_with("rec_");
        known + if ours { rest } else { piece }
    })
}

/// Today's date in India.
fn today() -> Result<String, Fault> {
    let today = Command::new("date").env("TZ", "IST-5:30").arg("+%F").output()?;
    Ok(String::from_utf8(today.stdout)?.trim().to_owned())
}

/// Size of the database in a server's folder, in bytes.
fn bytes_of(home: &Path) -> Result<f64, Fault> {
    Ok(fs::metadata(home.join("data/covernote.db"))?.len() as f64)
}

impl Row<'_> {
    /// Measures one round, after one second of warm-up.
    async fn measure(&mut self, bench: &Bench) -> Result<(), Fault> {
        self.answered += self.load(bench, 1).await?.requests;
        let (processor, database) = (self.processor(), self.database());
        let measured = self.load(bench, bench.seconds).await?;
        self.answered += measured.requests;
        self.rounds.push(Round {
            measured,
            processor: (self.processor() - processor) / measured.requests,
            database: (self.database() - database) / measured.requests,
            memory: self.servers.iter().map(|server| server.memory()).fold(0.0, f64::max),
        });
        self.servers.iter().try_for_each(|server| server.forget_log())
    }

    async fn load(&self, bench: &Bench, seconds: u64) -> Result<Measured, Fault> {
        let share = bench.connections / self.servers.len();
        let loads =
            self.servers.iter().map(|server| closed(bench, &server.address, &self.request, share, seconds));
        Ok(Measured::together(&join_all(loads).await.into_iter().collect::<Result<Vec<_>, _>>()?))
    }

    fn processor(&self) -> f64 {
        self.servers.iter().map(|server| server.processor_micros()).sum()
    }

    fn database(&self) -> f64 {
        self.database.map_or(0.0, Cluster::processor_micros)
    }

    fn spread(&self, of: impl Fn(&Round) -> f64) -> Spread {
        Spread::of(self.rounds.iter().map(of))
    }

    /// Ratio of its requests per second to those of another row, round by round. Within a round, other load on
    /// the machine most likely slows both rows.
    fn beside(&self, other: &Row<'_>) -> Spread {
        let rounds = self.rounds.iter().zip(&other.rounds);
        Spread::of(rounds.map(|(own, other)| own.measured.per_second() / other.measured.per_second()))
    }
}

fn report(bench: &Bench, rows: &[Row<'_>], bytes: usize) {
    let ceiling = &rows[0];
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let rate = row.spread(|round| round.measured.per_second());
            let median = |of: fn(&Round) -> f64| row.spread(of).median;
            vec![
                row.name.to_owned(),
                format!("{:.0}", rate.median),
                format!("{:.0} to {:.0}", rate.least, rate.most),
                format!("{:.2}", median(|round| round.measured.p50)),
                format!("{:.2}", median(|round| round.measured.p99)),
                format!("{:.2}", median(|round| round.measured.p999)),
                format!("{:.1}", median(|round| round.processor)),
                row.database.map_or(String::new(), |_| format!("{:.1}", median(|round| round.database))),
                format!("{:.0}", median(|round| round.memory)),
                row.beside(ceiling).as_ratio(),
            ]
        })
        .collect();
    let title = format!(
        "{} connections, {} rounds of {} s, medians; load generator and servers share {} cores; the response of a quote has {bytes} bytes",
        bench.connections,
        bench.rounds,
        bench.seconds,
        std::thread::available_parallelism().map_or(0, usize::from),
    );
    let head = [
        "request",
        "req/s",
        "least to most",
        "p50 ms",
        "p99 ms",
        "p99.9 ms",
        "CPU µs",
        "database µs",
        "RSS MB",
        "of the ceiling",
    ];
    print(&title, &head, &lines);
    println!(
        "Noise: the ceiling's rate varied by {:.0} % between rounds.",
        ceiling.spread(|round| round.measured.per_second()).noise(),
    );
}
