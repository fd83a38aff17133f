-- Ends what an editor may do for the administrators when the account gets another role. Whoever writes
-- the role, nothing comes back unticked when the role does.
CREATE OR REPLACE FUNCTION end_helper_rights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM helper_rights WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER users_end_helper_rights AFTER UPDATE OF role ON users FOR EACH ROW
  WHEN (OLD.role <> NEW.role) EXECUTE FUNCTION end_helper_rights();

-- locks: one row per helper, a few
DELETE FROM helper_rights USING users WHERE users.id = user_id AND users.role <> 'editor';
