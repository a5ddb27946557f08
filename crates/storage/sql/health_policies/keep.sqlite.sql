-- No row: its id or number is taken.
insert into health_policies
    (partner_id, policy_id, issued_at, session_id, proposal_id, number, insurer_number, check_code, body, certificate)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict do nothing
