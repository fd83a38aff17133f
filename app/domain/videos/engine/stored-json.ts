import { z } from 'zod'
import type { AssetRef, OrderRef } from '~/platform/providers/port'

const orderRef = z.object({
  provider: z.string(),
  accountScope: z.string(),
  model: z.string(),
  id: z.string(),
  data: z.record(z.string()).optional(),
})

const assetRef = z.discriminatedUnion('at', [
  z.object({ at: z.literal('url'), url: z.string(), auth: z.enum(['credential', 'none']) }),
  z.object({ at: z.literal('gcs'), bucket: z.string(), object: z.string() }),
  z.object({ at: z.literal('file'), path: z.string() }),
])

/** Parses the stored reference of an order. */
export function parseOrderRef(stored: unknown): OrderRef {
  const { data, ...ref } = orderRef.parse(stored)
  return data === undefined ? ref : { ...ref, data }
}

/** Returns the host of a clip, as a name for what is known of it. */
export function hostOf(asset: AssetRef): string {
  switch (asset.at) {
    case 'url':
      return URL.canParse(asset.url) ? new URL(asset.url).host : 'an unknown host'
    case 'gcs':
      return `gs://${asset.bucket}`
    case 'file':
      return 'file'
  }
}

/** Parses the stored location of a finished clip. */
export const parseAssetRef = (stored: unknown): AssetRef => assetRef.parse(stored)
