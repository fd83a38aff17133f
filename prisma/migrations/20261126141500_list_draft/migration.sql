-- A list of prompts from a file or a spreadsheet, until its videos are ordered.
ALTER TYPE "draft_kind" ADD VALUE 'list';
