import { json, type LoaderFunctionArgs } from '@remix-run/node'
import { listFilms } from '~/domain/films/own-films.server'
import { requireUser } from '~/http/session/guards.server'

/** What the page of films asks for while one of them is being made. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  return json(await listFilms(ctx), { headers: { 'Cache-Control': 'no-store' } })
}
