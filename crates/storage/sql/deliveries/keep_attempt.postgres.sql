-- The attempt with the health of its endpoint. No row: somebody else holds the delivery, and nothing was done.
with kept as (
    update deliveries set state = $1, due_at = $2, is_again = 1, tries = $3, body = $4, owner = null
     where partner_id = $5 and endpoint_id = $6 and event_id = $7 and owner = $8 and lease = $9
    returning 1
), health as (
    update webhook_endpoints
       set failures = case when $10 then 0 else failures + 1 end,
           failing_since = case when $10 then null else coalesce(failing_since, $11) end,
           rests_until = case when $10 then null when failures + 1 >= $12 then $13 else rests_until end
      from kept
     where partner_id = $5 and endpoint_id = $6 and (failures > 0 or not $10)
    returning failures, failing_since, rests_until
)
select coalesce(health.failures, 0), health.failing_since, health.rests_until from kept left join health on true
