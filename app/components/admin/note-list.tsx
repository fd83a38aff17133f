/** Sentences about what was pasted into a box, as a list. */
export function NoteList({ notes }: { notes: readonly string[] }) {
  return (
    <ul className="basis-full list-disc space-y-0.5 break-words pl-5 text-warn">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}
