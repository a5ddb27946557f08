select count(*) from {table} where {column} is not null
