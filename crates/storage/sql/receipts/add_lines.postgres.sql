insert into receipt_lines (partner_id, reference, proposal_id, amount, outcome)
select $1, $2, line.* from unnest($3::uuid[], $4::bigint[], $5::smallint[]) as line
