//! PostgreSQL server that the benchmarks start for themselves.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::server::{free_address, processor_micros};
use crate::{Bench, Fault};

/// Server in the temporary folder. Its settings are the defaults, except `shared_buffers`.
pub(crate) struct Cluster {
    programs: PathBuf,
    data: PathBuf,
    /// Address of its database.
    pub(crate) database: String,
    postmaster: u32,
}

impl Cluster {
    pub(crate) fn start(bench: &Bench) -> Result<Self, Fault> {
        let programs = programs()?;
        let folder = bench.folder.path().join("postgres");
        fs::create_dir_all(&folder)?;
        let data = folder.join("data");
        let address = free_address()?;
        let port = address.rsplit(':').next().unwrap_or_default();
        if is_root() {
            // PostgreSQL refuses to run as root.
            run(Command::new("chown").arg("postgres").arg(&folder))?;
            run(Command::new("chmod").arg("755").arg(bench.folder.path()))?;
        }
        let initdb = as_server(&programs.join("initdb"));
        run({ initdb }
            .args(["--auth=trust", "--encoding=UTF8", "--locale=C", "--username=covernote", "-D"])
            .arg(&data))?;
        let options = format!(
            "-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c shared_buffers=512MB"
        );
        let mut start = as_server(&programs.join("pg_ctl"));
        run(start
            .arg("-D")
            .arg(&data)
            .arg("-l")
            .arg(folder.join("log"))
            .args(["-w", "-o", &options, "start"]))?;
        let postmaster = fs::read_to_string(data.join("postmaster.pid"))?;
        let postmaster = postmaster.lines().next().unwrap_or_default().parse()?;
        let database = format!("postgres://covernote@{address}/bench");
        let cluster = Cluster { programs, data, database, postmaster };
        let own = cluster.database.replace("/bench", "/postgres");
        run(Command::new(cluster.programs.join("psql")).args(["-q", "-c", "create database bench", &own]))?;
        Ok(cluster)
    }

    /// CPU time of all its processes, in microseconds.
    pub(crate) fn processor_micros(&self) -> f64 {
        let children = Command::new("pgrep").args(["-P", &self.postmaster.to_string()]).output();
        let children = children.map(|found| String::from_utf8_lossy(&found.stdout).into_owned());
        let children = children.unwrap_or_default();
        children.lines().filter_map(|child| child.parse().ok()).map(processor_micros).sum()
    }

    /// Bytes on the disk for each embedded quote, including indexes.
    pub(crate) fn bytes_of_a_quote(&self) -> Result<f64, Fault> {
        let size = "select (select sum(pg_total_relation_size(relid)) from pg_partition_tree('embedded_quotes')) / count(*) \
                    from embedded_quotes";
        let psql =
            Command::new(self.programs.join("psql")).args(["-XAtq", "-c", size, &self.database]).output()?;
        Ok(String::from_utf8_lossy(&psql.stdout).trim().parse()?)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let mut stop = as_server(&self.programs.join("pg_ctl"));
        let _ = run(stop.arg("-D").arg(&self.data).args(["-m", "fast", "stop"]));
    }
}

/// Folder with the programs of the newest installed version. On Debian they are not in `PATH`.
fn programs() -> Result<PathBuf, Fault> {
    let versions = fs::read_dir("/usr/lib/postgresql").map(|found| found.flatten().map(|entry| entry.path()));
    let newest = versions.ok().and_then(|found| found.max());
    let newest =
        newest.map(|version| version.join("bin")).filter(|programs| programs.join("initdb").exists());
    newest.ok_or_else(|| "PostgreSQL's server is missing: install the Debian package postgresql".into())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout == b"0\n")
}

/// Command that runs a program of the server. If this process is root, it runs as the user `postgres`.
fn as_server(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.current_dir("/").args([
        OsStr::new("-u"),
        OsStr::new("postgres"),
        OsStr::new("--"),
        program.as_os_str(),
    ]);
    command
}

fn run(command: &mut Command) -> Result<(), Fault> {
    let done = command.output()?;
    if done.status.success() {
        return Ok(());
    }
    Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&done.stderr)).into())
}
