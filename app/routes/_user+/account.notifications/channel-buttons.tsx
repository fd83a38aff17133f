import type { ReactNode } from 'react'
import type { NotificationChannel } from '~/domain/notifications/types'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { SubmitButton } from '~/components/ui/submit-button'

type Props = { channel: NotificationChannel; canTest: boolean; children?: ReactNode }

/** Tests a channel, and turns it off with one press. Other buttons come between. */
export function ChannelButtons({ channel, canTest, children }: Props) {
  return (
    <div className="flex flex-wrap gap-2">
      {canTest && (
        <ActionForm intent="notification-test" preventScrollReset>
          <HiddenFields fields={{ channel }} />
          <SubmitButton intent="notification-test" look="plain" pending="Sending…">
            Send a test
          </SubmitButton>
        </ActionForm>
      )}
      {children}
      <ActionForm intent="notification-off" preventScrollReset>
        <HiddenFields fields={{ channel }} />
        <SubmitButton intent="notification-off" look="warning">
          Turn off
        </SubmitButton>
      </ActionForm>
    </div>
  )
}
