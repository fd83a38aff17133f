import { json, type LoaderFunctionArgs } from '@remix-run/node'
import { findFilm } from '~/domain/films/film.server'
import { readIds } from '~/domain/films/schemas'
import { requireUser } from '~/http/session/guards.server'

/** What the page of a film asks for while its clips are being joined. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  const film = await findFilm(ctx, readIds(new URL(request.url).searchParams))
  if (film === null) throw json(null, 404)
  return json(film.news, { headers: { 'Cache-Control': 'no-store' } })
}
