import { z } from 'zod'
import { isDiskFull, messageOf } from '~/lib/error-facts'
import { lowerPriority } from '~/lib/lower-priority.server'
import { joinClips } from '~/platform/media/join.server'
import type { ClipJoin, JoinReport } from '~/platform/media/port'

// Child process that joins clips: receives one order, reports each copied clip and the end.

const order = z.object({ paths: z.array(z.string()), target: z.string() })

const tell = (report: JoinReport) => void process.send?.(report)

async function join(message: unknown): Promise<ClipJoin> {
  try {
    const { paths, target } = order.parse(message)
    return await joinClips({ paths, target, onCopied: (clips) => tell({ kind: 'copied', clips }) })
  } catch (error) {
    if (isDiskFull(error)) return { kind: 'no-room' }
    const reason = messageOf(error).replaceAll(/\s+/g, ' ').slice(0, 200)
    return { kind: 'unreadable', reason }
  }
}

// The library writes the time into the file. With "not set" the same clips become the same bytes, whichever
// process joins them, so that a download that broke off goes on with a file that another one has joined.
Date.now = () => Date.UTC(1904, 0, 1)

process.once('disconnect', () => process.exit(3))
process.once('message', (message) => void join(message).then(tell))
lowerPriority()
