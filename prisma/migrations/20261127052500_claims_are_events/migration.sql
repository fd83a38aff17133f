-- Administrators are told of a claim (app/domain/alarms).
CREATE TRIGGER payments_note_claim AFTER INSERT ON payments FOR EACH ROW
  WHEN (NEW.state = 'claimed') EXECUTE FUNCTION note_event('claim.waiting');
