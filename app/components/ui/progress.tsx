type Props = { label: string; percent: number }

/** A determinate bar; the figures stand in the text beside it. */
export function Progress({ label, percent }: Props) {
  return <progress aria-label={label} max={100} value={percent} className="bar" />
}
