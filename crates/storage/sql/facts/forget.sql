delete from facts where name = $1
