-- The active proposal of a quote and variant. Statuses of health are numbered in codes.rs.
select proposal_id from proposals
 where partner_id = $1 and quote_id = $2 and variant_id = $3 and line = 2 and status not in (4, 6)
