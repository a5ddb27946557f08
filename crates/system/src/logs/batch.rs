//! Lines on their way out: those of a moment are written together, so that a request waits for no system call.

use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long a line may wait for others. A process that is killed loses as much.
const MOMENT: Duration = Duration::from_millis(20);

/// Bytes that wait at most.
const MOST: usize = 64 * 1024;

/// Bytes that are written at once: a pipe that other processes write to, too, takes so many as a whole.
const PIECE: usize = 4096;

/// Collects lines, and writes them within a [`MOMENT`], in their order.
#[derive(Clone)]
pub(super) struct Batch(Arc<Shared>);

struct Shared {
    waiting: Mutex<Waiting>,
    /// Somebody added a line to none, or the process ends.
    changed: Condvar,
}

struct Waiting {
    lines: Vec<u8>,
    to: Box<dyn Write + Send>,
    is_over: bool,
}

impl Batch {
    /// Starts the thread that writes.
    ///
    /// # Errors
    /// The system's, where it has no thread.
    pub(super) fn start(to: impl Write + Send + 'static) -> std::io::Result<Self> {
        let waiting = Waiting { lines: Vec::with_capacity(MOST), to: Box::new(to), is_over: false };
        let shared = Arc::new(Shared { waiting: Mutex::new(waiting), changed: Condvar::new() });
        let writer = shared.clone();
        thread::Builder::new().name("log".into()).spawn(move || writer.write_each_moment())?;
        Ok(Batch(shared))
    }

    /// Adds a line. An urgent one is written at once, after those that wait.
    pub(super) fn add(&self, line: &[u8], is_urgent: bool) {
        let mut waiting = self.0.waiting();
        let is_first = waiting.lines.is_empty();
        waiting.lines.extend_from_slice(line);
        if is_urgent || waiting.is_over || waiting.lines.len() >= MOST {
            waiting.write_out();
        } else if is_first {
            drop(waiting);
            self.0.changed.notify_one();
        }
    }

    /// Writes what waits. From now on every line is written at once.
    pub(super) fn end(&self) {
        let mut waiting = self.0.waiting();
        waiting.is_over = true;
        waiting.write_out();
        self.0.changed.notify_one();
    }
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_each_moment(&self) {
        loop {
            let nothing = |waiting: &mut Waiting| waiting.lines.is_empty() && !waiting.is_over;
            let waiting =
                self.changed.wait_while(self.waiting(), nothing).unwrap_or_else(PoisonError::into_inner);
            if waiting.is_over {
                return;
            }
            drop(waiting);
            thread::sleep(MOMENT);
            self.waiting().write_out();
        }
    }
}

impl Waiting {
    /// Writes all lines, several together where they fit into a piece. Nobody can be told that they cannot be written.
    fn write_out(&mut self) {
        let mut rest = self.lines.as_slice();
        while !rest.is_empty() {
            let end_of = |bytes: &[u8]| bytes.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
            let whole = end_of(&rest[..rest.len().min(PIECE)]);
            // A longer line is written as it is.
            let long = || rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1);
            let (piece, after) = rest.split_at(whole.unwrap_or_else(long));
            let _ = self.to.write_all(piece);
            rest = after;
        }
        self.lines.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// Hands over each piece that is written.
    struct Pieces(Sender<String>);

    impl Write for Pieces {
        fn write(&mut self, piece: &[u8]) -> std::io::Result<usize> {
            let _ = self.0.send(String::from_utf8_lossy(piece).into_owned());
            Ok(piece.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn batch() -> (Batch, Receiver<String>) {
        let (to, pieces) = channel();
        (Batch::start(Pieces(to)).expect("a thread"), pieces)
    }

    #[test]
    fn lines_are_written_in_their_order_and_none_is_cut() {
        let (batch, pieces) = batch();
        let lines: Vec<String> =
            (0..2000).map(|number| format!("{number}{}\n", "-".repeat(number % 300))).collect();
        for line in &lines {
            batch.add(line.as_bytes(), false);
        }
        batch.end();
        let pieces: Vec<String> = pieces.try_iter().collect();
        assert_eq!(pieces.concat(), lines.concat());
        assert!(pieces.iter().all(|piece| piece.ends_with('\n') && piece.len() <= PIECE));
        assert!(pieces.len() < lines.len() / 10, "{} writes", pieces.len());
    }

    #[test]
    fn a_line_is_written_soon_and_an_urgent_one_at_once() {
        let (batch, pieces) = batch();
        batch.add(b"soon\n", false);
        assert_eq!(pieces.recv().expect("written without a further line"), "soon\n");
        batch.add(b"before\n", false);
        batch.add(b"urgent\n", true);
        let written: Vec<String> = pieces.try_iter().collect();
        assert_eq!(written.concat(), "before\nurgent\n");
        batch.end();
        batch.add(b"late\n", false);
        assert_eq!(pieces.try_iter().last().expect("written at once"), "late\n");
    }

    #[test]
    fn a_line_longer_than_a_piece_is_written_whole() {
        let (batch, pieces) = batch();
        let long = format!("{}\n", "x".repeat(3 * PIECE));
        for line in ["first\n", &long, "last\n"] {
            batch.add(line.as_bytes(), false);
        }
        batch.end();
        let pieces: Vec<String> = pieces.try_iter().collect();
        assert_eq!(pieces, ["first\n", &long, "last\n"]);
    }
}
