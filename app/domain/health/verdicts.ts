import { figure } from '~/lib/figures'
import type { Finding } from './types'

export const GIB = 1024 ** 3

/** Formats a size in gigabytes. */
export const gigabytes = (bytes: number): string => `${figure((bytes / GIB).toFixed(1))} GB`

/** Formats seconds for operators. */
export function spell(seconds: number): string {
  if (seconds < 90) return `${seconds} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 3600)} h`
}

export type Verdict = Pick<Finding, 'level' | 'text' | 'next'>

export const ok = (text: string): Verdict => ({ level: 'ok', text, next: null })
export const warn = (text: string, next: string): Verdict => ({ level: 'warn', text, next })
export const bad = (text: string, next: string): Verdict => ({ level: 'bad', text, next })
