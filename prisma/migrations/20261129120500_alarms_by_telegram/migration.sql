-- AlterEnum. In a migration of its own: a new value cannot be used before it is committed.
ALTER TYPE "notification_channel" ADD VALUE 'telegram';
