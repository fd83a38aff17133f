import { z } from 'zod'

const NOT_BASE64 = 'Send the picture in base64'
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Reads a picture that a program has sent as text. Returns null if it is not base64. */
export function readBase64(text: string): Buffer | null {
  const body = text.replace(/^data:[^,]{0,100};base64,/, '').replace(/\s/g, '')
  return BASE64.test(body) ? Buffer.from(body, 'base64') : null
}

/** A picture as a program sends it: its bytes in base64, as they are or as a data address. */
export const sentPicture = z
  .string({ invalid_type_error: NOT_BASE64 })
  .transform((text, ctx): Buffer => {
    const bytes = readBase64(text)
    if (bytes !== null) return bytes
    ctx.addIssue({ code: z.ZodIssueCode.custom, message: NOT_BASE64 })
    return z.NEVER
  })
