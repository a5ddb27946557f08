-- Each status change of a claim: whether its claim exists, its sequence number, its position among the status changes
-- of its claim, and the state in which the previous one ended.
select partner_id, claim_id as record_id, moved_at, moved_by, from_state, to_state, reason,
       exists (select 1 from claims where claims.partner_id = claim_moves.partner_id
                and claims.claim_id = claim_moves.claim_id) as has_record,
       sequence, row_number() over claim as position, lag(to_state) over claim as moved_before
  from claim_moves
window claim as (partition by partner_id, claim_id order by sequence)
