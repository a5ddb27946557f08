-- Tests whether the database's disk has room. The statement fails if there is no room for one page. The table is
-- dropped at the commit.
create temporary table covernote_probe on commit drop as select repeat('x', 1000) as filler
