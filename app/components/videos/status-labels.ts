import { CircleCheck, CircleDashed, CircleX, Hourglass, type LucideIcon } from 'lucide-react'
import type { VideoStatus } from '~/domain/videos/types'

type Words = { label: string; icon: LucideIcon; tone: string }

/** Label, icon and colour of each state. The colour is never the only difference. */
export const STATUS_WORDS = {
  pending: { label: 'Pending', icon: Hourglass, tone: 'text-soft' },
  generating: { label: 'Generating', icon: CircleDashed, tone: 'text-accent' },
  completed: { label: 'Completed', icon: CircleCheck, tone: 'text-good' },
  error: { label: 'Failed', icon: CircleX, tone: 'text-bad' },
} as const satisfies Record<VideoStatus, Words>
