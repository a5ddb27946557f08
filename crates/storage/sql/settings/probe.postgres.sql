-- Takes a new page of the database's disk and gives it back: so it fails where a record that needs one would.
create temporary table covernote_probe on commit drop as select repeat('x', 1000) as filler
