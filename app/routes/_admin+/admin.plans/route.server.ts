import { z } from 'zod'
import {
  changePlan,
  changeVideoCosts,
  giveRoute,
} from '~/domain/administration/change-business.server'
import { onePlan, planInput } from '~/domain/administration/schemas'
import { costField, costFields, costTogether, planFields } from '~/domain/administration/shown'
import { getPlans, getVideoCosts } from '~/domain/business/settings.server'
import { PLAN_NAMES } from '~/domain/plans/types'
import type { AdminCtx } from '~/domain/context'
import type { VideoCost, VideoCosts } from '~/domain/business/types'
import { offerText } from '~/domain/videos/offer'
import { choicesOf, namedProviders } from '~/domain/providers.server'
import { offerOf } from '~/domain/videos/offers.server'
import { FIRST_PROVIDER } from '~/domain/route'
import { AppError } from '~/domain/errors'
import { PRICED, readAmount } from '~/domain/payments/money'
import { amountOf, currency } from '~/domain/payments/schemas'
import { plainDigits } from '~/lib/digits'
import { optionalText } from '~/lib/fields'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { form, type FormHandler } from '~/http/forms/forms.server'

/** An empty amount: the cost is not known. Further providers have a field each. */
const cost = optionalText({ label: 'Cost', max: 30 })
const costInput = (others: readonly string[]) =>
  z
    .object({ amount: cost, currency })
    .and(z.object(Object.fromEntries(others.map((name) => [costField(name), cost]))))

/** Returns the names of the providers beside the first. */
export const otherNames = (ctx: AdminCtx): string[] =>
  choicesOf(ctx).flatMap(({ name }) => (name === FIRST_PROVIDER ? [] : [name]))

/** Says how the videos of each provider differ from the usual ones. */
export const offersText = (ctx: AdminCtx): string[] =>
  [...namedProviders(ctx)].flatMap(([, provider]) => {
    const text = offerText(offerOf(ctx, provider))
    return text === null ? [] : [`Videos of ${provider.kind}: ${text}.`]
  })

/** Reads the costs of all providers. Throws BAD_INPUT for what is no amount, and without the first one's. */
async function readCosts(
  ctx: AdminCtx,
  { amount, currency, ...rest }: z.output<ReturnType<typeof costInput>>,
): Promise<VideoCosts | null> {
  const stored = await getVideoCosts(ctx.db)
  const names = otherNames(ctx)
  const kept = stored?.currency === currency ? Object.entries(stored.others) : []
  const typed = names.flatMap((name) => {
    const text = rest[costField(name)] ?? null
    return text === null ? [] : [[name, amountOf(costField(name), text, currency)] as const]
  })
  const others = Object.fromEntries([...kept.filter(([name]) => !names.includes(name)), ...typed])
  if (amount !== null) return { amount: amountOf('amount', amount, currency), currency, others }
  if (Object.keys(others).length === 0) return null
  const problem = 'Please enter the cost at the first provider as well'
  throw new AppError('BAD_INPUT', problem, { fields: { amount: [problem] } })
}

/** Returns the form handlers of the plans page by intent. Each leads back to it. */
export const planForms = (ctx: AdminCtx): Record<string, FormHandler> => ({
  plan: form('The plan was not changed', planInput, {
    shown: async (data) => {
      const name = PLAN_NAMES.find((one) => one === data.get('plan'))
      return name ? { now: planFields((await getPlans(ctx.db))[name]) } : null
    },
    run: async (plan) => {
      await changePlan(ctx, plan.name, plan)
      return done(`${plan.name} saved`)
    },
  }),
  'plan-default': form('The plan was not changed', onePlan, async ({ plan }) => {
    await changePlan(ctx, plan, null)
    return done(`${plan} is as at first`)
  }),
  'plan-route': form('The accounts were not changed', onePlan, async ({ plan }) => {
    const count = await giveRoute(ctx, plan)
    return done(count === 0 ? 'All have it already' : `${plural(count, 'account')} changed`)
  }),
  'video-cost': form('The cost was not changed', costInput(otherNames(ctx)), {
    shown: async () => ({
      now: costFields(await getVideoCosts(ctx.db), otherNames(ctx)),
      together: costTogether(otherNames(ctx)),
    }),
    run: async (input) => {
      await changeVideoCosts(ctx, await readCosts(ctx, input))
      return done('Cost saved')
    },
  }),
})

const done = (title: string) => ({
  to: paths.admin.plans,
  toast: { kind: 'success', title } as const,
})

/** A cost that is only looked at: as typed, and what it is if it is an amount. */
export type TriedCost = { amount: string; cost: VideoCost | null }

/** Reads the cost that the page's address asks about. */
export function readTriedCost(search: URLSearchParams): TriedCost {
  const amount = plainDigits(search.get('amount') ?? '').slice(0, 30)
  const currency = PRICED.find((name) => name === search.get('currency')) ?? PRICED[0]
  const minor = readAmount(amount, currency)
  return { amount, cost: minor === null ? null : { amount: minor, currency } }
}
