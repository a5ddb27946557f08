delete from holds where record_id = $1
