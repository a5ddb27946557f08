-- keys/first_sealed.sql: the first rows with a sealed column.
select {key}, {bound}, {column} from {table} where {column} is not null order by {key} limit {page}
