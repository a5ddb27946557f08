select day, step, after_id, assortment, version, partner_id, {proof} from calendars
