import { getInputProps, type FieldMetadata } from '@conform-to/react'
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Form, Link, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { useEffect, useRef, type ComponentProps } from 'react'
import type { input } from 'zod'
import { ActionForm, FormToken } from '~/components/ui/action-form'
import { DayTime } from '~/components/ui/day-time'
import { ActionToast } from '~/components/ui/toasts'
import { Badge } from '~/components/ui/badge'
import { Button } from '~/components/ui/button'
import { Card } from '~/components/ui/card'
import { CheckboxField, FieldErrors } from '~/components/ui/field-frame'
import { OwnPasswordField } from '~/components/ui/own-password-field'
import { SubmitButton } from '~/components/ui/submit-button'
import { useActionForm } from '~/components/ui/use-action-form'
import { devicesAllowed } from '~/domain/accounts/known-devices.server'
import { deviceName } from '~/domain/accounts/device-name.server'
import { endChosenSessionsForm, endOtherSessionsForm } from '~/domain/accounts/schemas'
import {
  endOwnSessions,
  listSessions,
  type EndSessionsInput,
} from '~/domain/accounts/sessions.server'
import { sessionCookie } from '~/http/actions/sign-in.server'
import { form, handleForm } from '~/http/forms/forms.server'
import { requireUser } from '~/http/session/guards.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/figures'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Devices')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, token, account } = requireUser({ request, context })
  const { sessions, count } = await listSessions(ctx, token)
  return json({
    count,
    most: await devicesAllowed(ctx.db, account),
    sessions: sessions.map(({ id, isThis, userAgent, createdAt, lastSeenAt }) => ({
      id,
      isThis,
      device: deviceName(userAgent),
      since: createdAt.toISOString(),
      lastSeen: lastSeenAt.toISOString(),
    })),
  })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx, token } = requireUser(args)
  const end = async (ending: EndSessionsInput) => {
    const { count, renewed } = await endOwnSessions(ctx, ending, token)
    const toast = {
      kind: 'success',
      title: 'Sessions ended',
      description: `${plural(count, 'device')} signed out.`,
    } as const
    return redirectWithToast(paths.sessions, toast, await sessionCookie(renewed))
  }
  const failed = 'Failed to end the sessions'
  return handleForm(args, {
    'end-chosen': form(failed, endChosenSessionsForm, ({ ownPassword, ids }) =>
      end({ ownPassword, which: ids }),
    ),
    'end-others': form(failed, endOtherSessionsForm, ({ ownPassword }) =>
      end({ ownPassword, which: 'others' }),
    ),
  })
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function SessionsPage() {
  const { sessions, count, most } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  // The checkboxes of the list belong to the form below it.
  const [form, fields] = useActionForm<EndFields>(['end-chosen', 'end-others'])
  return (
    <div className="mx-auto max-w-2xl space-y-4">
      <ActionToast toast={failure?.toast} />
      <h1 className="text-xl font-semibold">Devices</h1>
      <p className="text-sm text-soft">
        If you do not know a device, end its session and{' '}
        <Link to={paths.changePassword} className="text-ink underline underline-offset-4">
          change your password
        </Link>
        . Programs with API keys stay:{' '}
        <Link to={paths.apiKeys} className="text-ink underline underline-offset-4">
          manage the keys
        </Link>
        .
      </p>
      {most !== null && (
        <p className="text-sm">
          Your plan allows {plural(most, 'device')} at once. Signing in on one more signs out the
          one that was signed in first.
        </p>
      )}
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface px-4">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} ids={fields.ids} />
        ))}
      </ul>
      {count > sessions.length && (
        <p className="text-sm text-soft">And {count - sessions.length} more, used before these.</p>
      )}
      {count > 1 ? (
        <EndForm count={count} form={form} fields={fields} />
      ) : (
        <p className="text-sm text-soft">You are signed in nowhere else.</p>
      )}
    </div>
  )
}

type EndFields = input<typeof endChosenSessionsForm>
type EndProps = {
  count: number
  form: ComponentProps<typeof Form>
  fields: Record<keyof EndFields, FieldMetadata>
}

function EndForm({ count, form, fields }: EndProps) {
  const isSending = useNavigation().state === 'submitting'
  const ref = useRef<HTMLFormElement>(null)
  const shown = useRef(count)
  // With scripts the page stays after a submission, so the password field has to be cleared.
  useEffect(() => {
    if (shown.current !== count) ref.current?.reset()
    shown.current = count
  }, [count])
  return (
    <Card>
      <Form {...form} ref={ref} method="post" className="space-y-4" preventScrollReset>
        <p className="text-sm text-soft">
          Select the devices to sign out, and enter your password.
        </p>
        <FieldErrors id={fields.ids.errorId} messages={fields.ids.errors} />
        <OwnPasswordField field={fields.ownPassword} />
        <div className="flex flex-wrap gap-2">
          <Button name="intent" value="end-chosen" disabled={isSending}>
            Sign out selected
          </Button>
          <Button name="intent" value="end-others" look="warning" disabled={isSending}>
            Sign out all others
          </Button>
        </div>
        <FormToken />
      </Form>
    </Card>
  )
}

type Session = ReturnType<typeof useLoaderData<typeof loader>>['sessions'][number]

function SessionRow({ session, ids }: { session: Session; ids: FieldMetadata<string[]> }) {
  const { id, device, since, lastSeen, isThis } = session
  const words = (
    <span className="min-w-0 space-y-0.5">
      <span className="flex flex-wrap items-center gap-2 break-words text-base font-medium">
        {device} {isThis && <Badge tone="accent">This device</Badge>}
      </span>
      <span className="block text-sm tabular-nums text-soft">
        Signed in <DayTime instant={since} /> · last active <DayTime instant={lastSeen} />
      </span>
    </span>
  )
  return (
    <li className="flex items-center justify-between gap-4 py-3 tiny:flex-wrap">
      {isThis ? (
        <>
          {words}
          <ActionForm intent="logout" action={paths.logout} reloadDocument className="shrink-0">
            <SubmitButton intent="logout" look="plain">
              Sign out
            </SubmitButton>
          </ActionForm>
        </>
      ) : (
        <CheckboxField
          {...getInputProps(ids, { type: 'checkbox', value: id })}
          id={`${ids.id}-${id}`}
          className="w-full"
          label={words}
        />
      )}
    </li>
  )
}
