//! The operator's scanner of papers: a command that reads a file from its input and says by its exit code what it found.

use std::process::Stdio;
use std::time::Duration;

use async_trait::async_trait;
use service::outside::paper_scanner::{PaperScanner, Scan, ScanVerdict};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, Command};

/// Longest wait for what a scanner says once it has all of a paper.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs a command of the shell for each paper: exit code 0 is clean, 1 is not.
#[derive(Debug)]
pub(crate) struct CommandScanner {
    command: String,
}

impl CommandScanner {
    /// The scanner that a command is.
    pub(crate) fn new(command: &str) -> Self {
        CommandScanner { command: command.to_owned() }
    }
}

impl PaperScanner for CommandScanner {
    fn begin(&self) -> Result<Box<dyn Scan>, String> {
        let mut shell = Command::new("sh");
        shell.args(["-c", &self.command]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = shell.kill_on_drop(true).spawn().map_err(|cause| cause.to_string())?;
        let input = child.stdin.take();
        Ok(Box::new(Running { child, input }))
    }
}

struct Running {
    child: Child,
    input: Option<ChildStdin>,
}

#[async_trait]
impl Scan for Running {
    async fn feed(&mut self, bytes: &[u8]) {
        let Some(input) = &mut self.input else { return };
        // A scanner that takes no more has made up its mind, or died: its exit code says which.
        if input.write_all(bytes).await.is_err() {
            self.input = None;
        }
    }

    async fn verdict(mut self: Box<Self>) -> Result<ScanVerdict, String> {
        drop(self.input.take());
        let ended = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        let status =
            ended.map_err(|_| format!("it ran for {PATIENCE:?}"))?.map_err(|cause| cause.to_string())?;
        match status.code() {
            Some(0) => Ok(ScanVerdict::Clean),
            Some(1) => Ok(ScanVerdict::Infected),
            _ => Err(format!("it ended with {status}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn says(command: &str, bytes: &[u8]) -> Result<ScanVerdict, String> {
        let mut scan = CommandScanner::new(command).begin().expect("a shell");
        scan.feed(bytes).await;
        scan.verdict().await
    }

    #[tokio::test]
    async fn the_exit_code_says_what_was_found() {
        let command = "if grep -q EICAR; then exit 1; fi";
        assert_eq!(says(command, b"%PDF-1.7 plain").await, Ok(ScanVerdict::Clean));
        assert_eq!(says(command, b"%PDF-1.7 EICAR").await, Ok(ScanVerdict::Infected));
        assert!(says("exit 2", b"%PDF-1.7").await.is_err(), "a scanner that failed says nothing");
        assert!(says("no-such-scanner", b"%PDF-1.7").await.is_err());
    }
}
