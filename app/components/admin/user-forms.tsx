import type { SubmissionResult } from '@conform-to/react'
import { Link, useSearchParams } from '@remix-run/react'
import { useState } from 'react'
import { normalizeUsername } from '~/domain/accounts/names'
import {
  beforeField,
  CREATE_DEFAULTS,
  EDIT_DEFAULTS,
  EDIT_FORM_FIELDS,
  shownExpireDays,
  USER_EXISTS,
} from '~/domain/administration/rules'
import type { ManagedUser } from '~/domain/administration/types'
import { PLAN_NAMES } from '~/domain/plans/types'
import { paths } from '~/lib/paths'
import { dayTimeAndZone } from '~/lib/time'
import { ActionForm } from '../ui/action-form'
import { CheckboxField, Field, SelectField } from '../ui/field'
import { SubmitButton } from '../ui/submit-button'
import { PlanFields } from './plan-fields'
import { userFormState, type UserFormState } from './user-form-state'

type Failed = { result: SubmissionResult | undefined }
type EditProps = Failed & { user: ManagedUser; timeZone: string }

const ROLES = [
  { value: 'user', label: 'User' },
  { value: 'editor', label: 'Editor' },
  { value: 'admin', label: 'Admin' },
]

/**
 * The form's first button, so that Enter submits the form instead of pressing 'Use plan values'.
 */
const EnterSends = () => <button className="hidden" tabIndex={-1} aria-hidden />

/** Creates an account with all its settings. */
export function CreateUserForm({ result }: Failed) {
  const [draft] = useSearchParams()
  const state = userFormState({ form: 'create', defaults: CREATE_DEFAULTS, draft, result })
  return (
    <ActionForm intent="create-user" preventScrollReset className="space-y-4">
      <EnterSends />
      <PhoneField state={state} hint="Also the username" />
      <PasswordFields state={state} label="Password" generateLabel="Generate a password" />
      <SelectField {...state.field('role')} label="Role" options={ROLES} />
      <PlanFields state={state} />
      <Field {...state.field('expireDays')} label="Expires after (days)" inputMode="numeric" />
      <Field
        {...state.field('bearerToken')}
        label="Bearer token (optional)"
        placeholder="Leave empty to use default"
        autoComplete="off"
      />
      <SubmitButton intent="create-user" pending="Creating..." className="w-full">
        Create User
      </SubmitButton>
    </ActionForm>
  )
}

type PasswordProps = {
  state: UserFormState
  label: string
  generateLabel: string
  placeholder?: string
}

function PasswordFields({ state, label, generateLabel, placeholder }: PasswordProps) {
  return (
    <div>
      <Field
        {...state.field('password')}
        label={label}
        type="password"
        autoComplete="new-password"
        placeholder={placeholder ?? 'min 6 characters'}
      />
      <CheckboxField
        name="generatePassword"
        label={generateLabel}
        hint="It is shown once, to hand on."
      />
    </div>
  )
}

/** Creates an account from a phone number and a plan, which sets everything else. */
export function QuickCreateForm({ result }: Failed) {
  const [draft] = useSearchParams()
  const defaults = { phone: '', plan: 'Starter' }
  const state = userFormState({ form: 'quick', defaults, draft, result })
  const plans = PLAN_NAMES.map((name) => ({ value: name, label: name }))
  return (
    <ActionForm intent="quick-create" preventScrollReset className="space-y-4">
      <PhoneField state={state} placeholder="+92 300 1234567" />
      <SelectField {...state.field('plan')} label="Plan" options={plans} />
      <SubmitButton intent="quick-create" pending="Creating..." className="w-full">
        Quick Create
      </SubmitButton>
    </ActionForm>
  )
}

type PhoneProps = { state: UserFormState; hint?: string; placeholder?: string }

function PhoneField({ state, ...texts }: PhoneProps) {
  const phone = state.field('phone')
  return (
    <>
      <Field {...phone} label="Phone number" type="tel" autoComplete="off" {...texts} />
      {phone.errors?.includes(USER_EXISTS) && <KnownUser username={state.value('phone')} />}
    </>
  )
}

