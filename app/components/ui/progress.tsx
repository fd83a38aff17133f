type Props = { label: string; percent: number }

/** A determinate progress bar. The text beside it has the figures. */
export function Progress({ label, percent }: Props) {
  return <progress aria-label={label} max={100} value={percent} className="bar" />
}
