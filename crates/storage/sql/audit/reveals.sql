select actor, count(*) as reveals
from audit
where
    via in ('socket', 'https', 'console') and entered_at >= $1 and entered_at < $2
    and change in ('personal.reveal', 'personal.search', 'secret.show')
group by actor
