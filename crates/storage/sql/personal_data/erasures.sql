select erasure_id from erasures
