import type { ReactNode } from 'react'

const TONES = {
  neutral: 'bg-sunken text-ink',
  accent: 'bg-accent text-accent-on',
  warn: 'border border-warn text-warn',
  bad: 'bg-bad text-bad-on',
  good: 'border border-good text-good',
} as const

export type BadgeTone = keyof typeof TONES

export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return <span className={`badge ${TONES[tone]}`}>{children}</span>
}
