-- AlterTable
ALTER TABLE "provider_gates" ADD COLUMN     "for_nothing" INTEGER NOT NULL DEFAULT 0;

-- Three orders closed each of these gates, and each later strike is one more.
-- locks: the table has one row for each closed gate, a few
UPDATE provider_gates SET for_nothing = strikes + 2
WHERE reason IN ('unreadable', 'no-clips') AND strikes > 0;
