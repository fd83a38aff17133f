import { useFetcher, type FetcherWithComponents } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { IMPORT_DEFAULTS } from '~/domain/administration/rules'
import { IMPORT_EXAMPLE } from '~/domain/administration/import-rules'
import type { ImportAnswer } from '~/domain/administration/types'
import { paths } from '~/lib/paths'
import { linesOf, withoutLines } from '~/lib/text'
import { buttonClass } from '../ui/button'
import { useHydrated } from '../ui/use-hydrated'
import { AnsweredPanel } from './answered-panel'
import { ImportResults } from './import-results'

const INTENT = 'import-users'

const { plan, videoLimit, speedLimit, videoGenerationSpeed } = IMPORT_DEFAULTS
const HINT =
  `username|password gives ${plan} with ${videoLimit} videos a day, ${speedLimit} every ${videoGenerationSpeed} s. ` +
  'Or all columns of Download All Data: accounts that exist then keep their password and expiry date. At most 100 lines.'

type Props = {
  /** The response to a form that was sent without scripts. */
  answer?: ImportAnswer | undefined
  /** The text that the Load Example link put into the URL. */
  initialText?: string
}

/** Premium Users Import: paste, check without writing, import, with one result per line. */
export function ImportPanel({ answer, initialText = '' }: Props) {
  const fetcher = useFetcher<ImportAnswer>()
  const latest = fetcher.data ?? answer
  useLinesLeft(fetcher)
  return (
    <AnsweredPanel
      title="Premium Users Import"
      fetcher={fetcher}
      intent={INTENT}
      action={paths.admin.importUsers}
      field={{
        label: 'One user per line',
        hint: HINT,
        rows: 6,
        text: answer?.text ?? initialText,
      }}
      buttons={
        <>
          <TextButton text={IMPORT_EXAMPLE} address={`${paths.admin.importUsers}?example`}>
            Load Example
          </TextButton>
          <TextButton text="" address={paths.admin.importUsers}>
            Clear
          </TextButton>
          <button name="mode" value="check" className={buttonClass('plain')}>
            Check
          </button>
          <button name="mode" value="import" className={buttonClass('primary')}>
            {fetcher.formData?.get('mode') === 'import' ? 'Importing...' : 'Import'}
          </button>
        </>
      }
      toast={latest?.toast}
    >
      {latest && <ImportResults answer={latest} />}
    </AnsweredPanel>
  )
}

/** After an import, removes the imported lines from the box, unless its text has been changed. */
function useLinesLeft({ data, formData }: FetcherWithComponents<ImportAnswer>) {
  const sent = useRef('')
  useEffect(() => {
    const text = formData?.get('text')
    if (typeof text === 'string') sent.current = text
  }, [formData])
  useEffect(() => {
    const form = document.forms.namedItem(INTENT)
    const text = boxOf(form)?.value
    if (data?.imported && text === linesOf(sent.current).join('\n'))
      put(form, withoutLines(text, data.imported))
  }, [data])
}

type TextButtonProps = { text: string; address: string; children: string }

/** Puts a text into the box. Without scripts it is a link to a page whose box contains the text. */
function TextButton({ text, address, children }: TextButtonProps) {
  if (!useHydrated()) {
    return (
      <a href={address} className={buttonClass('plain')}>
        {children}
      </a>
    )
  }
  return (
    <button
      type="button"
      onClick={({ currentTarget }) => put(currentTarget.form, text)}
      className={buttonClass('plain')}
    >
      {children}
    </button>
  )
}

function boxOf(form: HTMLFormElement | null): HTMLTextAreaElement | null {
  const box = form?.elements.namedItem('text')
  return box instanceof HTMLTextAreaElement ? box : null
}

function put(form: HTMLFormElement | null, text: string): void {
  const box = boxOf(form)
  if (box) box.value = text
}
