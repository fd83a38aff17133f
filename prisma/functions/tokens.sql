-- Trigger credentials_note_death: counts every token that dies, whatever found it dead and whatever
-- happens to its row.
CREATE OR REPLACE FUNCTION note_token_death() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO token_deaths (died_at) VALUES (engine_now());
  RETURN NULL;
END $$;
