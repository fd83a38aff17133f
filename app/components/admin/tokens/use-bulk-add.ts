import type { SubmissionResult } from '@conform-to/react'
import { useRevalidator } from '@remix-run/react'
import { useState } from 'react'
import {
  additionsText,
  cleanedText,
  NO_TOKENS,
  parseTokenLines,
  refusedLines,
} from '~/domain/tokens/rules'
import { callApi } from '~/lib/call-api'
import { paths } from '~/lib/paths'
import { showToast } from '../../ui/toasts'

/** The status of a call without the right, or without the password. */
const FORBIDDEN = 403

type BulkAdd = {
  /** The progress as text. Null if no tokens are being added. */
  progress: string | null
  /** The reasons why the lines left in the box were not added. */
  lastResult: SubmissionResult | undefined
  /** Adds what it can, and returns what is left. */
  add: (text: string, provider?: string) => Promise<Left>
}

type Left = {
  /** The lines that were not added, for the administrator to correct. */
  lines: string
  /** Whether a call was forbidden: the form itself asks for the password, or says why. */
  isForbidden: boolean
}

/** Adds the tokens of a text to the pool, with one call per line, and reports the result. */
export function useBulkAdd(): BulkAdd {
  const { revalidate } = useRevalidator()
  const [progress, setProgress] = useState<string | null>(null)
  const [lastResult, setLastResult] = useState<SubmissionResult>()
  const add = async (text: string, provider?: string) => {
    const lines = parseTokenLines(text)
    if (lines.length === 0) {
      showToast({ kind: 'error', title: 'Bulk import failed', description: NO_TOKENS })
      return { lines: '', isForbidden: false }
    }
    const left: string[] = []
    const refused: string[] = []
    let isForbidden = false
    for (const [index, { text: line, token, label, account }] of lines.entries()) {
      setProgress(`Adding ${index + 1} of ${lines.length}...`)
      const result = await callApi('POST', paths.api.extraTokens, {
        token,
        label,
        account,
        provider,
      })
      if (result.ok) continue
      isForbidden = result.status === FORBIDDEN
      if (isForbidden) {
        left.push(...lines.slice(index).map(({ text: other }) => other))
        break
      }
      left.push(line)
      refused.push(result.message ?? 'An error occurred')
    }
    setProgress(null)
    const tokens = refusedLines(refused)
    setLastResult(tokens.length > 0 ? { status: 'error', error: { tokens } } : undefined)
    if (isForbidden) return { lines: left.join('\n'), isForbidden }
    const added = lines.length - left.length
    showToast({
      kind: added > 0 ? 'success' : 'error',
      title: added > 0 ? 'Tokens added' : 'Bulk import failed',
      description: [additionsText(added, left.length), cleanedText(lines)]
        .filter(Boolean)
        .join('. '),
    })
    revalidate()
    return { lines: left.join('\n'), isForbidden }
  }
  return { progress, lastResult, add }
}
