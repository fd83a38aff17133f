import { z } from 'zod'
import { eitherOf } from '~/lib/text'

// The kinds of settings. A message follows the name of its setting: `PORT must be …`.

/** A text; an empty one counts as not set. */
export const text = z.string().trim().min(1).optional().catch(undefined)

/** A whole number in a range. */
export function whole({ min, max }: { min: number; max: number }) {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}

/** One of a few words. */
export function oneOf<const T extends readonly [string, ...string[]]>(...values: T) {
  return z.enum(values, { errorMap: () => ({ message: `must be ${eitherOf(values)}` }) })
}

/** An address with one of these protocols, such as `https:`. */
export function address(...protocols: string[]) {
  const starts = protocols.map((protocol) => `${protocol}//`).join(' or ')
  return z
    .string({ required_error: 'is required' })
    .trim()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be an address that starts with ${starts}`,
    )
}

const HOST = /^(\*\.)?([a-z0-9-]+\.)*[a-z0-9-]+(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/

/** Hosts, as `host` or `host:port`, with commas between them. */
export const hosts = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => part !== ''),
  )
  .refine(
    (entries) => entries.every((entry) => HOST.test(entry)),
    'must be hosts such as cdn.example.com or localhost:8080, with commas between them',
  )

/** The address of a PostgreSQL database. A password with `/` that is not encoded moves the host. */
export const databaseAddress = z
  .string({ required_error: 'is required' })
  .trim()
  .refine((value) => {
    if (!URL.canParse(value)) return false
    const { protocol, pathname } = new URL(value)
    return /^postgres(ql)?:$/.test(protocol) && !/[/@]/.test(pathname.slice(1))
  }, 'must be an address such as postgresql://user:password@host:5432/name, in which special characters of the password are percent-encoded')

/** Returns what is wrong with settings, in words. */
export const problemsIn = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path: [name], message }) => `${String(name)} ${message}`)