/**
 * A customer who pays again already has an account. A link to it saves typing the number again
 * (Q-45).
 */
function KnownUser({ username }: { username: string }) {
  const search = new URLSearchParams({ search: normalizeUsername(username) })
  return (
    <Link
      to={`${paths.admin.users}?${search}`}
      className="inline-flex min-h-11 items-center text-sm underline underline-offset-4"
    >
      Edit or renew this user
    </Link>
  )
}

/** The values of an account as the edit form's fields contain them. */
const valuesOf = (user: ManagedUser) => ({
  role: user.role,
  plan: user.plan ?? '',
  videoLimit: String(user.videoLimit),
  speedLimit: String(user.speedLimit),
  videoGenerationSpeed: String(user.videoGenerationSpeed),
  expireDays: String(shownExpireDays(user.daysLeft)),
  bearerToken: user.tokenMasked ?? '',
  isActive: user.isActive ? 'on' : '',
})

/**
 * Changes an account. The token is shown masked; a mask that is sent back leaves the token
 * unchanged.
 */
export function EditUserForm({ user: latest, timeZone, result }: EditProps) {
  const [draft] = useSearchParams()
  // Fields keep what they were filled in with, so what they are compared with must stay as well.
  const [user] = useState(latest)
  const numbers = user.plan === null ? EDIT_DEFAULTS : user
  const before = valuesOf(user)
  const defaults = {
    ...before,
    videoLimit: numbers.videoLimit,
    speedLimit: numbers.speedLimit,
    videoGenerationSpeed: numbers.videoGenerationSpeed,
    ...Object.fromEntries(EDIT_FORM_FIELDS.map((name) => [beforeField(name), before[name]])),
  }
  const state = userFormState({ form: 'edit', defaults, draft, result })
  const token = state.field('bearerToken')
  return (
    <ActionForm intent="edit-user" preventScrollReset className="space-y-4">
      <EnterSends />
      <input type="hidden" name="id" value={user.id} />
      {EDIT_FORM_FIELDS.map((name) => (
        <input
          key={name}
          type="hidden"
          name={beforeField(name)}
          value={state.value(beforeField(name))}
        />
      ))}
      <SelectField {...state.field('role')} label="Role" options={ROLES} />
      <PlanFields state={state} hasNoPlan={user.plan === null} />
      <Field
        {...state.field('expireDays')}
        label="Expires after (days)"
        inputMode="numeric"
        hint={expiryHint(user, timeZone)}
      />
      <CheckboxField name="renewFromToday" label="Renew from today" />
      <Field
        {...token}
        defaultValue={before.bearerToken}
        label="Bearer token"
        placeholder="Leave empty to use default"
        hint={user.tokenMasked ? 'Shown masked. Type another to replace it.' : undefined}
        autoComplete="off"
      />
      <PasswordFields
        state={state}
        label="New password"
        placeholder="Leave empty to keep current password"
        generateLabel="Generate a new password"
      />
      <ActiveField
        isActive={result?.initialValue ? 'isActive' in result.initialValue : user.isActive}
      />
      <SubmitButton intent="edit-user" pending="Updating..." className="w-full">
        Update User
      </SubmitButton>
    </ActionForm>
  )
}

function expiryHint({ expiryDate }: ManagedUser, timeZone: string): string {
  const now = expiryDate === null ? 'Never expires' : `Now ${dayTimeAndZone(expiryDate, timeZone)}`
  return `${now}. Changing the number counts from today.`
}

function ActiveField({ isActive }: { isActive: boolean }) {
  const [isOn, setOn] = useState(isActive)
  return (
    <CheckboxField
      name="isActive"
      label="Active Status"
      hint={isOn ? 'User can login and use the platform' : 'User is disabled'}
      defaultChecked={isActive}
      onChange={({ currentTarget }) => setOn(currentTarget.checked)}
    />
  )
}
