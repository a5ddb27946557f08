-- keys/sealed.sql: the first rows with a sealed column, or those after a key.
select {key}, {bound}{column} from {table} where {column} is not null{behind} order by {key} limit {page}
