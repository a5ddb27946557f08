-- Rows with an encrypted column: the first ones, or those after a key.
select {key}, {bound}{column} from {table} where {column} is not null{behind} order by {key} limit {page}
