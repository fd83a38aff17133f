import { Form } from '@remix-run/react'
import { useState } from 'react'
import { FILM_LIMITS, lengthText } from '~/domain/films/rules'
import type { ChosenClip } from '~/domain/films/types'
import { plural, sizeOf } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { smallWebpOf } from '~/lib/poster-files'
import { excerpt } from '~/lib/text'
import { FormToken, HiddenFields } from '~/components/ui/action-form'
import { Button } from '~/components/ui/button'
import { FieldFrame, lineClass } from '~/components/ui/field-frame'
import { Icon } from '~/components/ui/icon'
import { SubmitButton } from '~/components/ui/submit-button'
import { useHydrated } from '~/components/ui/use-hydrated'
import { RATIO_CLASS } from '~/components/videos/ratio-class'

const NAME_ID = 'film-name'
/** As much of a prompt as a row shows, and a button says. */
const ROW_CHARACTERS = 160
const LABEL_CHARACTERS = 40

type Props = {
  clips: readonly ChosenClip[]
  unfinished: number
  refusal: string | null
  name: string
  /** Of the name. */
  errors: readonly string[]
}

/** The chosen clips in their order, which can be changed, and the form that joins them. */
export function ClipOrder({ clips, unfinished, refusal, name, errors }: Props) {
  const isHydrated = useHydrated()
  const [isNumbered, setNumbered] = useState(false)
  return (
    <Form
      method="post"
      preventScrollReset
      onSubmit={() => setNumbered(false)}
      className="space-y-4"
    >
      {clips.length > 0 && (
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
          <Totals clips={clips} />
          {clips.length > 1 && (
            // The first button of the form: Enter in a field applies the order and joins nothing. With
            // scripts it appears once a number has been typed.
            <Button
              look="plain"
              name="intent"
              value="order"
              className={isHydrated && !isNumbered ? 'invisible' : ''}
            >
              <Icon name="check" className="size-4" />
              Apply the numbers
            </Button>
          )}
        </div>
      )}
      {unfinished > 0 && (
        <p className="text-sm text-warn">
          {plural(unfinished, 'video')} without a clip {unfinished === 1 ? 'is' : 'are'} left out.
        </p>
      )}
      {refusal !== null && (
        <p role="alert" className="rounded border border-bad px-3 py-2 text-sm text-bad">
          {refusal}
        </p>
      )}
      {clips.length > 0 && (
        <ol
          onInput={() => setNumbered(true)}
          className="divide-y divide-line rounded-lg border border-line bg-surface"
        >
          {clips.map((clip, index) => (
            // A row that has moved shows its new place.
            <ClipRow key={`${clip.id} ${index}`} clip={clip} place={index + 1} of={clips.length} />
          ))}
        </ol>
      )}
      {refusal === null && <JoinFields name={name} errors={errors} />}
      <FormToken />
      {/* Last: the buttons before it have intents of their own, those that move a clip have none. */}
      <HiddenFields fields={{ intent: 'order' }} />
    </Form>
  )
}

function Totals({ clips }: Pick<Props, 'clips'>) {
  const sum = (of: (clip: ChosenClip) => number) => clips.reduce((all, clip) => all + of(clip), 0)
  return (
    <p className="text-sm tabular-nums">
      {plural(clips.length, 'clip')} · {lengthText(sum(({ durationMs }) => durationMs))} ·{' '}
      {sizeOf(sum(({ bytes }) => bytes))}
    </p>
  )
}

type RowProps = { clip: ChosenClip; place: number; of: number }

function ClipRow({ clip, place, of }: RowProps) {
  const { id, prompt, durationMs, bytes } = clip
  const title = excerpt(prompt, LABEL_CHARACTERS)
  return (
    <li className="flex items-center gap-3 p-3 tiny:flex-wrap">
      <input type="hidden" name="ids" value={id} />
      <input
        type="number"
        inputMode="numeric"
        name="place"
        min={1}
        max={of}
        defaultValue={place}
        aria-label={`Place of ${title}`}
        className={`${lineClass} !w-16 shrink-0 !px-2 text-center`}
      />
      <Poster clip={clip} />
      <p className="min-w-0 grow text-sm tiny:basis-full">
        <span dir="auto" className="line-clamp-2 [overflow-wrap:anywhere]">
          {excerpt(prompt, ROW_CHARACTERS)}
        </span>
        <span className="block text-xs tabular-nums text-soft">
          {lengthText(durationMs)} · {sizeOf(bytes)}
        </span>
      </p>
      <span className="flex shrink-0 gap-1 max-sm:flex-col tiny:!flex-row">
        <MoveButton way="up" place={place} isEnd={place === 1} title={title} />
        <MoveButton way="down" place={place} isEnd={place === of} title={title} />
      </span>
    </li>
  )
}

type MoveProps = { way: 'up' | 'down'; place: number; isEnd: boolean; title: string }

const MoveButton = ({ way, place, isEnd, title }: MoveProps) => (
  <Button
    look="plain"
    name="move"
    value={`${way} ${place}`}
    disabled={isEnd}
    aria-label={`Move ${way}: ${title}`}
    className="!px-2.5"
  >
    <Icon name="chevron-down" className={`size-4 ${way === 'up' ? 'rotate-180' : ''}`} />
  </Button>
)

/** What the clip shows is said beside it. */
const Poster = ({ clip: { id, aspectRatio, hasPoster, version } }: { clip: ChosenClip }) => (
  <span
    className={`flex w-10 shrink-0 items-center justify-center overflow-hidden rounded-sm bg-film text-film-on ${RATIO_CLASS[aspectRatio]} ${aspectRatio === 'landscape' ? '!w-20' : ''}`}
  >
    {hasPoster ? (
      <img
        src={smallWebpOf(paths.media(id, 'jpg')) + version}
        alt=""
        width={180}
        height={320}
        loading="lazy"
        decoding="async"
        className="size-full object-cover"
      />
    ) : (
      <Icon name="film" className="size-4" />
    )}
  </span>
)

function JoinFields({ name, errors }: Pick<Props, 'name' | 'errors'>) {
  return (
    <div className="space-y-4">
      <FieldFrame id={NAME_ID} label="Name" errors={errors} errorId={`${NAME_ID}-error`}>
        <input
          id={NAME_ID}
          name="name"
          defaultValue={name}
          maxLength={FILM_LIMITS.nameCharacters}
          aria-invalid={errors.length > 0}
          aria-describedby={errors.length > 0 ? `${NAME_ID}-error` : undefined}
          className={lineClass}
        />
      </FieldFrame>
      <SubmitButton intent="join" name="intent" value="join">
        <Icon name="film" className="size-4" />
        Join the clips
      </SubmitButton>
    </div>
  )
}
