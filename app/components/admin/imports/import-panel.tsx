import { useFetcher, type FetcherWithComponents } from '@remix-run/react'
import { useRef } from 'react'
import { IMPORT_DEFAULTS } from '~/domain/administration/rules'
import { IMPORT_EXAMPLE } from '~/domain/administration/imports/import-example'
import type { ImportReport } from '~/domain/administration/types'
import { paths } from '~/lib/paths'
import { linesOf, withoutLines } from '~/lib/text'
import { buttonClass } from '../../ui/button'
import { CheckboxField } from '../../ui/field-frame'
import { useBeforePaint } from '../../ui/use-before-paint'
import { useHydrated } from '../../ui/use-hydrated'
import { Surprises } from '../payments/surprise-ticks'
import { ResultPanel } from '../result-panel'
import { ImportColumns } from './import-columns'
import { ImportResults } from './import-results'

const INTENT = 'import-users'
const CHECK = 'check-import'

const { plan, videoLimit, speedLimit, videoGenerationSpeed } = IMPORT_DEFAULTS
const HINT =
  `username|password gives ${plan} with ${videoLimit} videos a day, ${speedLimit} every ${videoGenerationSpeed} s. ` +
  'With a column of plans, new users get what their plan has. Without a password they get a link to set one. ' +
  'Or all columns of Download All Data: accounts that exist then keep their password and expiry date. ' +
  'A table with a heading line may have its columns in any order: what each is taken for can be corrected. ' +
  'Names and remarks become the note about a customer. At most 100 users.'

type Props = {
  /** The response to a form that was sent without scripts. */
  result?: ImportReport | undefined
  /** The text that the Load Example link put into the URL. */
  initialText?: string
}

/** Premium Users Import: paste, check without writing, import, with one result per line. */
export function ImportPanel({ result, initialText = '' }: Props) {
  const fetcher = useFetcher<ImportReport>()
  const latest = fetcher.data ?? result
  useLinesLeft(fetcher)
  useFileText(fetcher.data?.fileText)
  return (
    <ResultPanel
      title="Premium Users Import"
      fetcher={fetcher}
      intent={INTENT}
      failed="Bulk Import Failed"
      action={paths.admin.importUsers}
      field={{
        label: 'One user per line',
        hint: HINT,
        rows: 6,
        text: result?.text ?? initialText,
      }}
      encType="multipart/form-data"
      more={
        <>
          <FileField />
          <ImportColumns headings={latest?.headings ?? []} />
          <CheckboxField
            name="changeRoles"
            label="Change roles"
            hint="Without this tick, a line that changes a role or the plan of an administrator or editor, or creates one, fails."
            defaultChecked={latest?.changesRoles ?? false}
          />
          <Surprises
            said={latest?.surprises ?? []}
            propsOf={(name) => ({ name, defaultChecked: latest?.ticks?.[name] ?? false })}
          />
        </>
      }
      buttons={
        <>
          <TextButton text={IMPORT_EXAMPLE} address={`${paths.admin.importUsers}?example`}>
            Load Example
          </TextButton>
          <TextButton text="" address={paths.admin.importUsers}>
            Clear
          </TextButton>
          <button name="mode" value="check" id={CHECK} className={buttonClass('plain')}>
            Check
          </button>
          <button name="mode" value="import" className={buttonClass('primary')}>
            {fetcher.formData?.get('mode') === 'import' ? 'Importing...' : 'Import'}
          </button>
        </>
      }
      toast={latest?.toast}
    >
      {/* Without a response there are none. */}
      {latest && 'results' in latest && <ImportResults report={latest} />}
    </ResultPanel>
  )
}

/**
 * Choosing a file adds its text to the box, where it can be corrected, and checks it. Without scripts Check does
 * so.
 */
function FileField() {
  return (
    <div className="space-y-1.5">
      <label htmlFor="import-file" className="block text-sm text-soft">
        Or choose a .xlsx, .csv, .tsv or .txt file, which is added to the box
      </label>
      <input
        id="import-file"
        name="file"
        type="file"
        accept=".xlsx,.xlsm,.txt,.csv,.tsv,text/plain,text/csv,text/tab-separated-values"
        onChange={({ currentTarget: { form, files } }) => {
          if (files?.length) form?.requestSubmit(document.getElementById(CHECK))
        }}
        className="file-field"
      />
    </div>
  )
}

/** Adds the text of a file, which the server has decoded, to the box. */
function useFileText(fileText: string | undefined) {
  useBeforePaint(() => {
    const form = document.forms.namedItem(INTENT)
    if (!fileText) return
    put(form, [boxOf(form)?.value.trimEnd(), fileText].filter(Boolean).join('\n'))
    const file = form?.elements.namedItem('file')
    if (file instanceof HTMLInputElement) file.value = ''
  }, [fileText])
}

/** After an import, removes the imported lines from the box, unless its text has been changed. */
function useLinesLeft({ data, formData }: FetcherWithComponents<ImportReport>) {
  const sent = useRef('')
  useBeforePaint(() => {
    const text = formData?.get('text')
    if (typeof text === 'string') sent.current = text
  }, [formData])
  useBeforePaint(() => {
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
