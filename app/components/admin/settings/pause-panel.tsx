import type { OrderPause } from '~/domain/business/types'
import { ActionForm } from '../../ui/action-form'
import { Card } from '../../ui/card'
import { TextAreaField } from '../../ui/field'
import { SubmitButton } from '../../ui/submit-button'
import { useActionForm } from '../../ui/use-action-form'

const SENTENCE =
  'We are working on the service. New videos can be ordered again soon; videos under way are made.'

/** Stops users' new orders, with the sentence that they read. */
export function PausePanel({ pause }: { pause: OrderPause | null }) {
  return <Card title="New orders">{pause ? <Paused pause={pause} /> : <Running />}</Card>
}

function Paused({ pause }: { pause: OrderPause }) {
  return (
    <ActionForm intent="resume" preventScrollReset className="space-y-4">
      <p className="text-sm">
        Paused. Users read: <q className="break-words">{pause.text}</q>
      </p>
      <SubmitButton intent="resume" pending="Resuming…">
        Accept new orders
      </SubmitButton>
    </ActionForm>
  )
}

function Running() {
  const defaultValue = { text: SENTENCE }
  const [form, { text }] = useActionForm<OrderPause>('pause', { defaultValue })
  return (
    <ActionForm {...form} intent="pause" preventScrollReset className="space-y-4">
      <p className="text-sm text-soft">
        A pause refuses users’ new videos, retries and batches with your sentence. Accepted videos
        and running batches go on, and administrators can still order.
      </p>
      <TextAreaField field={text} label="What users read" rows={3} maxLength={300} required />
      <SubmitButton intent="pause" look="danger" pending="Pausing…">
        Pause new orders
      </SubmitButton>
    </ActionForm>
  )
}
