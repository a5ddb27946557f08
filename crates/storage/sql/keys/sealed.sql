-- The rows of a page: the key columns, the columns to which the encrypted one is bound, and the encrypted column.
select {key}, {bound}{column} from {table} where {column} is not null{behind} order by {key} limit {page}
