select to_regclass('migrations') is not null
