-- The prompt typed into the dialog that edits a video, carried through signing in again.
ALTER TYPE "draft_kind" ADD VALUE 'edit';
