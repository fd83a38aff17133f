import type { ReactNode } from 'react'
import { SAMPLES, webpPath } from '~/lib/samples'
import { Icon } from '~/components/ui/icon'
import { LandingSection } from './landing-section'

const PROMPTS = SAMPLES.slice(0, 3)

/** The three steps, each with a small picture of its screen. */
export function HowItWorks() {
  return (
    <LandingSection id="how" title="How It Works">
      <ol className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-3">
        <Step number={1} title="Enter Prompts" text="One idea, or a hundred lines pasted at once.">
          {PROMPTS.map(({ prompt }) => (
            <p key={prompt} className="truncate border-b border-line py-1.5 last:border-0">
              {prompt}
            </p>
          ))}
        </Step>
        <Step
          number={2}
          title="Generate in a Flash"
          text="We work through the list at your plan’s speed. You can close the page."
        >
          <div className="flex gap-1.5">
            {SAMPLES.slice(0, 4).map((sample) => (
              <img
                key={sample.imagePath}
                src={webpPath(sample)}
                alt=""
                loading="lazy"
                decoding="async"
                className="h-14 w-0 grow rounded-sm object-cover"
              />
            ))}
            {[4, 5].map((index) => (
              <span key={index} className="h-14 grow rounded-sm border border-dashed border-edge" />
            ))}
          </div>
          <div className="mt-2.5 h-2 overflow-hidden rounded-full bg-sunken">
            <div className="h-full w-2/3 rounded-full bg-accent" />
          </div>
          <p className="mt-1.5 tabular-nums">67 of 100</p>
        </Step>
        <Step
          number={3}
          title="Download & Share"
          text="One click saves them all, named and in order."
        >
          {PROMPTS.map(({ title }, index) => (
            <p key={title} className="flex items-center gap-2 py-1.5">
              {index < 2 ? (
                <Icon name="check" className="size-4 shrink-0 text-good" />
              ) : (
                <Icon name="download" className="size-4 shrink-0 text-accent" />
              )}
              <span className="truncate font-mono">
                00{index + 1}_{title.toLowerCase().replaceAll(' ', '-')}.mp4
              </span>
            </p>
          ))}
        </Step>
      </ol>
    </LandingSection>
  )
}

type StepProps = { number: number; title: string; text: string; children: ReactNode }

function Step({ number, title, text, children }: StepProps) {
  return (
    <li className="flex flex-col rounded-lg border border-line bg-surface">
      <div aria-hidden className="m-3 min-h-32 rounded bg-paper p-3 text-xs text-soft">
        {children}
      </div>
      <div className="px-5 pb-5 pt-1">
        <h3 className="font-semibold">
          <span aria-hidden className="mr-2 font-mono text-accent">
            {number}
          </span>
          {title}
        </h3>
        <p className="mt-1 text-sm text-soft">{text}</p>
      </div>
    </li>
  )
}
