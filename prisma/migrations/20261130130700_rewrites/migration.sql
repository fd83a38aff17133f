-- AlterEnum
ALTER TYPE "draft_kind" ADD VALUE 'rewrite';
