import { useEffect, useRef, useState } from 'react'
import { buttonClass, type ButtonLook } from './button'
import { Icon } from './icon'
import { useHydrated } from './use-hydrated'
import { writeClipboard } from './write-clipboard'

/** The copied state is shown this long (specification §9). */
const COPIED_MS = 2000

type Props = {
  text: string
  /** What is copied, for screen readers: 'Copy password'. */
  label: string
  /** Whether the label is also shown beside the icon. */
  isLabelShown?: boolean
  look?: ButtonLook
  className?: string
  onCopied?: () => void
  onFailed?: () => void
}

/** A button that copies a text to the clipboard. Not rendered without scripts. */
export function CopyButton(props: Props) {
  const { text, label, isLabelShown = false, look = 'quiet', className = '' } = props
  const [isCopied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  useEffect(() => () => clearTimeout(timer.current), [])
  if (!useHydrated()) return null
  const copy = async () => {
    if (!(await writeClipboard(text))) return props.onFailed?.()
    props.onCopied?.()
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), COPIED_MS)
  }
  return (
    <button
      type="button"
      onClick={() => void copy()}
      aria-label={isCopied ? `${label}: copied` : label}
      data-tooltip={isLabelShown ? undefined : label}
      className={buttonClass(look, className)}
    >
      <Icon
        name={isCopied ? 'check' : 'copy'}
        className={`size-4 ${isCopied ? 'text-good' : ''}`}
      />
      {isLabelShown && (isCopied ? 'Copied' : label)}
    </button>
  )
}
