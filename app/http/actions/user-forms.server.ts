import { z } from 'zod'
import { deleteAllUsers, deleteUser } from '~/domain/administration/users/delete-users.server'
import {
  resetAllCounters,
  resetUserCounters,
} from '~/domain/administration/users/reset-user-counters.server'
import { ALL_USERS_DELETED } from '~/domain/administration/rules'
import { digitsOf } from '~/lib/digits'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { form } from '~/http/forms/forms.server'
import { refuseOtherNumber, typedNumber } from '~/http/forms/typed-number.server'
import { redirectWithToast } from '~/http/session/toast.server'
import { makingForms } from './user-create-form.server'
import { editForms } from './user-edit-forms.server'
import { back, done, oneUser, type Handlers, type Page } from './user-page.server'

/** Returns the form handlers of the users page by intent. */
export function userForms(page: Page): Handlers {
  return { ...makingForms(page), ...editForms(page), ...counterForms(page), ...deletingForms(page) }
}

function counterForms(page: Page): Handlers {
  const { ctx } = page
  return {
    'reset-counter': form('Failed to reset counter', oneUser, async ({ id }) => {
      await resetUserCounters(ctx, id)
      return redirectWithToast(back(page), done('Counter reset'))
    }),
    'reset-all': form('Failed to reset counters', typedNumber, async (input) => {
      refuseOtherNumber(input, 'Nothing was reset.')
      const count = await resetAllCounters(ctx)
      const text = `${plural(count, 'user')} had used something.`
      return redirectWithToast(back(page), done('Counters reset', text))
    }),
  }
}

const typedCount = z
  .string({ required_error: 'The number of users is required' })
  .transform(digitsOf)
  .refine((digits) => digits !== '', 'The number of users must be a number')
  .transform(Number)

function deletingForms(page: Page): Handlers {
  const { ctx } = page
  return {
    'delete-user': form('Failed to delete user', oneUser, async ({ id }) => {
      const username = await deleteUser(ctx, id)
      const text = `${username} can be restored for 7 days.`
      // The page of the user is gone.
      const to = page.path === paths.admin.user(id) ? paths.admin.users : back(page)
      return redirectWithToast(to, done('User deleted', text))
    }),
    'delete-all': form('Failed to delete users', z.object({ count: typedCount }), async (input) => {
      await deleteAllUsers(ctx, input.count)
      return redirectWithToast(back(page), done('All users deleted', ALL_USERS_DELETED))
    }),
  }
}
