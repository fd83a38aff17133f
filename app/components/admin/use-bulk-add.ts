import { useRevalidator } from '@remix-run/react'
import { useState } from 'react'
import { additionsText, NO_TOKENS, parseTokenLines } from '~/domain/tokens/rules'
import { callApi } from '~/lib/call-api'
import { paths } from '~/lib/paths'
import { showToast } from '../ui/toasts'

type BulkAdd = {
  /** How far it is, in words; null when nothing is being added. */
  progress: string | null
  /** Gives back the lines that were not added, which are still to be mended. */
  add: (text: string) => Promise<string>
}

/** Adds the tokens of a text to the pool, one call a line, and says what came of it. */
export function useBulkAdd(): BulkAdd {
  const { revalidate } = useRevalidator()
  const [progress, setProgress] = useState<string | null>(null)
  const add = async (text: string) => {
    const lines = parseTokenLines(text)
    if (lines.length === 0) {
      showToast({ kind: 'error', title: 'Bulk import failed', description: NO_TOKENS })
      return ''
    }
    const left: string[] = []
    const problems: string[] = []
    for (const [index, { line, token }] of lines.entries()) {
      setProgress(`Adding ${index + 1} of ${lines.length}...`)
      const result = await callApi('POST', paths.api.extraTokens, { token })
      if (result.ok) continue
      left.push(token)
      problems.push(`Line ${line}: ${result.message ?? 'An error occurred'}`)
    }
    setProgress(null)
    const added = lines.length - left.length
    showToast({
      kind: added > 0 ? 'success' : 'error',
      title: added > 0 ? 'Tokens added' : 'Bulk import failed',
      description: [additionsText(added, problems.length), ...problems.slice(0, 3)].join('. '),
    })
    revalidate()
    return left.join('\n')
  }
  return { progress, add }
}
