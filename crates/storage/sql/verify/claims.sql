-- Each claim: whether its policy exists, its state after the last status change, its stored number of bytes, and the
-- bytes of its complete documents.
select partner_id, claim_id, created_at, policy_id, line, session_id, state, changed_at, version, settle_by, body,
       exists (select 1 from policies where policies.partner_id = claims.partner_id and policies.policy_id = claims.policy_id) as has_policy,
       (select to_state from claim_moves where claim_moves.partner_id = claims.partner_id
           and claim_moves.claim_id = claims.claim_id order by sequence desc limit 1) as moved_to,
       paper_bytes,
       (select cast(coalesce(sum(bytes), 0) as bigint) from claim_papers where claim_papers.partner_id = claims.partner_id
           and claim_papers.claim_id = claims.claim_id and is_whole) as whole_bytes,
       exists (select 1 from partners where partners.partner_id = claims.partner_id and partners.is_test) as is_of_test
  from claims
