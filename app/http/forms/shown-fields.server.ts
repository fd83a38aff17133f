import { beforeField } from '~/domain/administration/rules'
import type { ShownFields, Together } from '~/domain/administration/shown'
import { AppError, type FieldErrors } from '~/domain/errors'
import { excerpt } from '~/lib/text'

/** What is stored now, as the page would show it, and which of its fields are one value. */
export type Stored = { now: ShownFields; together?: Together }

/** A field in three states: as the page showed it, as it was sent, and as it is stored. */
type Field = { name: string; before: Values; typed: Values; now: Values }
/** The values of a field: those of ticked boxes, or one text, or none if it is empty. */
type Values = readonly string[]

/** A quoted text must leave room for the other one. */
const QUOTED = 200

/** The sentence of a conflict. Each field says what it is about. */
const CHANGED =
  'Somebody else has saved this since you opened the page. Save again to replace what is marked.'

/**
 * Returns a form merged with what is stored now. A field that was left as the page showed it takes the
 * stored value, so that only changed fields are written. Boxes are merged one by one. Throws CONFLICT,
 * with both values at each field, if a changed field has another stored value by now; the form as it
 * was sent then says that its page has shown that, so that sent once more it replaces it. A field
 * without its value from before (`beforeField`) is taken as sent: programs, and older pages, send none.
 * `secrets` are never quoted.
 */
export function mergeShown(
  sent: FormData,
  { now, together = [] }: Stored,
  secrets: readonly string[],
): FormData {
  const data = new FormData()
  for (const [name, value] of sent) data.append(name, value)
  const errors: FieldErrors = {}
  const grouped = together.flat()
  const alone = Object.keys(now).filter((name) => !grouped.includes(name))
  for (const names of [...together, ...alone.map((name) => [name])]) {
    const fields = names.flatMap((name) => fieldOf(sent, name, now[name] ?? ''))
    const isLeft = fields.every(({ before, typed }) => isSame(before, typed))
    for (const field of fields) {
      const { name, before, typed } = field
      if (isSame(before, field.now)) continue
      if (Array.isArray(now[name])) take(data, mergeBoxes(field))
      else if (isLeft) take(data, { ...field, typed: field.now })
      else if (!isSame(typed, field.now)) errors[name] = [sentence(field, secrets.includes(name))]
    }
  }
  const names = Object.keys(errors)
  if (names.length === 0) return data
  for (const name of names) sent.set(beforeField(name), [now[name]].flat()[0] ?? '')
  throw new AppError('CONFLICT', CHANGED, { fields: errors })
}

/** Returns a field of a form, or nothing if the form does not say what it showed. */
function fieldOf(data: FormData, name: string, now: ShownFields[string]): Field[] {
  if (!data.has(beforeField(name))) return []
  const before = valuesOf(data.getAll(beforeField(name)))
  return [{ name, before, typed: valuesOf(data.getAll(name)), now: valuesOf([now].flat()) }]
}

/** Browsers send line ends as CR LF, and schemas trim. */
const valuesOf = (all: readonly FormDataEntryValue[]): Values =>
  all
    .filter((one) => typeof one === 'string')
    .map((one) => one.replace(/\r\n?/g, '\n').trim())
    .filter((one) => one !== '')

const isSame = (one: Values, other: Values): boolean =>
  one.length === other.length && one.every((value) => other.includes(value))

/** Applies the ticks that were changed to what is stored. */
function mergeBoxes(field: Field): Field {
  const { before, typed, now } = field
  const added = typed.filter((box) => !before.includes(box) && !now.includes(box))
  const kept = now.filter((box) => typed.includes(box) || !before.includes(box))
  return { ...field, typed: [...kept, ...added] }
}

/** Puts a merged field into the form, as if the page had shown what is stored. */
function take(data: FormData, { name, typed, now }: Field): void {
  for (const key of [name, beforeField(name)]) data.delete(key)
  for (const value of typed) data.append(name, value)
  for (const value of now.length === 0 ? [''] : now) data.append(beforeField(name), value)
}

function sentence({ before, typed, now }: Field, isSecret: boolean): string {
  const changed = now.length === 0 ? 'This was emptied' : `This was changed to ${quoted(now)}`
  const yours = isSame(before, typed)
    ? `Your page has ${quoted(typed)}.`
    : typed.length === 0
      ? 'You left it empty.'
      : isSecret
        ? 'You typed another.'
        : `You typed ${quoted(typed)}.`
  return `${changed} since you opened the page. ${yours}`
}

const quoted = (values: Values): string =>
  values.length === 0 ? 'nothing' : `“${excerpt(values.join(', '), QUOTED)}”`
