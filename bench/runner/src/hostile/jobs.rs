//! Time of a partner's recommendation while another partner has a thousand in the queue.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde_json::Value;
use tokio::time::sleep;

use super::two_partners;
use crate::client::Partner;
use crate::numbers::{Spread, print};
use crate::postgres::Cluster;
use crate::server::Manner;
use crate::{Bench, Fault, processor, step};

/// Number of recommendations that the other partner requests at once.
const QUEUED: usize = 1000;

/// Number of its simultaneous requests.
const AT_ONCE: usize = 32;

/// Number of the measured partner's recommendations, one after the other: first alone, then behind the others.
const TIMED: usize = 5;

/// Response time of the insurer, and so of a job.
const INSURER_MILLIS: u64 = 200;

/// Insurer of the sample catalogue with health plans.
const INSURER: &str = "abhas";

/// Time between two polls of a recommendation.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

pub(super) async fn measure(bench: &Bench) -> Result<(), Fault> {
    step("a recommendation behind a thousand");
    let insurer = Insurer::start(bench)?;
    let cluster = Cluster::start(bench)?;
    let mut lines = Vec::new();
    for (name, folder, database) in
        [("SQLite", "jobs", None), ("PostgreSQL", "jobs, PostgreSQL", Some(&cluster.database))]
    {
        let home = bench.folder.path().join(folder);
        let catalogue = asking(bench, &home, &insurer.url)?;
        let manner = Manner {
            database: database.cloned(),
            settings: vec![
                ("COVERNOTE_CATALOGUE", catalogue),
                ("COVERNOTE_INSURER_SECRETS", home.join("secrets").display().to_string()),
            ],
            ..Manner::default()
        };
        let (server, [partner, other]) =
            two_partners(bench, folder, database.map(String::as_str), &manner).await?;
        lines.push(rounds(bench, name, &partner, &other).await?);
        server.stop()?;
    }
    let title = format!(
        "A recommendation from the POST to success, with an insurer that takes {INSURER_MILLIS} ms, alone and behind {QUEUED} of another partner, {} rounds of {TIMED}; {}",
        bench.rounds,
        processor(),
    );
    print(
        &title,
        &["store", "alone ms", "behind ms", "most behind ms", "relative to alone", "left of the queue"],
        &lines,
    );
    Ok(())
}

async fn rounds(bench: &Bench, name: &str, partner: &Partner, other: &Partner) -> Result<Vec<String>, Fault> {
    timed(partner).await?;
    let (mut alone, mut behind, mut most, mut left) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..bench.rounds {
        alone.push(timed(partner).await?.median);
        let requests = (0..QUEUED).map(|_| other.recommendation());
        let queued: Vec<String> = stream::iter(requests).buffered(AT_ONCE).try_collect().await?;
        let times = timed(partner).await?;
        behind.push(times.median);
        most.push(times.most);
        left.push(unfinished(other, &queued).await?);
        while unfinished(other, &queued).await? > 0.0 {
            sleep(Duration::from_millis(100)).await;
        }
    }
    let ratio = Spread::of(behind.iter().zip(&alone).map(|(behind, alone)| behind / alone)).as_ratio();
    let shown = |times: Vec<f64>| {
        let Spread { median, least, most } = Spread::of(times);
        format!("{median:.0} ({least:.0} to {most:.0})")
    };
    Ok(vec![name.to_owned(), shown(alone), shown(behind), shown(most), ratio, shown(left)])
}

/// About how many of these are not finished. They finish nearly in order, so every 20th is checked.
async fn unfinished(partner: &Partner, quotes: &[String]) -> Result<f64, Fault> {
    let mut unfinished = 0.0;
    for quote in quotes.iter().step_by(20) {
        if !partner.is_finished(quote).await? {
            unfinished += 20.0;
        }
    }
    Ok(unfinished)
}

/// Milliseconds of [`TIMED`] recommendations, one after the other.
async fn timed(partner: &Partner) -> Result<Spread, Fault> {
    let mut times = Vec::new();
    for _ in 0..TIMED {
        let begun = Instant::now();
        let quote = partner.recommendation().await?;
        while !partner.is_finished(&quote).await? {
            sleep(POLL_INTERVAL).await;
        }
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(Spread::of(times))
}

/// Writes the sample catalogue, in which [`INSURER`] is reached over HTTP, and the shared secret. Returns the
/// catalogue's path.
fn asking(bench: &Bench, home: &Path, url: &str) -> Result<String, Fault> {
    fs::create_dir_all(home)?;
    let catalogue = home.join("catalogue");
    let mut command = Command::new(bench.built.join("covernote"));
    let made = command.current_dir(home).args(["catalogue", "init"]).arg(&catalogue).output()?;
    if !made.status.success() {
        return Err(format!("no catalogue was written: {}", String::from_utf8_lossy(&made.stderr)).into());
    }
    let file = catalogue.join("insurers").join(INSURER).join("insurer.toml");
    let http = format!(
        "\nconnector = \"http\"\n[http]\nurl = \"{url}\"\nauthentication = \"hmac\"\nsecret = \"shared\"\n"
    );
    fs::write(&file, fs::read_to_string(&file)? + &http)?;
    write_secret(&home.join("secrets"))?;
    Ok(catalogue.display().to_string())
}

fn write_secret(folder: &Path) -> Result<(), Fault> {
    fs::create_dir_all(folder)?;
    let file = folder.join("shared");
    fs::write(&file, "a-secret-of-more-than-16-characters\n")?;
    Ok(fs::set_permissions(file, fs::Permissions::from_mode(0o600))?)
}

/// Running mock insurer. Dropping it kills the process.
struct Insurer {
    child: Child,
    url: String,
}

impl Insurer {
    fn start(bench: &Bench) -> Result<Self, Fault> {
        let home = bench.folder.path().join("insurer");
        write_secret(&home)?;
        let mut command = Command::new(bench.built.join("covernote"));
        command.current_dir(&home).args(["mock-insurer", "--listen", "127.0.0.1:0", "--json"]);
        command.args(["--latency-ms", &INSURER_MILLIS.to_string()]);
        command.args(["--authentication", "hmac", "--secret-file", "shared"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut line = String::new();
        let stdout = child.stdout.take().ok_or("no output")?;
        let mut insurer = Insurer { child, url: String::new() };
        BufReader::new(stdout).read_line(&mut line)?;
        let told: Value = serde_json::from_str(&line)?;
        insurer.url = told["url"].as_str().ok_or("no address")?.to_owned();
        Ok(insurer)
    }
}

impl Drop for Insurer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
