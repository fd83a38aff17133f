-- Without a user it is an alarm.
ALTER TABLE "notifications" ALTER COLUMN "user_id" DROP NOT NULL;

-- What waits is sent by the new version, with the same id; the sweep adds its job.
INSERT INTO notifications (id, user_id, channel, title, body, at, state, tries, next_try_at, ended_at, problem)
SELECT id, NULL, channel::notification_channel, split_part(text, E'\n', 1),
  CASE channel WHEN 'webhook'
    THEN json_build_object('product', split_part(text, ': ', 1), 'id', id, 'name', name, 'state', state,
      'text', text, 'at', to_char(at AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))::text
    ELSE text END,
  at,
  CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN at < engine_now() - interval '1 day' THEN 'failed'
    ELSE 'waiting' END::notification_state,
  tries, next_try_at, sent_at, problem
FROM alarm_messages;

-- locks: no released version has this table. A worker of an earlier build that still runs can neither decide nor send
-- alarms without it; its transactions roll back, and the new worker tells what they would have told.
DROP TABLE "alarm_messages";
