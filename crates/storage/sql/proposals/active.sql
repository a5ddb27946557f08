-- Line 2 is health. A health proposal is active unless its status is 4 (CANCELLED) or 6 (REJECTED).
select proposal_id from proposals
 where partner_id = $1 and quote_id = $2 and variant_id = $3 and line = 2 and status not in (4, 6)
