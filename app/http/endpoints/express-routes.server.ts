import {
  Router,
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'

type Handler = (req: Request, res: Response, next: NextFunction) => unknown

/** Mounts a GET route that Remix never sees. The handler may be async. */
export type Get = (path: string, handler: Handler) => void
/** Mounts a POST route that Remix never sees. */
export type Post = (path: string, ...handlers: (RequestHandler | ErrorRequestHandler)[]) => void

/**
 * Forwards a handler's rejections to the error handler, because Express 4 ignores returned
 * promises.
 */
export const caught = (handler: Handler) => (req: Request, res: Response, next: NextFunction) => {
  Promise.resolve()
    .then(() => handler(req, res, next))
    .catch(next)
}

/** Collects the routes that are handled without Remix, and their paths for the access table. */
export function expressRoutes(): { router: Router; get: Get; post: Post; paths: string[] } {
  const router = Router()
  const paths: string[] = []
  const get: Get = (path, handler) => {
    paths.push(path)
    router.get(path, caught(handler))
  }
  const post: Post = (path, ...handlers) => {
    paths.push(path)
    router.post(path, ...handlers)
  }
  return { router, get, post, paths }
}
