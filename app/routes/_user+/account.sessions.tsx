import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { ActionForm } from '~/components/ui/action-form'
import { ActionToast } from '~/components/ui/action-toast'
import { Badge } from '~/components/ui/badge'
import { SubmitButton } from '~/components/ui/submit-button'
import { deviceName } from '~/domain/accounts/device-name.server'
import { endOtherSessions, endOwnSession, listSessions } from '~/domain/accounts/sessions.server'
import { form, handleForm } from '~/http/forms/forms.server'
import { requireUser } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/text'
import { dayAndTime } from '~/lib/time'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Where you are signed in')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, token } = requireUser({ request, context })
  const { sessions, count } = await listSessions(ctx, token)
  const { timeZone } = ctx.settings
  return json({
    count,
    timeZone,
    sessions: sessions.map(({ id, isThis, userAgent, createdAt, lastSeenAt }) => ({
      ...{ id, isThis, device: deviceName(userAgent) },
      since: dayAndTime(createdAt.toISOString(), timeZone),
      lastSeen: dayAndTime(lastSeenAt.toISOString(), timeZone),
    })),
  })
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, token } = requireUser({ request, context })
  const done = (title: string, description: string) =>
    redirectWithToast(paths.sessions, { kind: 'success', title, description })
  const one = z.object({ id: z.string().default('') })
  return handleForm(
    { request, context },
    {
      'end-session': form('Failed to end the session', one, async ({ id }) => {
        await endOwnSession(ctx, id)
        return done('Session ended', 'That device is signed out.')
      }),
      'end-others': form('Failed to end the sessions', z.object({}), async () => {
        const count = await endOtherSessions(ctx, token)
        return done('Other sessions ended', `${plural(count, 'device')} signed out.`)
      }),
    },
  )
}

export default function SessionsPage() {
  const { sessions, count, timeZone } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="mx-auto max-w-2xl space-y-4">
      <ActionToast toast={failure?.toast} />
      <h1 className="text-xl font-semibold">Where you are signed in</h1>
      <p className="text-sm text-soft">
        If you do not know a device, end its session and{' '}
        <Link to={paths.changePassword} className="text-ink underline underline-offset-4">
          change your password
        </Link>
        . Times are {timeZone}.
      </p>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface px-4">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {count > sessions.length && (
        <p className="text-sm text-soft">And {count - sessions.length} more, used before these.</p>
      )}
      {count > 1 ? (
        <ActionForm intent="end-others" preventScrollReset>
          <SubmitButton intent="end-others" look="warning" pending="Ending…">
            End the others
          </SubmitButton>
        </ActionForm>
      ) : (
        <p className="text-sm text-soft">You are signed in nowhere else.</p>
      )}
    </div>
  )
}

type Session = ReturnType<typeof useLoaderData<typeof loader>>['sessions'][number]

function SessionRow({ session: { id, device, since, lastSeen, isThis } }: { session: Session }) {
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0 space-y-0.5">
        <p className="flex flex-wrap items-center gap-2 break-words font-medium">
          {device} {isThis && <Badge tone="accent">This device</Badge>}
        </p>
        <p className="text-sm tabular-nums text-soft">
          Signed in {since} · last active {lastSeen}
        </p>
      </div>
      {isThis ? (
        <ActionForm intent="logout" action={paths.logout} reloadDocument className="shrink-0">
          <SubmitButton intent="logout" look="plain">
            Sign out
          </SubmitButton>
        </ActionForm>
      ) : (
        <ActionForm intent="end-session" preventScrollReset className="shrink-0">
          <SubmitButton
            intent="end-session"
            look="plain"
            aria-label={`End ${device}, signed in ${since}`}
          >
            End
          </SubmitButton>
          <input type="hidden" name="id" value={id} />
        </ActionForm>
      )}
    </li>
  )
}
