-- Removes a month with its rows. Users of the table wait at most a second until it is given up, and else only as long
-- as the removal of its files takes.
drop table {partition}
