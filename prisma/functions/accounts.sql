-- Ends what an editor may do for the administrators when the account gets another role. Whoever writes
-- the role, nothing comes back unticked when the role does.
CREATE OR REPLACE FUNCTION end_helper_rights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM helper_rights WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
