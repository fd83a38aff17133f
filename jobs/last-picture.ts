import { lowerPriority } from '~/lib/lower-priority.server'
import { lastPicture } from '~/platform/media/last-picture.server'

// Child process that writes the last picture of a clip, its argument, as a JPEG.

lowerPriority()
const [, , clip = ''] = process.argv
process.stdout.write(await lastPicture(clip))
