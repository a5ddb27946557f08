-- keys/next_sealed.sql: the rows with a sealed column after a key.
select {key}, {bound}, {column} from {table} where {column} is not null and ({key}) > ({after}) order by {key} limit {page}
