import { useEffect, useRef, useState, type ReactNode } from 'react'
import {
  PICTURE_BYTES,
  PICTURE_MEGABYTES,
  PICTURE_MEGAPIXELS,
} from '~/domain/videos/requests/pictures'
import { FieldErrors } from '~/components/ui/field-frame'
import { useCropPreview } from './use-crop-preview'

type Props = {
  /** As typed before a refusal, or ''. */
  frame: string
  crop: string
  errors: readonly string[]
  /** Whether the browser has lost the file with the page that was refused. */
  isAgain: boolean
}

const HINT = `JPEG, PNG or WebP, at most ${PICTURE_MEGABYTES} MB and ${PICTURE_MEGAPIXELS} megapixels`
const TOO_LARGE = `The picture can have at most ${PICTURE_MEGABYTES} MB`
const NO_PICTURE = 'This is not a JPEG, PNG or WebP picture that can be read'

/** The picture, its aspect ratio and which part of it is used. Scripts show the part. */
export function PictureField({ frame, crop, errors, isAgain }: Props) {
  const fields = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<Chosen>({
    file: null,
    frame: frame || 'nearest',
    crop: Number(crop || '50'),
  })
  const preview = useCropPreview(chosen.file, chosen)
  const read = () => setChosen(chosenIn(fields.current))
  // What was chosen before the scripts loaded.
  useEffect(read, [])
  return (
    <div ref={fields} onChange={read} className="space-y-3">
      <FileField name="picture" label="Picture" required errors={errors}>
        {isAgain ? `Please choose the picture again. ${HINT}.` : `${HINT}.`}
      </FileField>
      <FrameChoice value={chosen.frame} />
      <div className="space-y-1.5">
        <label htmlFor="crop" className="block text-sm">
          Crop position, from left or top to right or bottom
        </label>
        <input
          id="crop"
          name="crop"
          type="range"
          min={0}
          max={100}
          defaultValue={chosen.crop}
          className="block h-11 w-full max-w-sm accent-accent"
        />
      </div>
      <canvas
        ref={preview}
        hidden={chosen.file === null}
        className="max-h-64 max-w-full rounded border border-line"
      >
        The part of your picture that is used
      </canvas>
    </div>
  )
}

/** The picture with which the video ends, which only some models take. It is folded until it is wanted. */
export function EndPictureField({ errors, isAgain }: Pick<Props, 'errors' | 'isAgain'>) {
  return (
    <details open={errors.length > 0 || undefined}>
      <summary className="fold-summary">Picture at the end (optional)</summary>
      <FileField name="endPicture" label="Picture at the end" errors={errors}>
        {isAgain && 'If you chose one, please choose it again. '}
        The video ends with it. It is cut in the middle to the aspect ratio of the video.
      </FileField>
    </details>
  )
}

type FileProps = {
  name: string
  label: string
  required?: boolean
  errors: readonly string[]
  /** The hint below the field. */
  children: ReactNode
}

function FileField({ name, label, required = false, errors, children }: FileProps) {
  return (
    <div className="space-y-1.5">
      <label htmlFor={name} className="block text-sm font-medium">
        {label}
      </label>
      <input
        id={name}
        name={name}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        required={required}
        onChange={({ currentTarget }) => {
          if (currentTarget.files?.[0] && !pictureIn(currentTarget)) currentTarget.reportValidity()
        }}
        aria-invalid={errors.length > 0 || undefined}
        aria-describedby={errors.length > 0 ? `${name}-error ${name}-hint` : `${name}-hint`}
        className="file-field"
      />
      <p id={`${name}-hint`} className="text-sm text-soft">
        {children}
      </p>
      <FieldErrors id={`${name}-error`} messages={errors} />
    </div>
  )
}

type Chosen = { file: File | null; frame: string; crop: number }

/** Reads the fields, in which something may have been chosen before the scripts loaded. */
function chosenIn(fields: HTMLElement | null): Chosen {
  const file = fields?.querySelector<HTMLInputElement>('[name=picture]')
  const frame = fields?.querySelector<HTMLInputElement>('[name=frame]:checked')
  const crop = fields?.querySelector<HTMLInputElement>('[name=crop]')
  return {
    file: file ? pictureIn(file) : null,
    frame: frame?.value ?? 'nearest',
    crop: Number(crop?.value ?? '50'),
  }
}

/** Returns the picture chosen in a field, or null. One that cannot be used makes the field invalid. */
function pictureIn(input: HTMLInputElement): File | null {
  const file = input.files?.[0]
  const problem = file ? problemOf(file) : ''
  input.setCustomValidity(problem)
  return file && problem === '' ? file : null
}

function problemOf({ size, type }: File): string {
  if (size > PICTURE_BYTES) return TOO_LARGE
  // Devices name types differently, or not at all. The server looks at the bytes.
  return type === '' || type.startsWith('image/') ? '' : NO_PICTURE
}

const FRAMES = [
  { value: 'nearest', label: 'Like the picture' },
  { value: 'portrait', label: 'Portrait 9:16' },
  { value: 'landscape', label: 'Landscape 16:9' },
]

/** The aspect ratios as radio buttons. */
function FrameChoice({ value: chosen }: { value: string }) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Aspect Ratio</legend>
      <div className="flex flex-wrap gap-x-4">
        {FRAMES.map(({ value, label }) => (
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-2 text-sm">
            <input
              type="radio"
              name="frame"
              value={value}
              defaultChecked={value === chosen}
              className="size-5"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
