-- Takes a new page of the database's disk and gives it back. It fails if the disk has no room for a record.
create temporary table covernote_probe on commit drop as select repeat('x', 1000) as filler
