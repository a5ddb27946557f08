with recursive slots (slot) as (
    select min(slot) from audit
    union all
    select (select min(next.slot) from audit as next where next.slot > slots.slot) from slots where slots.slot is not null
)
select slots.slot, (select max(entry.number) from audit as entry where entry.slot = slots.slot)
from slots
where slots.slot is not null
