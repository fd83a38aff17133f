/** Number of lines that the note names. */
const SHOWN = 10

/** Names the lines that look like JSON but are not valid. They are accepted as plain text. */
export function JsonNote({ lines }: { lines: readonly number[] }) {
  if (lines.length === 0) return null
  return (
    <p className="text-sm text-warn">
      {lines.length === 1 ? 'Line' : 'Lines'} {lines.slice(0, SHOWN).join(', ')} look
      {lines.length === 1 ? 's' : ''} like JSON but cannot be parsed; used as plain text.
    </p>
  )
}
