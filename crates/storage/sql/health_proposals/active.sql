select proposal_id from health_proposals
 where partner_id = $1 and quote_id = $2 and variant_id = $3 and status not in (4, 6)
