update webhook_endpoints set rests_until = rests_until - $1 where rests_until > $2
