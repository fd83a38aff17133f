/** The account in a scope: `vertex:{project}:{location}`. */
export type Account = { project: string; location: string }

export const scopeText = ({ project, location }: Account): string => `vertex:${project}:${location}`

/** Returns the account that a scope names, or `fallback` if the scope has another form. */
export function accountOf(scope: string, fallback: Account): Account {
  // Names of old Google projects contain a domain: example.com:project.
  const parts = /^vertex:(.+):([a-z0-9-]+)$/.exec(scope)
  if (parts === null) return fallback
  const [, project = fallback.project, location = fallback.location] = parts
  return { project, location }
}

/** Returns Google's host for a location: a regional one unless it is `global`, `us` or `eu`. */
export function hostOfLocation(location: string): string {
  if (location === 'global') return 'https://aiplatform.googleapis.com'
  if (location === 'us' || location === 'eu') {
    return `https://aiplatform.${location}.rep.googleapis.com`
  }
  return `https://${location}-aiplatform.googleapis.com`
}
