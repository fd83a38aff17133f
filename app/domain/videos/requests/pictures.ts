// Limits of an uploaded picture, which pages name.

export const PICTURE_MEGABYTES = 10
export const PICTURE_BYTES = PICTURE_MEGABYTES * 1024 * 1024
export const PICTURE_MEGAPIXELS = 40
/** Pixels that each side has at least. */
export const PICTURE_LEAST_SIDE = 64

/** What is said of a picture of which a part is missing. */
export const NOT_WHOLE_PICTURE =
  'This picture is not complete. A part of its file is missing or damaged.'

/** Limits of the pictures of a batch: how many, and how much of them one request uploads. */
export const MOST_DRAFT_PICTURES = 20
export const UPLOAD_MEGABYTES = 30
export const UPLOAD_BYTES = UPLOAD_MEGABYTES * 1024 * 1024

/**
 * A picture that a user has added to the prompts of a batch, with its id cut to each aspect ratio. One that
 * came back with a prompt may have only one.
 */
export type DraftPicture = { name: string; portrait: string | null; landscape: string | null }

/** Returns the id under which a form names a draft picture. */
export const draftPictureId = ({ portrait, landscape }: DraftPicture): string =>
  portrait ?? landscape ?? ''

/** Returns what a form sends of the draft pictures that its page has shown. */
export const shownPictures = (pictures: readonly DraftPicture[]): string =>
  pictures.map(draftPictureId).join(' ')

/** Returns the name that a picture has in the form: without folders, and short enough for a cell. */
export function nameOfFile(file: string): string {
  const base = file.normalize('NFC').replace(/^.*[\\/]/, '')
  const clean = base.replace(/[\p{Cc}\p{Cs}]+/gu, '_').trim()
  const [, stem = '', ending = '.jpg'] = /^(.*?)(\.(?:jpe?g|png|webp))?$/i.exec(clean) ?? []
  // Half a sign at the cut would be no text.
  const short = stem.slice(0, MOST_NAME_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')
  return `${short || 'picture'}${ending}`
}

const MOST_NAME_CHARACTERS = 80

/** Two names that differ only in case mean one picture. */
export const nameKey = (name: string): string => name.normalize('NFC').trim().toLowerCase()

/** Whether videos can be made from pictures here, or why not. */
export type Pictures = 'on' | 'off' | 'not-by-model' | 'not-installed'

/** The two places of pictures in a video. */
export type PicturePlace = 'first' | 'end'

/** The clip at whose end a new video begins. */
export type ContinuedClip = { id: string; prompt: string; thumbnailUrl: string | null }

/** What a form continues: null: nothing; 'gone': a clip that was deleted or never was. */
export type Continued = ContinuedClip | 'gone' | null
