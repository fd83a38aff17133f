import { MORE_VIDEOS } from '~/domain/videos/rules'
import { plural } from '~/lib/figures'
import { ConfirmDialog } from '../ui/confirm'
import { FormToast } from '../ui/toasts'
import { useDialogForm } from '../ui/use-dialog-form'
import { useOrderKey } from '../ui/use-order-key'
import { AboutVideo } from './about-video'
import { failedOf } from './action-texts'
import type { OpenedVideo } from './use-opened-video'

/** Orders more videos with the same prompt and settings. */
export function MoreDialog({ video, formKey }: { video: OpenedVideo; formKey: string }) {
  const { stays, message } = useDialogForm()
  const key = useOrderKey(formKey)
  return (
    <ConfirmDialog
      title={`Make ${MORE_VIDEOS} more like this?`}
      text={
        <AboutVideo
          video={video}
          text={`This makes ${plural(MORE_VIDEOS, 'new video')} with the same prompt and settings. It uses ${MORE_VIDEOS} videos of today’s quota. If a batch is running, they wait in line.`}
        />
      }
      intent="more"
      failed={failedOf('more')}
      stays={stays}
      confirmLabel="Generate"
      isDangerous={false}
      fields={{ on: video.id, formKey: key }}
    >
      {message && <FormToast toast={message} />}
    </ConfirmDialog>
  )
}
