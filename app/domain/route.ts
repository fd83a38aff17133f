// From which providers the videos of a plan are ordered. No server code.

/** The provider that VIDEO_PROVIDER selects, as plans name it. The others have names of their own. */
export const FIRST_PROVIDER = 'first'

/** A provider, and the stand-in that gets its orders while it takes none. */
export type Route = { provider: string; standIn: string | null }

/** A provider that plans can name: its name, and what it is called on screens. */
export type Choice = { name: string; kind: string }

/** A stored route: the name of the provider, and that of its stand-in after a space. */
export const ROUTE_TEXT = /^[a-z][a-z0-9]*(?: [a-z][a-z0-9]*)?$/

/** Reads a stored route. */
export function readRoute(text: string): Route {
  const [provider = FIRST_PROVIDER, standIn = null] = text.split(' ')
  return { provider, standIn }
}

/** Returns all routes that a plan can have, with these providers. */
export const routesOf = (names: readonly string[]): string[] =>
  names.flatMap((name) => [
    name,
    ...names.filter((other) => other !== name).map((other) => `${name} ${other}`),
  ])

/** Returns a route in words. `first` is the kind of the first provider. */
export function routeInWords(route: string, first: string): string {
  const { provider, standIn } = readRoute(route)
  const named = (name: string) => (name === FIRST_PROVIDER ? first : name)
  return standIn === null
    ? named(provider)
    : `${named(provider)}, and ${named(standIn)} stands in for it`
}

/** Returns the names of a route's providers that are not set up. */
export const absentIn = (route: string, names: readonly string[]): string[] =>
  route.split(' ').filter((name) => !names.includes(name))

/** What the line knows of a provider. */
export type ProviderState = {
  /** As plans name it. */
  name: string
  /** Whether it takes no orders. */
  isOut: boolean
  /** Whether that has lasted so long that stand-ins get its orders. */
  isAside: boolean
}

/**
 * Returns the name of the provider that gets the next order of a route. For one that is not set up, it is
 * its stand-in, or else the first one: nobody waits for what does not exist.
 */
export function targetOf(route: string, states: readonly ProviderState[]): string {
  const { provider, standIn } = readRoute(route)
  const home = states.find(({ name }) => name === provider)
  const other = states.find(({ name }) => name === standIn)
  if (!home) return other?.name ?? FIRST_PROVIDER
  return home.isAside && other && !other.isOut ? other.name : home.name
}
