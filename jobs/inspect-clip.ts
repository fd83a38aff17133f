import { z } from 'zod'
import { messageOf } from '~/lib/error-facts'
import { examineClip } from '~/platform/media/examine.server'
import type { ClipInspection } from '~/platform/media/port'
import { lowerPriority } from '~/lib/lower-priority.server'

// Child process of the clip inspection: receives one clip after another and reports on each.

const clip = z.object({ path: z.string(), posterPath: z.string() })

async function report(message: unknown): Promise<ClipInspection> {
  try {
    const { path, posterPath } = clip.parse(message)
    return await examineClip(path, posterPath)
  } catch (error) {
    return { ok: false, reason: messageOf(error).replaceAll(/\s+/g, ' ').slice(0, 200) }
  }
}

process.once('disconnect', () => process.exit(3))
process.on('message', (message) => void report(message).then((told) => process.send?.(told)))
lowerPriority()
