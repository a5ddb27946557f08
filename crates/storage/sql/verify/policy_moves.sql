-- Each status change of a policy: whether its policy exists, its sequence number, its position among the status changes
-- of its policy, and the state in which the previous one ended.
select partner_id, policy_id as record_id, moved_at, moved_by, from_state, to_state, reason,
       exists (select 1 from policies where policies.partner_id = policy_moves.partner_id
                and policies.policy_id = policy_moves.policy_id) as has_record,
       sequence, row_number() over policy as position, lag(to_state) over policy as moved_before
  from policy_moves
window policy as (partition by partner_id, policy_id order by sequence)
