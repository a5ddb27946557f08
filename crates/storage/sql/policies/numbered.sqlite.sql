-- Each way by itself and with its own limit, so that an index has the order as well: many policies may have one number.
-- SQLite counts `$n` by where it comes first.
with found as (
    select * from (select * from policies where partner_id = $1 and number = $2
                    order by issued_at desc, policy_id desc limit $3)
    union all
    select * from (select * from policies where partner_id = $1 and line = 1 and insurer_number = $2
                    order by issued_at desc, policy_id desc limit $3)
    union all
    select * from (select * from policies where partner_id = $1 and line = 2 and insurer_number = $2
                    order by issued_at desc, policy_id desc limit $3)
)
select policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_hash, body, state, changed_at, last_day, version,
       document_read_at, line, partner_id from found
 order by issued_at desc, policy_id desc limit $3
