update approvals set version = $1, body = $2 where approval_id = $3 and version = $1 - 1
