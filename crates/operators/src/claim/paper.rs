//! Documents of claims: asked for, attached and read (D83).

use std::os::unix::fs::FileExt;

use axum::body::Body;
use domain::claim::PaperType;
use domain::date::Date;
use domain::id::{ClaimDocumentId, ClaimId};
use domain::person::PersonalLine;
use domain::text::FromText;
use futures_util::stream;

use super::{ClaimChanged, changed, state};
use crate::act::about::FileTaken;
use crate::act::answer::{Done, Download};
use crate::act::arguments::{bad, unread};
use crate::act::input::{input, texts};
use crate::act::shown::answer;
use crate::act::{About, Act, Allowed, On, Out, Result, Role, get, post};

/// Bytes of an attached file that are read at once.
const AT_ONCE: usize = 64 * 1024;

input! {
    /// Write an uploaded document of a claim, such as a hospital bill, into a file
    struct ClaimPaper {
        /// Claim id, clm_…
        id: ClaimId,
        /// Document id, doc_…
        document: ClaimDocumentId,
        /// Why you need the document; recorded in the audit trail
        reason: String,
    }
}

impl Act for ClaimPaper {
    const ABOUT: About =
        get("claim.paper", "/claims/{id}/papers/{document}", &[Role::Claims]).writing(Out::File);

    type Answer = Download;

    fn reveals(&self) -> Option<&str> {
        Some(&self.reason)
    }

    async fn run(self, on: &On) -> Result<Download> {
        let of = on.service.claims.owner(self.id).await?;
        let found = on.service.claim_papers.find(of, self.id, self.document).await?;
        let service = on.service.clone();
        // In parts: a document may be larger than the memory that a request may use.
        let parts = stream::unfold(0, move |number| {
            let service = service.clone();
            async move {
                let part = service.claim_papers.part(of, self.document, number).await.transpose()?;
                Some((part.map_err(|fault| std::io::Error::other(fault.to_string())), number + 1))
            }
        });
        Ok(Download::of(found.media.word(), Some(found.bytes), Body::from_stream(parts)))
    }
}

input! {
    /// Ask for documents of a claim; the partner gets an event and reads the request
    struct AskPapers {
        /// Claim id, clm_…
        id: ClaimId,
        /// What is needed, in words for the claimant
        text: PersonalLine,
        /// Day by which the documents should come, YYYY-MM-DD
        by: Date,
    }
}

impl Act for AskPapers {
    const ABOUT: About = post("claim.ask", "/claims/{id}/papers-asked", &[Role::Support, Role::Claims]);

    type Answer = Done<ClaimChanged>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        Ok(Allowed::if_so(state(on, record).await?.takes_papers()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let claim = on.service.claims.ask_papers(self.id, self.text, self.by).await?;
        let note = format!("papers are asked until {}", self.by);
        Ok(changed(&claim).saying(note))
    }
}

input! {
    /// Attach a document that you received to a claim, such as a hospital bill: a PDF, JPEG or PNG file
    struct AttachPaper {
        /// Claim id, clm_…
        id: ClaimId,
        /// Id of the required document that the file is, as 'claim show' lists it, or other
        paper: PaperName,
    }
}

/// A document that a claim needs, by its id. `other`: a document that it does not need.
struct PaperName(Option<String>);

impl FromText for PaperName {
    const WANTED: &'static str = "the id of a required document, or other";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        Ok(PaperName((text != "other").then(|| text.to_owned())))
    }
}

impl Act for AttachPaper {
    const ABOUT: About =
        post("claim.attach", "/claims/{id}/attachments/{paper}", &[Role::Support, Role::Claims]).taking_file(
            FileTaken { media: "application/octet-stream", value: "FILE", help: "File to attach" },
        );

    type Answer = Done<PaperAttached>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        Ok(Allowed::if_so(state(on, record).await?.takes_papers()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let upload = on.upload.clone().expect("the act takes a file");
        let length = upload.metadata().map_err(unread)?.len();
        let mut part = vec![0; AT_ONCE];
        let mut read = upload.read_at(&mut part, 0).map_err(unread)?;
        let media = PaperType::of_first_bytes(&part[..read])
            .ok_or_else(|| bad(format!("The file must be {}.", PaperType::WANTED)))?;
        let of = on.service.claims.owner(self.id).await?;
        let papers = &on.service.claim_papers;
        let mut kept = papers.begin(of, self.id, self.paper.0, media, Some(length)).await?;
        let mut at = 0;
        while read > 0 {
            kept.add(&part[..read]).await?;
            at += read as u64;
            read = upload.read_at(&mut part, at).map_err(unread)?;
        }
        let document = kept.finish(&on.service.claims).await?;
        let note = format!("{} has the document {}", self.id, document.id);
        let attached = PaperAttached { claim_id: self.id, document_id: document.id, paper: document.paper };
        Ok(Done::of(attached).saying(note))
    }
}

answer! {
    /// A document that was attached to a claim
    struct PaperAttached {
        /// Id of the claim
        claim_id: ClaimId,
        /// Id of the document
        document_id: ClaimDocumentId,
        /// Id of the required document that it is
        paper: Option<String>,
    }
}

texts!(PaperName);
