-- Trigger credentials_note_death: counts every token that dies, whatever found it dead and whatever
-- happens to its row.
CREATE OR REPLACE FUNCTION note_token_death() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO token_deaths (died_at) VALUES (engine_now());
  RETURN NULL;
END $$;

-- Trigger credentials_account: a version that does not know accounts adds keys without one. Until the
-- key is placed, its account is the whole scope, as that version assumes.
CREATE OR REPLACE FUNCTION default_key_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.account := coalesce(NEW.account, NEW.account_scope);
  RETURN NEW;
END $$;
