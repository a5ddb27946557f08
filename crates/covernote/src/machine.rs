//! What a process needs of its machine: disk space, open files, a correct clock.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant, SystemTime};

use operators::Finding;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use service::Service;
use service::clock::Clock;
use service::installation::CLOCK_TOLERANCE;
use tokio::runtime::RuntimeMetrics;
use tokio::time::interval;

use crate::settings::Settings;
use system::SystemClock;

/// Number of files that a process needs in addition to its clients' connections, such as for the store,
/// probes, insurers and endpoints.
const OTHER_FILES: u64 = 512;

/// Time between two checks whether the clock was changed.
const CLOCK_PERIOD: Duration = Duration::from_secs(1);

/// Time between two checks of the store.
const PERIOD: Duration = Duration::from_secs(15);

/// File in the data folder. Its modification time is the time of the last backup.
pub(crate) const LAST_BACKUP: &str = "last-backup";

/// Seconds since 1970 at which the process started.
static STARTED: LazyLock<f64> = LazyLock::new(|| SystemClock.now().as_duration().as_secs_f64());

/// Notes that the process starts now.
pub(crate) fn note_start() {
    LazyLock::force(&STARTED);
}

/// Free bytes of a disk below which a check is doubtful, and below which it is bad.
const LITTLE_SPACE: (u64, u64) = (2 << 30, 200 << 20);

/// Free inodes of a disk below which a check is doubtful.
const FEW_INODES: u64 = 10_000;

/// Free space on the disk of a folder.
struct Disk {
    bytes: u64,
    /// `None` if the file system has no fixed number of inodes.
    inodes: Option<u64>,
}

impl Disk {
    fn of(folder: &Path) -> Option<Disk> {
        let room = rustix::fs::statvfs(folder).ok()?;
        Some(Disk {
            bytes: room.f_bavail * room.f_frsize,
            inodes: (room.f_files > 0).then_some(room.f_favail),
        })
    }
}

/// Number of open files of this process, and the limit of that number.
fn files() -> (u64, u64) {
    let open = fs::read_dir("/proc/self/fd").map_or(0, |files| files.count() as u64);
    (open, getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX))
}

/// Raises the limit of open files to the system's maximum, because each connection needs an open file.
pub(crate) fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    if let Err(cause) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(
            "the limit of open files could not be raised and stays at {:?}: {cause}",
            limit.current
        );
    }
}

/// Most connections that the limit of open files allows, up to `wanted`. Some files stay reserved for probes
/// and the rest of the process.
pub(crate) fn most_connections(wanted: usize) -> usize {
    raise_file_limit();
    let (_, limit) = files();
    let room = limit.saturating_sub(OTHER_FILES).max(limit / 2);
    wanted.min(usize::try_from(room).unwrap_or(usize::MAX)).max(1)
}

/// Findings about the machine, for an operator.
pub(crate) fn findings(settings: &Settings) -> Vec<(&'static str, Finding)> {
    vec![("disk", disk(Path::new(&settings.data))), ("open files", open_files(settings.connections))]
}

fn disk(folder: &Path) -> Finding {
    let Some(Disk { bytes, inodes }) = Disk::of(folder) else {
        return Finding::Doubtful(format!("the free space of {} is not known", folder.display()));
    };
    let inodes_left = inodes.map_or(String::new(), |inodes| format!(", {inodes} inodes"));
    let text = format!("{} MiB free{inodes_left}", bytes >> 20);
    match (bytes, inodes) {
        (bytes, _) if bytes < LITTLE_SPACE.1 => {
            Finding::Bad(format!("{text}: make room on the disk of {}", folder.display()))
        }
        (_, Some(0)) => Finding::Bad(format!("{text}: remove files on the disk of {}", folder.display())),
        (bytes, _) if bytes < LITTLE_SPACE.0 => {
            Finding::Doubtful(format!("{text}: make room on the disk of {}", folder.display()))
        }
        (_, Some(inodes)) if inodes < FEW_INODES => {
            Finding::Doubtful(format!("{text}: remove files on the disk of {}", folder.display()))
        }
        _ => Finding::Good(text),
    }
}

