-- The insurer's number before ours, of several the newest.
select policy_id, issued_at, session_id, number, insurer_number, body from (
    (select *, 1 as rank from health_policies
      where partner_id = $1 and insurer_number = $2 order by issued_at desc, policy_id desc limit 1)
    union all
    (select *, 2 as rank from health_policies where partner_id = $1 and number = $2)
) as found order by rank limit 1
