import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { json, redirect } from '@remix-run/node'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { typedText } from '~/components/create/typed-draft'
import { ClipOrder } from './clip-order'
import { ActionToast } from '~/components/ui/toasts'
import { textLinkClass } from '~/components/ui/text-link'
import { orderFilm } from '~/domain/films/film.server'
import { findNewFilm } from '~/domain/films/new-film.server'
import { FILM_LIMITS, inOrder } from '~/domain/films/rules'
import { newFilmForm, orderForm } from '~/domain/films/schemas'
import { form, handleForm } from '~/http/forms/forms.server'
import { requireUser } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () => pageMeta('Join clips')

/** A name of this length fits beside its picture. */
const NAME_CHARACTERS = 60

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireUser({ request, context })
  const search = new URL(request.url).searchParams
  const film = await findNewFilm(ctx, search)
  if (film === null) throw json(null, 404)
  const typed = search.get('name')?.slice(0, FILM_LIMITS.nameCharacters)
  const name = typed ?? excerpt(film.clips[0]?.prompt ?? '', NAME_CHARACTERS)
  return json({ ...film, name })
}

export async function action(args: ActionFunctionArgs) {
  const { ctx } = requireUser(args)
  return handleForm(args, {
    order: form('Order not changed', orderForm, async ({ ids, place, move, name = '' }) =>
      Promise.resolve(redirect(paths.newFilm(inOrder(ids, place, move), name), 303)),
    ),
    join: form('Clips not joined', newFilmForm, async ({ name, ids, place }) => {
      const order = inOrder(ids, place, null)
      await orderFilm(ctx, order)
      return redirect(paths.film(order, name), 303)
    }),
  })
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

export default function NewFilmPage() {
  const data = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="mx-auto max-w-3xl space-y-4">
      <ActionToast toast={failure?.toast} />
      <header className="space-y-1">
        <h1 className="text-xl font-semibold sm:text-2xl">Join clips</h1>
        <p className="text-sm text-soft">
          The clips become one file, one after the other, as they are: nothing is encoded again.
          Joining costs no quota. If not every clip has sound of the same kind, the film has none.
          It is kept for an hour, to be downloaded; its clips stay.
        </p>
      </header>
      <ClipOrder
        {...data}
        name={failure ? typedText(failure.result, 'name') : data.name}
        errors={failure?.result.error?.name ?? []}
      />
      <p>
        <Link to={paths.dashboard} className={`${textLinkClass} text-sm`}>
          Back to My Videos
        </Link>
      </p>
    </div>
  )
}
