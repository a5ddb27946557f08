-- The rows of a page without a proof: the key columns, the columns to which the proof is bound, and the bank reference.
select {key}, {bound}{reference} from {table} where {column} is null order by {key} limit {page}
