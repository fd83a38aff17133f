import { getInputProps, type FieldMetadata } from '@conform-to/react'
import { Link } from '@remix-run/react'
import type { input } from 'zod'
import { normalizeUsername } from '~/domain/names/names'
import { pickFields } from '~/domain/administration/account-fields'
import { CREATE_DEFAULTS, EDIT_DEFAULTS, USER_EXISTS } from '~/domain/administration/rules'
import { userFields } from '~/domain/administration/shown'
import type {
  createUserForm,
  editUserForm,
  quickCreateInput,
} from '~/domain/administration/schemas'
import type { ManagedUser } from '~/domain/administration/types'
import { moneyText, priceFor } from '~/domain/payments/money'
import { PLAN_NUMBERS } from '~/domain/plans/numbers'
import { PLAN_NAMES, type Plans } from '~/domain/plans/types'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { dayTimeAndZone } from '~/lib/time'
import { ActionForm, HiddenFields } from '../../ui/action-form'
import { Field, SelectField } from '../../ui/field'
import { CheckboxField } from '../../ui/field-frame'
import { SubmitButton } from '../../ui/submit-button'
import { textLinkClass } from '../../ui/text-link'
import { useActionForm } from '../../ui/use-action-form'
import { useShownForm } from '../../ui/use-shown-form'
import { usePlatformZone } from '../../ui/use-root-data'
import { PaidFields, paidDefaults, useLastPaid, type PaidValues } from '../payments/paid-fields'
import { SurpriseTicks, type TickValues } from '../payments/surprise-ticks'
import { PlanFields } from './plan-fields'
import { usePlans } from '../use-plans'

/** A checkbox of the form. The action uses it before the form is parsed. */
type WithGenerate = { generatePassword?: boolean }

const ROLES = [
  { value: 'user', label: 'User' },
  { value: 'editor', label: 'Editor' },
  { value: 'admin', label: 'Admin' },
]

/**
 * The form's first button, so that Enter submits the form instead of pressing 'Use plan values'.
 */
const EnterSends = () => <button className="hidden" tabIndex={-1} aria-hidden />

