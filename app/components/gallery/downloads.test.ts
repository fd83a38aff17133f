import { expect, test } from 'vitest'
import { findCompleted } from './downloads'

test('A-VID-9: Download Filtered saves nothing if the filter matches only failed or waiting videos', async () => {
  for (const status of ['error', 'pending']) {
    const query = new URLSearchParams({ choice: 'filtered', scope: 'all', status })
    expect(await findCompleted(query), status).toEqual([])
  }
})