fn open_files(connections: usize) -> Finding {
    let (open, limit) = files();
    let most = most_connections(connections);
    let text = format!("{open} of {limit} files are open, which allows at most {most} connections");
    match most < connections {
        true => Finding::Doubtful(format!(
            "{text} instead of {connections}: raise the limit to {} (LimitNOFILE)",
            connections as u64 + OTHER_FILES
        )),
        false => Finding::Good(text),
    }
}

/// Watches the machine for as long as the process lives. `is_measured`: whether metrics are served.
pub(crate) async fn watch(service: Arc<Service>, is_measured: bool) {
    tokio::join!(watch_clock(&service), look_around(&service, is_measured));
}

/// Detects that the clock was set back. Jobs and deliveries that are due too late because of the wrong clock
/// are then made due earlier. A process that is alone on the store also compares its start with the last time
/// that the store recorded.
async fn watch_clock(service: &Service) {
    let mut period = interval(CLOCK_PERIOD);
    let remembered = service.installation.seen_alone().await.ok().flatten();
    let (mut began, mut at) = (Instant::now(), remembered.unwrap_or_else(|| SystemClock.now()));
    let mut wrong_by = Duration::ZERO;
    loop {
        period.tick().await;
        let now = SystemClock.now();
        let expected = at + began.elapsed();
        let back = Duration::try_from(expected.duration_since(now)).unwrap_or_default();
        (began, at) = (Instant::now(), now);
        if expected + CLOCK_TOLERANCE < now
            && let Err(fault) = service.installation.watch().await
        {
            // The store must know how far ahead the clock was, in case the clock is corrected soon.
            tracing::warn!("the store could not record that the clock was set forward: {fault}");
        }
        if back > CLOCK_TOLERANCE {
            tracing::warn!("the clock was set back by {} seconds", back.as_secs());
            wrong_by += back;
        }
        if wrong_by.is_zero() {
            continue;
        }
        match service.installation.bring_forward(wrong_by).await {
            Ok(count) => {
                wrong_by = Duration::ZERO;
                if count > 0 {
                    tracing::info!(
                        "{count} jobs and deliveries that the wrong clock put off were made due earlier"
                    );
                }
            }
            // The next round tries again.
            Err(fault) => {
                tracing::warn!("jobs and deliveries that the wrong clock put off still wait: {fault}")
            }
        }
    }
}

/// Measures for monitoring whether the store is ready, and warns if the clock differs from the database's.
async fn look_around(service: &Service, is_measured: bool) {
    let mut period = interval(PERIOD);
    let mut named = BTreeSet::new();
    metrics::gauge!("covernote_insurer_info", "insurer" => "unknown", "name" => "unknown").set(1.0);
    loop {
        period.tick().await;
        let running = service.shared.catalogues.running();
        let now: BTreeSet<_> =
            running.insurers().map(|insurer| (insurer.id.to_string(), insurer.name.clone())).collect();
        // A metric's series stays until the process ends. The series of an earlier name is set to 0.
        for (id, name) in now.union(&named) {
            let value = if now.contains(&(id.clone(), name.clone())) { 1.0 } else { 0.0 };
            metrics::gauge!("covernote_insurer_info", "insurer" => id.clone(), "name" => name.clone())
                .set(value);
        }
        named.extend(now);
        if is_measured {
            let ready = service.installation.ready().await;
            metrics::gauge!("covernote_store_ready").set(if ready.is_ok() { 1.0 } else { 0.0 });
        }
        if let Err(fault) = service.installation.watch().await {
            tracing::warn!("the store could not be checked: {fault}");
        }
    }
}

