update approvals set state = $1, version = $2, body = $3 where approval_id = $4 and version = $2 - 1
