insert into audit
    (slot, number, entered_at, actor, via, action, change, subject, session, request_id, approval, reason, key_number, hash)
select
    cast($1 as smallint), cast($2 as bigint), cast($3 as bigint), cast($4 as text), cast($5 as text), cast($6 as text),
    cast($7 as text), cast($8 as text), cast($9 as text), cast($10 as uuid), cast($11 as text), cast($12 as bytea),
    cast($13 as integer), cast($14 as bytea)
where $2 = 1 or exists (select 1 from audit where slot = $1 and number = $2 - 1 and hash = $15)
on conflict (slot, number) do nothing
