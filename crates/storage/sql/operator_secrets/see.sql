update operator_secrets set seen_at = $1 where hash = $2
