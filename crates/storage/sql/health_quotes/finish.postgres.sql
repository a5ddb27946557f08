-- No row: the lease was lost, and nothing was done.
with ended as (
    delete from jobs where partner_id = $1 and kind = $2 and subject_id = $3 and owner = $4 and attempt = $5 returning 1
), finished as (
    update health_quotes set outcome = $6 from ended where partner_id = $1 and quote_id = $3 and outcome is null
), dropped as (
    delete from health_outcomes using ended where partner_id = $1 and quote_id = $3
)
select 1 from ended
