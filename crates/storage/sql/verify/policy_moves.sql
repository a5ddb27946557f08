-- Each with whether its policy is there, its sequence, its place among the moves of its policy, and where the one before it led.
select partner_id, policy_id as record_id, moved_at, moved_by, from_state, to_state, reason,
       exists (select 1 from policies where policies.partner_id = policy_moves.partner_id
                and policies.policy_id = policy_moves.policy_id) as has_record,
       sequence, row_number() over policy as position, lag(to_state) over policy as moved_before
  from policy_moves
window policy as (partition by partner_id, policy_id order by sequence)
