import { beforeAll, describe, expect, test } from 'vitest'
import { openPage, sendForm, STARTER_FIELDS, valueOf } from '../support/page'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { textOf } from '../support/html'

const product = useInstallation()
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})

const PASSWORD = 'Type the user’s password again. It is not kept.'
const TOKEN = 'Type the user’s token again. It is not kept.'
const CREATE = '/admin?dialog=create'

const typed = (fields: Record<string, string>) => ({
  intent: 'create-user',
  phone: '0300123',
  password: 'secret-9',
  bearerToken: 'typed-token',
  ...STARTER_FIELDS,
  ...fields,
})
/** Returns what the page says below the field with this id. */
const saidAt = (html: string, id: string): string =>
  textOf(new RegExp(`<(p|ul) id="${id}-error"[\\s\\S]*?</\\1>`).exec(html)?.[0] ?? '')

describe('secrets of others that a refused form has lost', () => {
  test('A-CREATE-3: are asked for again at their fields and above them', async () => {
    const refused = await sendForm(admin, CREATE, typed({}))
    expect(refused.status).toBe(400)
    expect(saidAt(refused.html, 'create-user-phone')).toMatch(/at least 8 characters/)
    expect(saidAt(refused.html, 'create-user-password')).toBe(PASSWORD)
    expect(saidAt(refused.html, 'create-user-bearerToken')).toBe(TOKEN)
    expect(refused.text).toContain(
      'at least 8 characters. Type the user’s password and the user’s token again.',
    )
    expect(refused.html).not.toContain('secret-9')
    expect(refused.html).not.toContain('typed-token')
  })

  test('A-CREATE-4: a secret that is refused itself has both messages', async () => {
    const { html } = await sendForm(admin, CREATE, typed({ password: '12345', bearerToken: '' }))
    expect(saidAt(html, 'create-user-password')).toBe(
      `Password must be at least 6 characters ${PASSWORD}`,
    )
    expect(saidAt(html, 'create-user-bearerToken')).toBe('')
  })

  test('a secret that was not typed, or is generated, is not asked for', async () => {
    const none = await sendForm(admin, CREATE, typed({ password: '', bearerToken: '' }))
    expect(none.status).toBe(400)
    expect(none.text).not.toContain('again:')
    const generated = await sendForm(admin, CREATE, typed({ generatePassword: 'on' }))
    expect(generated.status).toBe(400)
    expect(saidAt(generated.html, 'create-user-password')).toBe('')
    expect(saidAt(generated.html, 'create-user-bearerToken')).toBe(TOKEN)
  })

  test('a page whose scripts keep what was typed is not asked', async () => {
    const { status, text } = await sendForm(admin, CREATE, typed({ scripted: 'yes' }))
    expect(status).toBe(400)
    expect(text).not.toContain('again:')
  })

  test('a form of an ended session is asked, too', async () => {
    const { html } = await openPage(admin, CREATE)
    expect(html).not.toContain('name="scripted"')
    const response = await admin.submit(
      '/admin?index&dialog=create',
      typed({ formToken: 'of another session' }),
    )
    expect(response.status).toBe(403)
    expect(saidAt(await response.text(), 'create-user-password')).toBe(PASSWORD)
  })

  test('A-EDIT-1: the mask of a token is not a typed token, and an emptied field stays empty', async () => {
    const user = await product.user()
    const page = `/admin?dialog=edit&on=${user.userId}`
    const given = { intent: 'edit-user', id: user.userId, bearerToken: 'token-of-a-user-0123' }
    await sendForm(admin, page, typed(given))
    const mask = valueOf((await openPage(admin, page)).html, 'edit-user-bearerToken') ?? ''
    expect(mask).toContain('•')
    const edit = (fields: Record<string, string>) =>
      sendForm(admin, page, {
        ...typed({ intent: 'edit-user', id: user.userId, videoLimit: 'many', password: '' }),
        bearerTokenBefore: mask,
        ...fields,
      })
    const same = await edit({ bearerToken: mask })
    expect(same.status).toBe(400)
    expect(saidAt(same.html, 'edit-user-bearerToken')).toBe('')
    expect(valueOf(same.html, 'edit-user-bearerToken')).toBe(mask)
    const other = await edit({ bearerToken: 'another-token', password: 'secret-8' })
    expect(saidAt(other.html, 'edit-user-bearerToken')).toBe(TOKEN)
    expect(saidAt(other.html, 'edit-user-password')).toBe(PASSWORD)
    expect(valueOf(other.html, 'edit-user-bearerToken')).toBe(mask)
    const emptied = await edit({ bearerToken: '' })
    expect(saidAt(emptied.html, 'edit-user-bearerToken')).toBe('')
    expect(valueOf(emptied.html, 'edit-user-bearerToken') ?? '').toBe('')
  })

  test('the forms of the pool keep the tokens, and own passwords are not asked for', async () => {
    const pool = await sendForm(admin, '/admin/tokens', {
      intent: 'add-token',
      token: `token-${'x'.repeat(10_000)}`,
    })
    expect(pool.status).toBe(400)
    expect(pool.html).toContain('token-xxx')
    expect(pool.text).not.toContain('again:')
    const own = await sendForm(admin, '/account/password', {
      intent: 'change-password',
      oldPassword: 'secret-1',
      newPassword: 'short',
      confirmPassword: 'short',
    })
    expect(own.status).toBe(400)
    expect(own.text).not.toContain('again:')
  })
})
