//! Stopped processes with open sockets, as on a machine that hangs.

use rustix::process::{Pid, Signal, kill_process};

/// Stopped processes. They continue when this is dropped.
#[must_use]
pub struct Frozen(Vec<Pid>);

impl Drop for Frozen {
    fn drop(&mut self) {
        for pid in &self.0 {
            let _ = kill_process(*pid, Signal::CONT);
        }
    }
}

impl Frozen {
    /// Stops processes with their children, until the returned value is dropped.
    pub fn stop(mut all: Vec<Pid>) -> Frozen {
        let stop = |pid: &Pid| {
            let _ = kill_process(*pid, Signal::STOP);
        };
        // The parents first, so that they cannot start another child.
        all.iter().for_each(stop);
        let is_theirs = |parent: Option<Pid>| parent.is_some_and(|parent| all.contains(&parent));
        let children: Vec<Pid> =
            processes().filter(|(_, _, parent)| is_theirs(*parent)).map(|(pid, _, _)| pid).collect();
        children.iter().for_each(stop);
        all.extend(children);
        Frozen(all)
    }
}

/// Every process: its id, its command line and its parent.
pub fn processes() -> impl Iterator<Item = (Pid, String, Option<Pid>)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let pid = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
        let words = std::fs::read(entry.path().join("cmdline")).ok()?;
        let status = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        // The fields after the name, which is in parentheses and may contain anything: first the state, then
        // the parent.
        let parent =
            status.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok().and_then(Pid::from_raw);
        Some((pid, String::from_utf8_lossy(&words).replace('\0', " "), parent))
    })
}
