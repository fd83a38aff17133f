import { hasPreviewPackages } from '../preview-packages.server'
import { bearerProblem } from './http/scope'
import { DIALECTS } from './openai-videos/config'
import type { ProviderEnv } from './fields'
import { secretScope } from './vertex-veo/secrets.server'

const NO_PREVIEW =
  'VIDEO_PROVIDER must name a provider (see docs/providers.md): the preview renderer, local, is not part of this installation'

/** Returns the problems of the settings in combination, in words. */
export function providerProblems(env: ProviderEnv): string[] {
  switch (env.VIDEO_PROVIDER) {
    case 'local':
      return hasPreviewPackages() ? [] : [NO_PREVIEW]
    case 'vertex-veo':
      return [...hostOnly(env), ...vertexProblems(env), ...tokenProblems(env)]
    case 'openai-videos':
      return [...openAiVideosProblems(env), ...tokenProblems(env)]
    case 'runway':
      return [...hostOnly(env), ...tokenProblems(env)]
  }
}

/**
 * Checks the form of the default token, because a malformed one would keep every worker from
 * starting.
 */
function tokenProblems({ VIDEO_PROVIDER, VIDEO_PROVIDER_TOKEN: token, ...env }: ProviderEnv) {
  if (token === undefined) return []
  const problem =
    VIDEO_PROVIDER === 'vertex-veo' ? vertexTokenProblem(env, token) : bearerProblem(token)
  return problem === null ? [] : [`VIDEO_PROVIDER_TOKEN cannot be used: ${problem}`]
}

function vertexTokenProblem(
  { VERTEX_PROJECT: project = '', VERTEX_LOCATION: location = '' }: Partial<ProviderEnv>,
  token: string,
): string | null {
  const scope = secretScope({ project, location }, token)
  return scope.ok ? null : scope.problem
}

function hostOnly({ VIDEO_PROVIDER, VIDEO_PROVIDER_URL: url }: ProviderEnv): string[] {
  if (url === undefined || new URL(url).pathname === '/') return []
  return [`VIDEO_PROVIDER_URL must be the host alone, without a path, for ${VIDEO_PROVIDER}`]
}

function vertexProblems(env: ProviderEnv): string[] {
  const problems: string[] = []
  if (env.VERTEX_PROJECT === undefined) problems.push('VERTEX_PROJECT is required for vertex-veo')
  if (env.VERTEX_BUCKET !== undefined && env.VERTEX_AMBIGUOUS !== undefined) {
    problems.push(
      'VERTEX_AMBIGUOUS is for installations without VERTEX_BUCKET: with one, lost orders are found',
    )
  }
  if (env.VERTEX_BUCKET === undefined && env.VERTEX_PREFIX !== undefined) {
    problems.push('VERTEX_PREFIX needs VERTEX_BUCKET')
  }
  return problems
}

function openAiVideosProblems(env: ProviderEnv): string[] {
  const problems: string[] = []
  const url = env.VIDEO_PROVIDER_URL
  const dialect = env.OPENAI_VIDEOS_DIALECT ?? 'openai'
  const { encodings, list } = DIALECTS[dialect]
  const encoding = env.OPENAI_VIDEOS_BODY
  if (url === undefined) problems.push('VIDEO_PROVIDER_URL is required for openai-videos')
  else if (!url.endsWith('/v1'))
    problems.push('VIDEO_PROVIDER_URL must end in /v1 for openai-videos')
  if (env.VIDEO_PROVIDER_MODEL === undefined) {
    problems.push('VIDEO_PROVIDER_MODEL is required for openai-videos')
  }
  if (encoding !== undefined && !encodings.includes(encoding)) {
    problems.push(`OPENAI_VIDEOS_BODY must be ${encodings.join(' or ')} for ${dialect}`)
  }
  if (env.OPENAI_VIDEOS_AMBIGUOUS === 'list' && list === 'without-prompt') {
    problems.push(
      `OPENAI_VIDEOS_AMBIGUOUS cannot be list for ${dialect}: its list does not say which prompt an order has`,
    )
  }
  return problems
}
