-- Only the time of the first download is stored.
update policies set document_read_at = $1 where partner_id = $2 and proposal_id = $3 and document_read_at is null
