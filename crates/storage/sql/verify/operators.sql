select operator_id, version, body from operators
