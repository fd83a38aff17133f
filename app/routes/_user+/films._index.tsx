import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { FilmCard } from '~/components/films/film-card'
import { FilmDialogs } from '~/components/films/film-dialogs'
import { useFilmNews } from '~/components/films/use-film-news'
import { unlessUnanswered } from '~/components/layout/should-revalidate'
import { ActionToast } from '~/components/ui/action-toast'
import { ButtonLink } from '~/components/ui/button'
import { EmptyState } from '~/components/ui/empty-state'
import { deleteFilm, listFilms } from '~/domain/films/own-films.server'
import { isUnfinished } from '~/domain/films/rules'
import { oneFilmForm } from '~/domain/films/schemas'
import { form, handleForm } from '~/http/forms/forms.server'
import { requireUser } from '~/http/session/guards.server'
import { readDialog } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { REFRESH_SECONDS } from '~/lib/refresh'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Films')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  const films = await listFilms(ctx)
  const isWorking = films.some(({ state }) => isUnfinished(state))
  const isAsking = readDialog(new URL(request.url).searchParams).name !== null
  const refreshSeconds = isWorking && !isAsking ? REFRESH_SECONDS : null
  return json({ films, keptDays: ctx.settings.keptDays.films, refreshSeconds })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  return handleForm(args, {
    delete: form('Film not deleted', oneFilmForm, async ({ on }) => {
      await deleteFilm(ctx, on)
      return { to: paths.films, toast: { kind: 'success', title: 'Film deleted' } }
    }),
  })
}

export { unlessUnanswered as shouldRevalidate }

export default function FilmsPage() {
  const { films: loaded, keptDays } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  const films = useFilmNews(loaded)
  return (
    <div className="mx-auto max-w-3xl space-y-6">
      <ActionToast toast={failure?.toast} />
      <header className="space-y-1">
        <h1 className="text-xl font-semibold sm:text-2xl">Films</h1>
        <p className="text-sm text-soft">
          A film is one file of several clips. Tick clips in{' '}
          <Link
            to={paths.dashboard}
            className="-my-3 inline-block py-3 underline underline-offset-4"
          >
            My Videos
          </Link>{' '}
          and press “Join”. Joining clips costs no quota.
          {keptDays !== null && ` A film is kept for ${keptDays} days; its clips stay.`}
        </p>
      </header>
      {films.length === 0 ? (
        <EmptyState text="No films yet.">
          <ButtonLink to={paths.dashboard}>My Videos</ButtonLink>
        </EmptyState>
      ) : (
        <ul className="space-y-3">
          {films.map((film) => (
            <li key={film.id}>
              <FilmCard film={film} />
            </li>
          ))}
        </ul>
      )}
      <FilmDialogs films={films} />
    </div>
  )
}
