-- verify/policy_moves.sql: each with whether its policy is there.
select policy_id, partner_id, moved_at, moved_by, from_state, to_state, reason,
       exists (select 1 from policies where policies.partner_id = policy_moves.partner_id
                and policies.policy_id = policy_moves.policy_id)
  from policy_moves
