import { useActionData } from '@remix-run/react'
import { pauseFields } from '~/domain/administration/shown'
import type { OrderPause } from '~/domain/business/types'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { TextAreaField } from '~/components/ui/field'
import { SubmitButton } from '~/components/ui/submit-button'
import { useShownForm } from '~/components/ui/use-shown-form'

/** Stops users' new orders, with the sentence that they read. */
export function PausePanel({ pause }: { pause: OrderPause | null }) {
  // The page of an administrator whose pause was refused, because another one was quicker, keeps its form.
  const isRefused = useActionData<{ intent?: string }>()?.intent === 'pause'
  return (
    <Card title="New orders">
      {pause && <Paused pause={pause} />}
      {(!pause || isRefused) && <Running pause={pause} />}
    </Card>
  )
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

function Running({ pause }: { pause: OrderPause | null }) {
  const [form, { text }, before] = useShownForm<OrderPause>('pause', { shown: pauseFields(pause) })
  return (
    <ActionForm {...form} intent="pause" preventScrollReset className="space-y-4">
      <p className="text-sm text-soft">
        While paused, users’ new videos, retries and batches are refused with this message. Accepted
        videos and running batches go on, and administrators can still order.
      </p>
      <TextAreaField field={text} label="What users read" rows={3} maxLength={300} required />
      <SubmitButton intent="pause" look="danger" pending="Pausing…">
        Pause new orders
      </SubmitButton>
      <HiddenFields fields={before} />
    </ActionForm>
  )
}
