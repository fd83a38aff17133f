import { Client } from './client'
import { sendForm } from './page'

/** Makes an API key on its page, and returns it. Throws what the page says if there is none. */
export async function makeApiKey(owner: Client, name = 'A program'): Promise<string> {
  const fields = { intent: 'create-key', name, ownPassword: 'secret-1' }
  const page = await sendForm(owner, '/account/keys', fields)
  const [, key] = /data-api-key[^>]*>(rm_\w+)</.exec(page.html) ?? []
  if (key === undefined) throw new Error(page.text)
  return key
}

/** Returns a program that sends the key with every request. */
export function programOf(url: string, key: string): Client {
  return new Client(url, (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${key}`)
    return fetch(input, { ...init, headers })
  })
}
