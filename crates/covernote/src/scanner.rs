//! Virus scanner for the documents of claims (papers): a shell command that reads a document from its
//! standard input. The command's exit code is the result.

use std::process::Stdio;
use std::time::Duration;

use async_trait::async_trait;
use service::outside::paper_scanner::{PaperScanner, Scan, ScanVerdict};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, Command};

/// Longest wait for the exit of a scanner after it has received a whole document.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs a shell command for each document. Exit code 0: clean; 1: infected; any other: the scan failed.
#[derive(Debug)]
pub(crate) struct CommandScanner {
    command: String,
}

impl CommandScanner {
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
        // A scanner that stops reading has decided or crashed. Its exit code tells which.
        if input.write_all(bytes).await.is_err() {
            self.input = None;
        }
    }

    async fn verdict(mut self: Box<Self>) -> Result<ScanVerdict, String> {
        drop(self.input.take());
        let ended = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        let status = ended
            .map_err(|_| format!("the scanner did not end within {PATIENCE:?}"))?
            .map_err(|cause| cause.to_string())?;
        match status.code() {
            Some(0) => Ok(ScanVerdict::Clean),
            Some(1) => Ok(ScanVerdict::Infected),
            _ => Err(format!("the scanner ended with {status}")),
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
    async fn the_exit_code_of_the_scanner_decides_between_clean_infected_and_failed() {
        let command = "if grep -q EICAR; then exit 1; fi";
        assert_eq!(says(command, b"%PDF-1.7 plain").await, Ok(ScanVerdict::Clean));
        assert_eq!(says(command, b"%PDF-1.7 EICAR").await, Ok(ScanVerdict::Infected));
        assert!(says("exit 2", b"%PDF-1.7").await.is_err(), "a scanner that failed says nothing");
        assert!(says("no-such-scanner", b"%PDF-1.7").await.is_err());
    }
}
