-- Counts a failed attempt. From $2 failures in a row on, nothing is sent to the endpoint until $3.
update webhook_endpoints set failures = failures + 1, failing_since = coalesce(failing_since, $1),
       rests_until = case when failures + 1 >= $2 then $3 else rests_until end
 where partner_id = $4 and endpoint_id = $5
returning failures, failing_since, rests_until