/** Returns the values as form fields contain them. */
const textsOf = (values: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

/** Creates an account with all its settings. */
export function CreateUserForm() {
  const [form, fields] = useActionForm<
    Omit<input<typeof createUserForm>, 'seenTrash'> & WithGenerate & TickValues
  >('create-user', {
    defaultValue: textsOf({ phone: '', ...CREATE_DEFAULTS }),
  })
  return (
    <ActionForm
      {...form}
      intent="create-user"
      failed="Failed to create user"
      preventScrollReset
      className="space-y-4"
    >
      <EnterSends />
      <PhoneField field={fields.phone} hint="Also the username" />
      <PasswordFields fields={fields} label="Password" generateLabel="Generate a password" />
      <SelectField field={fields.role} label="Role" options={ROLES} />
      <PlanFields fields={fields} />
      <Field field={fields.expireDays} label="Expires after (days)" inputMode="numeric" />
      <Field
        field={fields.bearerToken}
        label="Bearer token (optional)"
        placeholder="Leave empty to use default"
        autoComplete="off"
      />
      <SurpriseTicks fields={fields} surprises={[]} />
      <SubmitButton intent="create-user" pending="Creating..." className="w-full">
        Create User
      </SubmitButton>
    </ActionForm>
  )
}

type PasswordProps = {
  fields: { password: FieldMetadata; generatePassword: FieldMetadata<boolean | undefined> }
  label: string
  generateLabel: string
  placeholder?: string
}

function PasswordFields({ fields, label, generateLabel, placeholder }: PasswordProps) {
  return (
    <div>
      <Field
        field={fields.password}
        label={label}
        type="password"
        autoComplete="new-password"
        placeholder={placeholder ?? 'min 6 characters'}
      />
      <CheckboxField
        {...getInputProps(fields.generatePassword, { type: 'checkbox' })}
        label={generateLabel}
        hint="It is shown once. Pass it on to the user."
      />
    </div>
  )
}

/** Creates an account from a phone number and a plan, which sets everything else. */
export function QuickCreateForm({ takesPayments = true }: { takesPayments?: boolean }) {
  const [form, fields] = useActionForm<
    Omit<input<typeof quickCreateInput>, 'seenTrash'> & Required<PaidValues> & TickValues
  >('quick-create', { defaultValue: { plan: 'Starter', ...paidDefaults(useLastPaid()) } })
  const plans = PLAN_NAMES.map((name) => ({ value: name, label: name }))
  return (
    <ActionForm
      {...form}
      intent="quick-create"
      failed="Failed to create user"
      preventScrollReset
      className="space-y-4"
    >
      <PhoneField field={fields.phone} placeholder="+92 300 1234567" />
      <SelectField field={fields.plan} label="Plan" options={plans} />
      {takesPayments && <PaidFields fields={fields} empty="Empty: the plan’s price." />}
      <SurpriseTicks fields={fields} surprises={[]} />
      <SubmitButton intent="quick-create" pending="Creating..." className="w-full">
        Quick Create
      </SubmitButton>
    </ActionForm>
  )
}

type PhoneProps = { field: FieldMetadata<string>; hint?: string; placeholder?: string }

function PhoneField({ field, ...texts }: PhoneProps) {
  return (
    <>
      <Field field={field} label="Phone number" type="tel" autoComplete="off" {...texts} />
      {field.errors?.includes(USER_EXISTS) && <KnownUser username={field.value ?? ''} />}
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
    <Link to={`${paths.admin.users}?${search}`} className={`${textLinkClass} text-sm`}>
      Edit or renew this user
    </Link>
  )
}

type EditFields = input<typeof editUserForm> & WithGenerate & TickValues & Required<PaidValues>

/**
 * Changes an account. The token is shown masked; a mask that is sent back leaves the token
 * unchanged.
 */
export function EditUserForm({ user }: { user: ManagedUser }) {
  const timeZone = usePlatformZone()
  const values = userFields(user)
  const defaults = {
    ...values,
    ...(user.plan === null && pickFields(EDIT_DEFAULTS, PLAN_NUMBERS)),
    ...paidDefaults(useLastPaid()),
  }
  const [form, fields, before] = useShownForm<EditFields>('edit-user', {
    shown: values,
    defaultValue: textsOf(defaults),
  })
  const { plan, expireDays, renewFromToday } = fields
  const keepsDays = expireDays.value === values.expireDays && renewFromToday.value !== 'on'
  const chosen = keepsDays ? plan.value : undefined
  return (
    <ActionForm
      {...form}
      intent="edit-user"
      failed="Failed to update user"
      preventScrollReset
      className="space-y-4"
    >
      <EnterSends />
      <input type="hidden" name="id" value={user.id} />
      <HiddenFields fields={before} />
      <SelectField field={fields.role} label="Role" options={ROLES} />
      <PlanFields fields={fields} hasNoPlan={user.plan === null} />
      <Field
        field={fields.expireDays}
        label="Expires after (days)"
        inputMode="numeric"
        hint={expiryHint(user, timeZone)}
      />
      <CheckboxField
        {...getInputProps(fields.renewFromToday, { type: 'checkbox' })}
        label="Renew from today"
      />
      <PaidFields fields={fields} empty={priceHint(user, usePlans(), chosen)} />
      <Field
        field={fields.bearerToken}
        label="Bearer token"
        placeholder="Leave empty to use default"
        hint={user.tokenMasked ? 'Shown masked. Type another to replace it.' : undefined}
        autoComplete="off"
      />
      <PasswordFields
        fields={fields}
        label="New password"
        placeholder="Leave empty to keep current password"
        generateLabel="Generate a new password"
      />
      <CheckboxField
        {...getInputProps(fields.isActive, { type: 'checkbox' })}
        label="Active Status"
        hint={fields.isActive.value ? 'User can login and use the platform' : 'User is disabled'}
      />
      <SurpriseTicks fields={fields} surprises={[]} />
      <SubmitButton intent="edit-user" pending="Updating..." className="w-full">
        Update User
      </SubmitButton>
    </ActionForm>
  )
}

function expiryHint({ expiryDate, daysLeft }: ManagedUser, timeZone: string): string {
  if (expiryDate !== null && daysLeft !== null && daysLeft < 1) {
    const word = daysLeft < 0 ? 'Expired' : 'Ends'
    return `${word} ${dayTimeAndZone(expiryDate, timeZone)}. Days that you type count from today.`
  }
  const now = expiryDate === null ? 'Never expires' : `Now ${dayTimeAndZone(expiryDate, timeZone)}`
  return `${now}. Changing the number counts from today.`
}

/**
 * Returns what an empty amount means: the price of the time, or of an upgrade for the days left. `chosen`: the plan
 * that the form has while its days are as they were.
 */
function priceHint({ plan, daysLeft }: ManagedUser, plans: Plans, chosen?: string): string {
  const price = 'Empty: the plan’s price for the days.'
  if (plan === null || daysLeft === null || daysLeft < 1) return price
  const upgrade = PLAN_NAMES.find((name) => name === chosen && name !== plan)
  if (upgrade) {
    const amount = priceFor({ plans, plan: upgrade, days: daysLeft, instead: plan }, 'PKR')
    const time = plural(daysLeft, 'day')
    if (amount !== null)
      return `Empty: ${moneyText({ amount, currency: 'PKR' })}, for ${upgrade} instead of ${plan} in the ${time} left.`
  }
  const upgrades = PLAN_NAMES.flatMap((name) => {
    const amount = priceFor({ plans, plan: name, days: daysLeft, instead: plan }, 'PKR')
    return amount === null ? [] : [`${name} ${moneyText({ amount, currency: 'PKR' })}`]
  })
  if (upgrades.length === 0) return price
  return `${price} An upgrade for the ${plural(daysLeft, 'day')} left: ${upgrades.join(', ')}.`
}
