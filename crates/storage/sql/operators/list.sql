select operator_id, version, body from operators order by operator_id
