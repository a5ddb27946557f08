-- An insurer is told of each claim that is withdrawn (D114).
alter table insurer_notices add column withdrawn integer not null default 0;
