-- A key whose day is over may be used anew before the sweep has come by.
delete from kept_responses where partner_id = $1 and idempotency_key = $2 and kept_at < $3
