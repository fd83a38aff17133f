import type { DeviceView } from '~/domain/notifications/types'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Badge } from '~/components/ui/badge'
import { Card } from '~/components/ui/card'
import { DayTime } from '~/components/ui/day-time'
import { SubmitButton } from '~/components/ui/submit-button'
import { ChannelButtons } from './channel-buttons'
import { TellThisDevice } from './tell-this-device'

type Props = {
  /** The key that browsers are given. Null: it is not offered. */
  publicKey: string | null
  devices: readonly DeviceView[]
}

/** The browsers that are told, and the button that asks this one. */
export function PushCard({ publicKey, devices }: Props) {
  const isOffered = publicKey !== null
  if (!isOffered && devices.length === 0) return null
  return (
    <Card title="On this device">
      <div className="space-y-4">
        {isOffered && (
          <>
            <p className="text-sm text-soft">
              Your browser shows when a batch is done, and your reminders, also while this page is
              closed. Messages are encrypted and come through the service of your browser’s maker.
              None come after you sign out on the device or change your password.
            </p>
            <TellThisDevice publicKey={publicKey} isTold={devices.some(({ isThis }) => isThis)} />
          </>
        )}
        {devices.length > 0 && (
          <>
            <ul
              className="divide-y divide-line border-y border-line"
              aria-label="Devices that are told"
            >
              {devices.map((device) => (
                <DeviceRow key={device.id} {...device} />
              ))}
            </ul>
            <ChannelButtons channel="push" canTest={isOffered} />
          </>
        )}
      </div>
    </Card>
  )
}

function DeviceRow({ id, device, since, told, isThis }: DeviceView) {
  return (
    <li className="flex items-center justify-between gap-4 py-3 tiny:flex-wrap">
      <div className="min-w-0 space-y-0.5">
        <p className="flex flex-wrap items-center gap-2 break-words">
          {device} {isThis && <Badge tone="accent">This device</Badge>}
        </p>
        <p className="text-sm tabular-nums text-soft">
          Since <DayTime instant={since} /> ·{' '}
          {told === null ? (
            'not told yet'
          ) : (
            <>
              last told <DayTime instant={told} />
            </>
          )}
        </p>
      </div>
      <ActionForm intent="notification-remove" preventScrollReset className="shrink-0">
        <HiddenFields fields={{ id }} />
        <SubmitButton intent="notification-remove" look="plain" aria-label={`Remove ${device}`}>
          Remove
        </SubmitButton>
      </ActionForm>
    </li>
  )
}
