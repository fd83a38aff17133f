import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { Boot } from '~/boot/deps.server'
import { NO_TEXTS } from '~/domain/videos/order-fields'
import type { AspectRatio } from '~/domain/videos/types'
import { newId } from '~/lib/ids'
import { minutes } from '~/lib/time'
import { hasPreviewPackages } from '~/platform/preview-packages.server'
import { localProvider } from '~/platform/providers/local/adapter.server'
import type { AssetRef, OrderRef, VideoProvider } from '~/platform/providers/port'
import { Secret } from '~/platform/secrets/secret'

/** A local clip for demo videos, with the values for its rows. */
export type DemoClip = {
  prompt: string
  aspectRatio: AspectRatio
  path: string
  posterPath: string
  bytes: number
  sha256: string
  crc32: number
  durationMs: number
}

const SCENES: readonly Pick<DemoClip, 'prompt' | 'aspectRatio'>[] = [
  { prompt: 'A red lighthouse above a stormy sea at dusk', aspectRatio: 'landscape' },
  { prompt: 'Paper lanterns rise over a mountain lake at night', aspectRatio: 'portrait' },
  { prompt: 'Hot air balloons over green hills in the morning', aspectRatio: 'landscape' },
  { prompt: 'A deer in a snowy forest at dawn', aspectRatio: 'portrait' },
]
const CLIP_SECONDS = 4
/** Far more than any clip takes: on a busy machine a shorter limit ended the whole command. */
const PATIENCE_MS = minutes(30)
const NO_CREDENTIAL = {
  id: 'none',
  accountScope: 'local',
  kind: 'none',
  secret: new Secret(''),
} as const

/**
 * Draws the demo clips with the built-in renderer, regardless of the configured provider, at no
 * cost.
 */
export async function drawClips({ env, deps }: Boot, folder: string): Promise<DemoClip[]> {
  if (!hasPreviewPackages()) {
    throw new Error('Demo videos need the preview renderer, which is not part of this installation')
  }
  const provider = localProvider({
    ordersDir: path.join(folder, 'orders'),
    rendererEntry: path.join(import.meta.dirname, 'render-clip.js'),
    concurrency: 2,
    model: 'local-preview',
    timeScale: env.VIDEO_PROVIDER_TIME_SCALE,
  })
  try {
    return await Promise.all(
      SCENES.map(async (scene, i) => {
        const clip = {
          path: path.join(folder, `${i}.mp4`),
          posterPath: path.join(folder, `${i}.jpg`),
        }
        await draw(provider, { ...scene, seed: i + 1 }, clip.path)
        const signal = AbortSignal.timeout(PATIENCE_MS)
        const inspection = await deps.inspectClip({ ...clip, signal })
        if (!inspection.ok) throw new Error(`a demo clip is not whole: ${inspection.reason}`)
        const content = await fs.readFile(clip.path)
        const digest = { bytes: content.length, crc32: crc32(content) }
        const sha256 = createHash('sha256').update(content).digest('hex')
        const durationMs = Math.round(inspection.facts.durationMs)
        return { ...scene, ...clip, ...digest, sha256, durationMs }
      }),
    )
  } finally {
    await provider.stop()
  }
}

type Scene = { prompt: string; aspectRatio: AspectRatio; seed: number }

async function draw(provider: VideoProvider, scene: Scene, target: string): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const request = { ...scene, ...NO_TEXTS, durationSeconds: CLIP_SECONDS }
  const ref = await provider.submit(request, NO_CREDENTIAL, {
    attemptId: newId(),
    signal,
    lane: 0,
    mayStart: () => Promise.resolve(true),
  })
  const asset = await waitFor(provider, ref, signal)
  if (asset.at === 'file') await fs.copyFile(asset.path, target)
}

async function waitFor(
  provider: VideoProvider,
  ref: OrderRef,
  signal: AbortSignal,
): Promise<AssetRef> {
  for (;;) {
    const response = await provider.poll(ref, NO_CREDENTIAL, signal)
    if (response.state === 'succeeded') return response.assets[0]
    if (response.state === 'failed') throw new Error(response.evidence.message)
    await sleep(response.pollAfterMs, undefined, { signal })
  }
}