/// Gives each metric its help text: the last column of the tables in the operators' guide.
pub(crate) fn describe_metrics() {
    for row in include_str!("../../../docs/monitoring.md").lines() {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [names, kind, _, what] = cells[..] else { continue };
        for name in names.split(", ").map(|name| name.trim_matches('`').to_owned()) {
            let help = plain(what);
            match kind {
                "counter" => metrics::describe_counter!(name, help),
                "gauge" => metrics::describe_gauge!(name, help),
                "histogram" => metrics::describe_histogram!(name, help),
                _ => {}
            }
        }
    }
}

/// Text of Markdown, without its code marks and the addresses of its links.
fn plain(markdown: &str) -> String {
    let mut text = String::new();
    for (at, part) in markdown.replace('`', "").split("](").enumerate() {
        text.push_str(if at == 0 { part } else { part.split_once(')').map_or("", |(_, rest)| rest) });
    }
    text.replace('[', "")
}

/// Updates the metrics of the process, its runtime, its disk and its store. Called when metrics are read.
pub(crate) fn measure(runtime: &RuntimeMetrics, settings: &Settings) {
    let folder = Path::new(&settings.data);
    if let Some(Disk { bytes, inodes }) = Disk::of(folder) {
        gauge("covernote_disk_free_bytes", bytes as f64);
        gauge("covernote_disk_free_inodes", inodes.map_or(f64::INFINITY, |left| left as f64));
    }
    let (open, limit) = files();
    gauge("covernote_open_files", open as f64);
    gauge("covernote_open_files_limit", limit as f64);
    if let Some(process) = Usage::now() {
        gauge("process_resident_memory_bytes", process.resident_bytes);
        metrics::counter!("process_cpu_seconds_total").absolute(process.cpu_seconds as u64);
    }
    gauge("process_start_time_seconds", *STARTED);
    let busy: Duration =
        (0..runtime.num_workers()).map(|worker| runtime.worker_total_busy_duration(worker)).sum();
    metrics::counter!("covernote_runtime_busy_seconds_total").absolute(busy.as_secs());
    gauge("covernote_runtime_tasks", runtime.num_alive_tasks() as f64);
    let database = folder.join(storage::sqlite::FILE);
    for (name, file) in [
        ("covernote_database_bytes", database.clone()),
        ("covernote_database_log_bytes", database.with_extension("db-wal")),
    ] {
        if let Ok(about) = file.metadata() {
            gauge(name, about.len() as f64);
        }
    }
    // A store without a backup counts as backed up at its creation, so that the alert comes a day later.
    let backup = folder.join(LAST_BACKUP).metadata().and_then(|about| about.modified());
    let made = backup.or_else(|_| database.metadata().and_then(|about| about.created()));
    if let Some(since) = made.ok().and_then(|made| made.duration_since(SystemTime::UNIX_EPOCH).ok()) {
        gauge("covernote_backup_time_seconds", since.as_secs_f64());
    }
}

fn gauge(name: &'static str, value: f64) {
    metrics::gauge!(name).set(value);
}

/// Memory that the process uses now, and CPU time since its start.
struct Usage {
    resident_bytes: f64,
    cpu_seconds: f64,
}

impl Usage {
    /// Reads `/proc/self/stat`, see proc(5). `None` if the system is not Linux.
    fn now() -> Option<Self> {
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        // The program's name, which may have spaces, is in parentheses. The first field after it has number
        // 3.
        let fields: Vec<f64> =
            stat.rsplit_once(')')?.1.split_whitespace().map(|field| field.parse().unwrap_or(0.0)).collect();
        let field = |number: usize| fields.get(number - 3).copied();
        let ticks = rustix::param::clock_ticks_per_second() as f64;
        Some(Usage {
            resident_bytes: field(24)? * rustix::param::page_size() as f64,
            cpu_seconds: (field(14)? + field(15)?) / ticks,
        })
    }
}
