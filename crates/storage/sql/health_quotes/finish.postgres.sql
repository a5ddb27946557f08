-- No row: the lease was lost, and nothing was done.
-- `events/within.postgres.sql` follows, which keeps the act's events: $1 to $7.
with ended as (
    delete from jobs where partner_id = $8 and kind = $9 and subject_id = $10 and owner = $11 and attempt = $12 returning 1
), finished as (
    update health_quotes set outcome = $13 from ended where partner_id = $8 and quote_id = $10 and outcome is null
), dropped as (
    delete from health_outcomes using ended where partner_id = $8 and quote_id = $10
), act as (
    select 1 from ended
