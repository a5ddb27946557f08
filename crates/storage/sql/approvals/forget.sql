delete from approvals where approval_id in (select approval_id from approvals where expires_at < $1 limit $2)
