-- No row: the claim's papers would be too large together, or it takes none any more (from 5, PAID, on). The claim's row is
-- locked, so that two papers never share the same room.
with room as (
    update claims set paper_bytes = paper_bytes + $4
     where partner_id = $1 and claim_id = $2 and paper_bytes + $4 <= $5 and state <= 4
    returning 1
), finished as (
    update claim_papers set bytes = $4, is_whole = true, body = $6
      from room where partner_id = $1 and paper_id = $3 and not is_whole
)
select 1 from room
