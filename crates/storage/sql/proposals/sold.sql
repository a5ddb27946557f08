-- The newest sales from a quote and a variant: line and status are numbered in codes.rs.
select proposal_id from proposals
 where partner_id = $1 and quote_id = $2 and variant_id = $3 and line = 1 and status = 2
 order by proposal_id desc limit $4
