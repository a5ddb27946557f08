-- Each way by itself and with its own limit, so that an index has the order as well: many policies may have one number.
select policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line, found.partner_id
  from unnest($1::uuid[]) as of (partner_id) cross join lateral (
        (select * from policies as q where q.partner_id = of.partner_id and q.number = $2
          order by q.issued_at desc, q.policy_id desc limit $3)
        union all
        (select * from policies as q where q.partner_id = of.partner_id and q.line = 1 and q.insurer_number = $2
          order by q.issued_at desc, q.policy_id desc limit $3)
        union all
        (select * from policies as q where q.partner_id = of.partner_id and q.line = 2 and q.insurer_number = $2
          order by q.issued_at desc, q.policy_id desc limit $3)
       ) as found
 order by issued_at desc, policy_id desc limit $3
