import { z } from 'zod'
import { videoListQuery } from '~/domain/videos/schemas'
import type { CallFacts } from '../api.server'
import { changes, listedBatch, video, videoPage } from './answers'
import { SOME_ID } from './examples'

/** An answer that is no JSON. */
export const FILE = z.string().describe('a file')

/** What the archive takes beside the filters of the list. */
const archiveQuery = videoListQuery
  .omit({ page: true, limit: true })
  .extend({ ids: z.string().describe('separated by commas') })
  .partial()

const ARCHIVE = { NOT_FOUND: 'none is completed', BAD_INPUT: 'too many, or an unknown field' }

/** What is told about the calls that are answered before Remix, because they are polled or send files. */
export const SERVED_BEFORE = {
  'GET /api/videos': {
    says: 'The videos, newest first; at most 10,000 on a page',
    query: videoListQuery,
    hasETag: true,
    answer: videoPage,
    errors: { BAD_INPUT: '' },
  },
  'GET /api/videos/changes': {
    says: 'What has changed since the `version` of the last answer',
    query: z.object({ since: z.number().int().optional() }),
    hasETag: true,
    answer: changes,
    errors: { BAD_INPUT: '' },
  },
  'GET /api/videos/:videoId/status': {
    says: 'The video',
    hasETag: true,
    answer: video,
    errors: { NOT_FOUND: '' },
  },
  'GET /api/videos/:videoId/download': {
    says: 'The MP4 as an attachment, with ranges',
    answer: FILE,
    errors: { NOT_FOUND: '', CONFLICT: 'not finished yet' },
  },
  'GET /api/videos/archive': {
    says: 'A ZIP of at most 10,000 clips with `prompts.csv` and `posting-list.csv`, with its exact length, ranges and an ETag',
    query: archiveQuery,
    answer: FILE,
    errors: ARCHIVE,
  },
  'POST /api/videos/archive': {
    says: 'The archive for more ids than an address holds, as JSON or as the fields of a form, without ranges; or `choice=selected` with `all` (a time): all that matched the filters then, without the ids in `except`',
    body: archiveQuery.extend({ ids: z.array(z.string()) }).partial(),
    answer: FILE,
    errors: ARCHIVE,
    example: { ids: [SOME_ID] },
  },
  'GET /api/batches': {
    says: "The 50 newest of the user's batches, newest first, or the next 50 before one of them",
    query: z.object({ before: z.string().uuid().optional().describe('the id of a batch') }),
    hasETag: true,
    answer: z.array(listedBatch),
  },
} as const satisfies Record<string, CallFacts>
