import { useNavigation, useSubmit } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { useFormIdentity } from '~/components/ui/action-form'
import { Button } from '~/components/ui/button'
import { showToast } from '~/components/ui/toasts'
import { subscribe, whatIsPossible, type Possible } from './subscribe'

type Props = { publicKey: string; isTold: boolean }

/**
 * The button that asks this browser to show messages. The browser asks its user only after a press. What
 * is possible is known once scripts run; without them a sentence says so.
 */
export function TellThisDevice({ publicKey, isTold }: Props) {
  const [possible, setPossible] = useState<Possible | null>(null)
  const [isAsking, setAsking] = useState(false)
  const submit = useSubmit()
  const identity = useFormIdentity('notification-device')
  const isSending = useNavigation().formData?.get('intent') === 'notification-device'
  useEffect(() => void whatIsPossible().then(setPossible), [isTold])
  const ask = async () => {
    setAsking(true)
    const answer = await subscribe(publicKey)
    setAsking(false)
    setPossible(await whatIsPossible())
    if ('problem' in answer) {
      const title = 'Notifications are not on'
      return showToast({ kind: 'error', title, description: answer.problem })
    }
    submit({ ...identity, ...answer }, { method: 'post', preventScrollReset: true })
  }
  const words = possible === null ? undefined : WORDS[possible]
  return (
    <>
      <noscript className="block">
        <p className="text-sm text-soft">
          Notifications need scripts, which are switched off in your browser.
        </p>
      </noscript>
      {words !== undefined && (
        <p className="rounded border border-line px-3 py-2 text-sm">{words}</p>
      )}
      {isTold && possible === 'subscribed' ? (
        <p className="text-sm text-good">This device is notified.</p>
      ) : (
        (possible === 'ready' || possible === 'subscribed') && (
          <Button type="button" disabled={isAsking || isSending} onClick={() => void ask()}>
            {isAsking || isSending ? 'Asking…' : 'Notify me on this device'}
          </Button>
        )
      )}
    </>
  )
}

const WORDS: Partial<Record<Possible, string>> = {
  missing:
    'This browser cannot show notifications. On an iPhone or iPad, add this site to the Home Screen and open it from there.',
  blocked:
    'Your browser blocks notifications from this site. Allow them in its settings for this site, then reload the page.',
}
