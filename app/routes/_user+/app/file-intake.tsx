import { useEffect, useRef, type DragEvent } from 'react'
import { PROMPT_FILE_BYTES, PROMPT_FILE_TOO_LARGE } from '~/domain/lists/pasted-text'
import { FailedFields } from '~/components/ui/action-form'
import { buttonClass } from '~/components/ui/button'
import { FieldErrors } from '~/components/ui/field-frame'
import { showToast } from '~/components/ui/toasts'
import { useHydrated } from '~/components/ui/use-hydrated'
import { failedHere } from '~/components/create/create-form'

const FAILED = failedHere('File not read', 'Failed to read the file')

/**
 * Sends a file of prompts to the server, which shows them as a list. A file that is too large is not
 * sent, because the server reads no requests of that size.
 */
export function useFileIntake() {
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const send = () => {
    const file = input.current?.files?.[0]
    if (!input.current || !file) return
    if (file.size <= PROMPT_FILE_BYTES) button.current?.form?.requestSubmit(button.current)
    else showToast({ kind: 'error', title: 'File not read', description: PROMPT_FILE_TOO_LARGE })
    // Otherwise a browser may restore the file when it reloads the page, and it would be read again.
    input.current.value = ''
  }
  // A file that was chosen before the scripts loaded.
  useEffect(send, [])
  const onDrop = (event: DragEvent) => {
    if (!input.current || event.dataTransfer.files.length === 0) return
    event.preventDefault()
    input.current.files = event.dataTransfer.files
    send()
  }
  return { input, button, send, onDrop }
}

type Props = Pick<ReturnType<typeof useFileIntake>, 'input' | 'button' | 'send'> & {
  errors: readonly string[]
}

/** The file field, folded. Without scripts it has a button to upload the file. */
export function FileIntake({ input, button, send, errors }: Props) {
  const isHydrated = useHydrated()
  return (
    <details open={errors.length > 0}>
      <summary className="fold-summary">File</summary>
      <div className="flex flex-wrap items-end gap-2">
        <FailedFields of="add-file" failed={FAILED} />
        <div className="min-w-0 grow space-y-1.5">
          <label htmlFor="file" className="block text-sm text-soft">
            {isHydrated
              ? 'Or drop a .xlsx, .txt, .tsv, .jsonl or .csv file into the box, or choose one'
              : 'Or add the prompts of a .xlsx, .txt, .tsv, .jsonl or .csv file'}
          </label>
          <input
            ref={input}
            id="file"
            name="file"
            type="file"
            accept=".xlsx,.xlsm,.txt,.csv,.tsv,.jsonl,.ndjson,text/plain,text/csv,text/tab-separated-values"
            onChange={send}
            aria-invalid={errors.length > 0 || undefined}
            aria-describedby={errors.length > 0 ? 'file-error' : undefined}
            className="file-field"
          />
          <FieldErrors id="file-error" messages={errors} />
        </div>
        <button
          ref={button}
          name="intent"
          value="add-file"
          formNoValidate
          hidden={isHydrated}
          className={buttonClass('plain')}
        >
          Add the file
        </button>
      </div>
    </details>
  )
}
