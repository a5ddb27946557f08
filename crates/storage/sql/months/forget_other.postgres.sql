delete from {table}_other where {key} in (select {key} from {table}_other where {key} < $1 limit $2)
