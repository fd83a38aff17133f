ALTER TABLE "provider_failures" ADD COLUMN "provider" TEXT NOT NULL DEFAULT '';

-- What is known so far is known of the provider that got the latest order.
UPDATE provider_gates SET scope = scope || ' ' || latest.provider
FROM (SELECT provider FROM attempts ORDER BY id DESC LIMIT 1) AS latest
WHERE scope IN ('service', 'clips');

UPDATE provider_failures SET provider = latest.provider,
  scope = CASE scope WHEN 'service' THEN 'service ' || latest.provider ELSE scope END
FROM (SELECT provider FROM attempts ORDER BY id DESC LIMIT 1) AS latest;

ALTER TABLE "credentials" ADD COLUMN "provider" TEXT;
