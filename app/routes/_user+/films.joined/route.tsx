import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { JoinedFilm } from './joined-film'
import { textLinkClass } from '~/components/ui/text-link'
import { findFilm } from '~/domain/films/film.server'
import { FILM_LIMITS, isUnfinished } from '~/domain/films/rules'
import { readIds } from '~/domain/films/schemas'
import { requireUser } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { REFRESH_SECONDS } from '~/lib/refresh'
import { nameOnOneLine } from '~/lib/text'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Film')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  const search = new URL(request.url).searchParams
  const ids = readIds(search)
  const film = await findFilm(ctx, ids)
  if (film === null) throw json(null, 404)
  const name = nameOnOneLine(search.get('name') ?? '').slice(0, FILM_LIMITS.nameCharacters)
  const refreshSeconds = isUnfinished(film.news) ? REFRESH_SECONDS : null
  return json({ ...film, ids, name: name || 'Film', refreshSeconds })
}

export default function JoinedFilmPage() {
  const film = useLoaderData<typeof loader>()
  return (
    <div className="mx-auto max-w-3xl space-y-4">
      <h1 className="text-xl font-semibold [overflow-wrap:anywhere] sm:text-2xl">
        <bdi>{film.name}</bdi>
      </h1>
      <JoinedFilm key={film.ids.join()} {...film} />
      <p>
        <Link to={paths.dashboard} className={`${textLinkClass} text-sm`}>
          Back to My Videos
        </Link>
      </p>
    </div>
  )
}
