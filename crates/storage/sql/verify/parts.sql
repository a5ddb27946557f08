-- verify/parts.sql: the parts of a paper.
select number, body from claim_parts where partner_id = $1 and paper_id = $2 order by number
