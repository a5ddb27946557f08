-- If no row changed, another request has submitted or rejected the draft first.
update proposals set body = $1, quote_id = $2, variant_id = $3
 where partner_id = $4 and proposal_id = $5 and line = $6 and status = $7
