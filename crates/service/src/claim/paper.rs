//! Documents of claims: uploaded in parts, stored encrypted with a hash, never decoded (D83).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use aws_lc_rs::digest::{Context, SHA256};
use domain::claim::{Claim, ClaimDocument, LARGEST_PAPER, PaperType};
use domain::date::Timestamp;
use domain::id::{ClaimDocumentId, ClaimId, PartnerId, PolicyId};

use crate::claim::ClaimService;
use crate::error::{Error, Result};
use crate::outside::paper_scanner::{Scan, ScanVerdict};
use crate::shared::Shared;
use crate::shared::claim_limits::{ClaimLimits, bounds_of_day, paper_too_large};
use crate::storage::claims::{CHUNK, PaperUsage};
use crate::storage::{ClaimPapers, StorageError};

/// Age after which an unfinished upload is removed.
const UNFINISHED_FOR: Duration = Duration::from_secs(3600);

/// Most unfinished uploads removed in one step.
const FORGOTTEN_AT_ONCE: usize = 20;

/// Receives and returns documents of claims.
pub struct ClaimPaperService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) claims: Arc<ClaimService>,
    pub(crate) turns: Turns,
}

/// Lock of a partner's uploads. They save one part at a time, so that they do not fill the store's write
/// queue.
type Turn = Arc<tokio::sync::Mutex<()>>;

/// Locks of the partners that upload now.
#[derive(Default)]
pub(crate) struct Turns(Mutex<HashMap<PartnerId, Weak<tokio::sync::Mutex<()>>>>);

impl Turns {
    fn of(&self, partner: PartnerId) -> Turn {
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = turns.get(&partner).and_then(Weak::upgrade) {
            return turn;
        }
        turns.retain(|_, turn| turn.strong_count() > 0);
        let turn = Turn::default();
        turns.insert(partner, Arc::downgrade(&turn));
        turn
    }
}

impl ClaimPaperService {
    /// Begins an upload for a partner's claim. `paper` is the id of a document that the claim needs, or
    /// `None` for any other document. `announced` is the size in bytes that the sender declared, if any. This
    /// size is reserved at once, so that parallel uploads cannot exceed a limit together.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Invalid`] if the claim does not need `paper`; [`Error::Conflict`] if the
    /// claim takes no more documents, or has its maximum; [`Error::TooLarge`]; [`Error::LimitReached`].
    pub async fn begin(
        &self,
        of: PartnerId,
        claim: ClaimId,
        paper: Option<String>,
        media: PaperType,
        announced: Option<u64>,
    ) -> Result<Upload> {
        let claim = self.claims.find(of, claim).await?;
        if let Some(named) = &paper
            && claim.wanted.iter().all(|wanted| wanted.id != *named)
        {
            let ids: Vec<&str> = claim.wanted.iter().map(|wanted| wanted.id.as_str()).collect();
            let message = format!(
                "Must be the id of a document that this claim needs: {}. Leave `paper` out for any other document.",
                ids.join(", ")
            );
            return Err(Error::invalid("paper", message));
        }
        takes_papers(&claim)?;
        let reserved = announced.unwrap_or(1);
        if reserved > LARGEST_PAPER {
            return Err(paper_too_large());
        }
        let scan = match &self.shared.settings.scanner {
            Some(scanner) => Some(scanner.begin().map_err(scanner_is_away)?),
            None => None,
        };
        let now = self.shared.partner_clock.now(of);
        let document = ClaimDocument {
            id: self.shared.ids.make(),
            claim: claim.id,
            added_at: now,
            paper,
            media,
            bytes: reserved,
            hash: [0; 32],
        };
        let room = Room {
            storage: self.shared.storage.clone(),
            of,
            claim: claim.id,
            policy: claim.policy,
            at: now,
            reserved,
            limits: self.shared.settings.claim_limits,
        };
        self.shared.storage.begin_paper(of, &document).await?;
        let upload = Upload {
            storage: self.shared.storage.clone(),
            of,
            document: ClaimDocument { bytes: 0, ..document },
            hash: Context::new(&SHA256),
            buffer: Vec::with_capacity(CHUNK),
            parts: 0,
            scan,
            room,
            turn: self.turns.of(of),
            is_finished: false,
        };
        let usage = upload.room.judge(reserved).await?;
        match usage.bytes_of_claim + reserved > self.shared.settings.claim_limits.bytes_of_claim() {
            true => Err(self.shared.settings.claim_limits.claim_too_large()),
            false => Ok(upload),
        }
    }

    /// The documents of a partner's claim, oldest first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn list(&self, of: PartnerId, claim: ClaimId) -> Result<Vec<ClaimDocument>> {
        Ok(self.shared.storage.papers(of, claim).await?)
    }

    /// Document of a partner's claim by its id.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find(&self, of: PartnerId, claim: ClaimId, id: ClaimDocumentId) -> Result<ClaimDocument> {
        let unknown = || Error::Unknown { what: "document", id: id.to_string() };
        self.shared.storage.paper(of, claim, id).await?.ok_or_else(unknown)
    }

    /// Part of a claim's document by its number, from 0. `None` after the last part.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn part(&self, of: PartnerId, paper: ClaimDocumentId, number: u32) -> Result<Option<Vec<u8>>> {
        Ok(self.shared.storage.part(of, paper, number).await?)
    }

    /// Removes documents whose upload began more than an hour ago and was never finished, such as because its
    /// process was killed. Returns their number.
    ///
    /// # Errors
    /// [`StorageError`] if the store cannot be reached.
    pub async fn forget_unfinished(&self) -> Result<usize, StorageError> {
        let before = self.shared.partner_clock.real() - UNFINISHED_FOR;
        let mut forgotten = 0;
        loop {
            let some = self.shared.storage.forget_unfinished_papers(before, FORGOTTEN_AT_ONCE).await?;
            forgotten += some;
            if some < FORGOTTEN_AT_ONCE {
                return Ok(forgotten);
            }
        }
    }
}

