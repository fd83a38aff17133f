import { cancelBatch } from '~/domain/batches/cancel-batch.server'
import { getBatchSummary } from '~/domain/batches/batch-list.server'
import { renameBatch } from '~/domain/batches/rename-batch.server'
import { retryBatch } from '~/domain/batches/retry-failed.server'
import { renameBatchInput } from '~/domain/batches/schemas'
import { pauseBatch, resumeBatch } from '~/domain/batches/steer-batch.server'
import { moveUpInLine } from '~/domain/batches/steer-line.server'
import { undoLeaving } from '~/domain/batches/undo-removal.server'
import { ALL_OF_THEM, programCall } from '../api.server'
import { batch, batchStates, ordered } from './answers'

/** The calls of one batch. The list is not here: it is answered before Remix. */
export const batchesCalls = {
  'GET /api/batches/:batchId': programCall({
    says: 'The batch with the states of its videos',
    answer: batchStates,
    errors: { NOT_FOUND: '' },
    run: async ({ ctx, params }) => getBatchSummary(ctx, params.batchId ?? ''),
  }),
  'PATCH /api/batches/:batchId': programCall({
    says: 'Renames the batch; with a blank name or null it is named after its time',
    body: renameBatchInput,
    answer: batchStates,
    errors: { NOT_FOUND: '' },
    example: { name: 'Summer fair' },
    run: async ({ ctx, params, body }) =>
      renameBatch(ctx, { id: params.batchId ?? '', name: body.name }),
  }),
  'POST /api/batches/:batchId/retry-failed': programCall({
    says: 'Retries the failed videos of a batch as a new batch',
    body: ALL_OF_THEM,
    takesKey: true,
    status: 202,
    answer: ordered,
    errors: { NOT_FOUND: '', BATCH_RUNNING: '' },
    run: async ({ ctx, params, key }) => retryBatch(ctx, params.batchId ?? '', key),
  }),
  'POST /api/batches/:batchId/pause': programCall({
    says: 'Pauses the batch: nothing more of it is sent until it is resumed',
    answer: batch,
    errors: { NOT_FOUND: '', CONFLICT: 'ended, paused, or all sent' },
    run: async ({ ctx, params }) => pauseBatch(ctx, params.batchId ?? ''),
  }),
  'POST /api/batches/:batchId/resume': programCall({
    says: 'Resumes a paused batch',
    answer: batch,
    errors: { NOT_FOUND: '', CONFLICT: 'ended or not paused' },
    run: async ({ ctx, params }) => resumeBatch(ctx, params.batchId ?? ''),
  }),
  'POST /api/batches/:batchId/move-up': programCall({
    says: 'Moves a batch one place up in line; the first one stays',
    answer: batch,
    errors: { NOT_FOUND: '', CONFLICT: 'it is not in line' },
    run: async ({ ctx, params }) => moveUpInLine(ctx, params.batchId ?? ''),
  }),
  'POST /api/batches/:batchId/restore': programCall({
    says: 'Brings a batch that left the line back to its place there',
    answer: batch,
    errors: { NOT_FOUND: '', CONFLICT: 'it is back or started, the line is full' },
    run: async ({ ctx, params }) => undoLeaving(ctx, params.batchId ?? ''),
  }),
  'POST /api/batches/:batchId/cancel': programCall({
    says: 'Cancels the videos of a batch that are not yet sent; sent ones will be finished',
    answer: batch,
    errors: { NOT_FOUND: '', CONFLICT: 'it has already ended' },
    run: async ({ ctx, params }) => cancelBatch(ctx, params.batchId ?? ''),
  }),
}
