import {
  chosenCodes,
  codeIncomeForm,
  makeCodesInput,
} from '~/domain/administration/codes/code-schemas'
import { blockCodes, openCodes } from '~/domain/administration/codes/list-codes.server'
import { makeCodes, type MadeCodes } from '~/domain/administration/codes/make-codes.server'
import { changeCodeIncome } from '~/domain/administration/change-business.server'
import type { AdminCtx, HelperCtx } from '~/domain/context'
import { form, type FormHandler } from '~/http/forms/forms.server'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'

type Page = {
  ctx: HelperCtx
  /** Null: a helper. */
  admin: AdminCtx | null
  search: string
  /** Receives the codes that were made: their texts are in no other response. */
  show: (made: MadeCodes) => void
}

/** Returns the form handlers of the page of prepaid codes by intent. */
export function codesForms({ ctx, admin, search, show }: Page): Record<string, FormHandler> {
  const done = (title: string) => ({
    to: paths.admin.codes + search,
    toast: { kind: 'success', title } as const,
  })
  return {
    'make-codes': form('No codes were made', makeCodesInput, async (input) => {
      const made = await makeCodes(ctx, input)
      show(made)
      return done(`${plural(made.codes.length, 'code')} made`)
    }),
    'block-codes': form('Nothing was blocked', chosenCodes, async (chosen) =>
      done(`${plural(await blockCodes(ctx, chosen), 'code')} blocked`),
    ),
    'open-codes': form('Nothing was opened', chosenCodes, async (chosen) =>
      done(`${plural(await openCodes(ctx, chosen), 'code')} opened again`),
    ),
    ...(admin && {
      'code-income': form('Nothing was changed', codeIncomeForm, async ({ codeIncome }) => {
        await changeCodeIncome(admin, codeIncome)
        return done('Saved for codes that are made from now on')
      }),
    }),
  }
}
