-- verify/by_time.sql: the records of a list, in the order in which its days are counted.
select partner_id, {at} from {table} where {filter} order by partner_id, {at}
