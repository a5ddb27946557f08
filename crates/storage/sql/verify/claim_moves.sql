-- verify/claim_moves.sql: each with whether its claim is there.
select claim_id, partner_id, moved_at, moved_by, from_state, to_state, reason,
       exists (select 1 from claims where claims.partner_id = claim_moves.partner_id
                and claims.claim_id = claim_moves.claim_id)
  from claim_moves
