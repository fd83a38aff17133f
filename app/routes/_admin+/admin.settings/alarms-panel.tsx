import { getCollectionProps } from '@conform-to/react'
import { alarmFields } from '~/domain/administration/shown'
import {
  ALARM_NAMES,
  type AlarmChannel,
  type AlarmName,
  type AlarmSettings,
} from '~/domain/business/types'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { Field } from '~/components/ui/field'
import { CheckboxField } from '~/components/ui/field-frame'
import { SubmitButton } from '~/components/ui/submit-button'
import { useShownForm } from '~/components/ui/use-shown-form'

const LABELS: Readonly<Record<AlarmName, string>> = {
  line: 'No new videos have been ordered for 5 minutes',
  worker: 'No worker is running',
  keys: 'Few tokens are left',
  failures: 'Many videos fail',
  backup: 'The backup is old, or its copy is missing',
  disk: 'Space for videos is short',
  'key-lost': 'A token stopped working or is out of credits',
  'sign-in': 'An administrator signs in from a new device',
  claim: 'A payment waits to be confirmed',
  request: 'A helper asks for your approval',
}

const CHANNELS = {
  webhook: { label: 'Web address', type: 'url', setting: 'ALARM_WEBHOOK_SECRET' },
  telegram: { label: 'Telegram chat', type: 'text', setting: 'ALARM_TELEGRAM_TOKEN' },
  email: { label: 'E-mail', type: 'email', setting: 'ALARM_SMTP_URL' },
} as const satisfies Record<AlarmChannel, { label: string; type: string; setting: string }>

const isChannel = (name: string): name is AlarmChannel => name in CHANNELS

type Fields = Record<AlarmChannel, string> &
  Record<'fewKeys' | 'failures' | 'quietFrom' | 'quietUntil' | 'summaryAt', string> & {
    names: string[]
  }

type Props = { alarms: AlarmSettings; ready: readonly AlarmChannel[]; timeZone: string }

/** What administrators are told of, and where. */
export function AlarmsPanel({ alarms, ready, timeZone }: Props) {
  const [form, fields, before] = useShownForm<Fields>('alarms', { shown: alarmFields(alarms) })
  const boxes = getCollectionProps(fields.names, { type: 'checkbox', options: [...ALARM_NAMES] })
  const isOn = Object.values(alarms.targets).some((target) => target !== null)
  return (
    <Card title="Alarms">
      <p className="mb-4 text-sm text-soft">
        Messages to you when something is wrong: once when it begins, then every hour, and when it
        is solved.
      </p>
      <ActionForm {...form} intent="alarms" preventScrollReset className="space-y-4">
        {Object.keys(CHANNELS)
          .filter(isChannel)
          .map((channel) => {
            const { label, type, setting } = CHANNELS[channel]
            const hint = ready.includes(channel)
              ? undefined
              : `Needs ${setting} in the environment.`
            return (
              <Field key={channel} field={fields[channel]} label={label} type={type} hint={hint} />
            )
          })}
        <fieldset>
          <legend className="text-sm font-medium">Tell when</legend>
          <div className="grid grid-cols-1 gap-x-4 sm:grid-cols-2">
            {boxes.map(({ key, ...box }) => (
              <CheckboxField key={key} label={LABELS[nameOf(box.value)]} {...box} />
            ))}
          </div>
        </fieldset>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <Field field={fields.fewKeys} label="Few keys: fewer than" inputMode="numeric" required />
          <Field
            field={fields.failures}
            label="Many failures: in 10 minutes"
            inputMode="numeric"
            required
          />
          <Field field={fields.quietFrom} label="Quiet from" type="time" hint={timeZone} />
          <Field
            field={fields.quietUntil}
            label="Quiet until"
            type="time"
            hint="During these hours only the alarm about stopped orders is sent. The others follow afterwards."
          />
          <Field
            field={fields.summaryAt}
            label="Daily summary at"
            type="time"
            hint="Empty: none."
          />
        </div>
        <SubmitButton intent="alarms" pending="Saving…">
          Save alarms
        </SubmitButton>
        <HiddenFields fields={before} />
      </ActionForm>
      {isOn && (
        <ActionForm intent="test-alarms" preventScrollReset className="mt-3">
          <SubmitButton intent="test-alarms" look="plain" pending="Sending…">
            Send test
          </SubmitButton>
        </ActionForm>
      )}
    </Card>
  )
}

const nameOf = (value: string | undefined): AlarmName =>
  ALARM_NAMES.find((name) => name === value) ?? 'line'
