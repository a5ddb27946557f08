create table if not exists migrations (number integer primary key, name text not null, applied_at integer not null) strict
