-- The engine's clock. All decisions about time are made in the database, by this one function, so
-- the clocks of other machines do not matter. Stable, so that an index can be searched with it.
CREATE OR REPLACE FUNCTION engine_now() RETURNS timestamptz
  LANGUAGE sql STABLE PARALLEL SAFE
  AS 'SELECT statement_timestamp()';