/// Upload in progress. If the upload is dropped before `finish`, its parts are removed.
pub struct Upload {
    storage: Arc<dyn ClaimPapers>,
    of: PartnerId,
    document: ClaimDocument,
    hash: Context,
    buffer: Vec<u8>,
    parts: u32,
    scan: Option<Box<dyn Scan>>,
    room: Room,
    turn: Turn,
    is_finished: bool,
}

/// Storage space that an upload reserves.
struct Room {
    storage: Arc<dyn ClaimPapers>,
    of: PartnerId,
    claim: ClaimId,
    policy: PolicyId,
    at: Timestamp,
    /// Reserved bytes, which count against the limits from the start of the upload.
    reserved: u64,
    limits: ClaimLimits,
}

impl Room {
    /// Checks the limits on claim documents if this document has `bytes` bytes.
    async fn judge(&self, bytes: u64) -> Result<PaperUsage> {
        let (since, until_tomorrow) = bounds_of_day(self.at);
        let usage = self.storage.paper_usage(self.of, self.claim, self.policy, since).await?;
        self.limits.judge_papers(&usage, bytes.saturating_sub(self.reserved), until_tomorrow)?;
        Ok(usage)
    }
}

impl Upload {
    /// Adds the next bytes of the document. At most one part is in memory.
    ///
    /// # Errors
    /// [`Error::TooLarge`]; [`Error::OtherType`] as soon as the first bytes show another type;
    /// [`Error::Storage`].
    pub async fn add(&mut self, mut bytes: &[u8]) -> Result<()> {
        self.document.bytes += bytes.len() as u64;
        if self.document.bytes > LARGEST_PAPER {
            return Err(paper_too_large());
        }
        self.hash.update(bytes);
        if let Some(scan) = &mut self.scan {
            scan.feed(bytes).await;
        }
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(CHUNK - self.buffer.len()));
            self.buffer.extend_from_slice(now);
            bytes = later;
            if self.parts == 0 && self.buffer.len() >= PaperType::FIRST_BYTES {
                self.judge_type()?;
            }
            if self.buffer.len() == CHUNK {
                self.keep_part().await?;
            }
        }
        Ok(())
    }

    /// Checks that the first bytes of the document match the declared media type.
    fn judge_type(&self) -> Result<()> {
        match PaperType::of_first_bytes(&self.buffer) == Some(self.document.media) {
            true => Ok(()),
            false => Err(Error::OtherType(self.document.media.word())),
        }
    }

    async fn keep_part(&mut self) -> Result<()> {
        let _turn = self.turn.lock().await;
        self.storage.add_part(self.of, self.document.id, self.parts, &self.buffer).await?;
        self.parts += 1;
        self.buffer.clear();
        Ok(())
    }

    /// Saves the document after all its bytes have arrived.
    ///
    /// # Errors
    /// [`Error::OtherType`]; [`Error::Infected`]; [`Error::TooLarge`] if all documents of the claim together
    /// are too large; [`Error::Conflict`] if the claim takes no more documents; [`Error::Storage`].
    pub async fn finish(mut self, claims: &ClaimService) -> Result<ClaimDocument> {
        if self.parts == 0 {
            self.judge_type()?;
        }
        if let Some(scan) = self.scan.take() {
            match scan.verdict().await.map_err(scanner_is_away)? {
                ScanVerdict::Clean => {}
                ScanVerdict::Infected => return Err(Error::Infected),
            }
        }
        if !self.buffer.is_empty() {
            self.keep_part().await?;
        }
        if self.document.bytes > self.room.reserved {
            self.room.judge(self.document.bytes).await?;
        }
        let hash = std::mem::replace(&mut self.hash, Context::new(&SHA256)).finish();
        self.document.hash = hash.as_ref().try_into().expect("SHA-256 is 32 bytes");
        if self.storage.finish_paper(self.of, &self.document, self.room.limits.bytes_of_claim()).await? {
            self.is_finished = true;
            return Ok(self.document.clone());
        }
        takes_papers(&claims.find(self.of, self.document.claim).await?)?;
        Err(self.room.limits.claim_too_large())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if !self.is_finished {
            let (storage, of, paper) = (self.storage.clone(), self.of, self.document.id);
            // The request ended or was abandoned. If this removal fails, the document is removed an hour
            // later.
            tokio::spawn(async move {
                if let Err(fault) = storage.drop_paper(of, paper).await {
                    tracing::warn!(paper.id = %paper, error.cause = %fault, "an incomplete upload of a claim document could not be removed");
                }
            });
        }
    }
}

/// Checks that a claim still takes documents.
pub(super) fn takes_papers(claim: &Claim) -> Result<()> {
    match claim.state.takes_papers() {
        true => Ok(()),
        false => Err(Error::conflict(format!("The claim is {} and takes no more documents.", claim.state))),
    }
}

fn scanner_is_away(why: String) -> Error {
    Error::Storage(StorageError::Away(format!(
        "the virus scanner gave no verdict on a claim document: {why}"
    )))
}
