-- Each ask is answered once: what another holder of the job kept before stays. No row: the lease was lost.
with held as (
    select 1 from jobs where partner_id = $1 and kind = $2 and subject_id = $3 and owner = $4 and attempt = $5 for share
), kept as (
    insert into health_outcomes (partner_id, quote_id, ask, body)
    select $1, $3, $6, $7 from held
    on conflict (partner_id, quote_id, ask) do nothing
)
select 1 from held
