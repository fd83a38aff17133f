import type { Pictures } from '~/domain/videos/requests/pictures'
import { Icon } from '~/components/ui/icon'
import { PictureForm, type PictureFormProps } from './picture-form'

/** What the tab says where it has no form. */
const INSTEAD: Readonly<Record<Exclude<Pictures, 'on'>, { title: string; text: string }>> = {
  off: {
    title: 'Coming Soon',
    text: 'Image to Video is not ready yet. Text to Video and the Bulk Generator are.',
  },
  'not-by-model': {
    title: 'Not with this video model',
    text: 'The video model that is used here takes no pictures. Text to Video and the Bulk Generator work.',
  },
  'not-installed': {
    title: 'Pictures cannot be read',
    text: 'A part that reads pictures is not installed here. Text to Video and the Bulk Generator work.',
  },
}

type Props = PictureFormProps & { pictures: Pictures }

/**
 * The form for a video from a picture, where the operator offers it. Otherwise a placeholder: the feature
 * is only announced (specification §1).
 */
export function ImageTab({ pictures, ...form }: Props) {
  if (pictures === 'on') return <PictureForm {...form} />
  const { title, text } = INSTEAD[pictures]
  return (
    <div className="flex flex-col items-center gap-3 py-12 text-center">
      <Icon name="image-play" className="size-10 text-edge" />
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="max-w-prose text-sm text-soft">{text}</p>
    </div>
  )
}
