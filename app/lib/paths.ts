/** Every address of the product in one place; nothing else writes one down. */
export const paths = {
  landing: '/',
  login: '/login',
  register: '/register',
  logout: '/logout',
  setPassword: (secret: string) => `/set-password?token=${secret}`,
  pricing: '/pricing',
  refundPolicy: '/refund-policy',
  app: '/app',
  dashboard: '/dashboard',
  /** The create screen following one video. */
  watch: (id: string) => `/app?watch=${id}`,
  admin: {
    users: '/admin',
    prompts: '/admin/prompts',
    importUsers: '/admin/users/import',
    assignTokens: '/admin/users/assign-tokens',
    exportUsers: '/admin/users/export',
    userTrash: '/admin/users/trash',
    changeUsers: '/admin/users/change',
    change: (id: string) => `/admin/changes/${id}`,
    trail: '/admin/trail',
    exportTrail: '/admin/trail/export',
    videos: '/admin/videos',
    trash: '/admin/videos/trash',
    tokens: '/admin/tokens',
    system: '/admin/system',
    /** Asks for the password before a form that was sent to `wanted` is carried out. */
    confirm: (wanted: string) => `/admin/confirm?to=${encodeURIComponent(wanted)}`,
  },
  changePassword: '/account/password',
  /** Where the user is signed in. */
  sessions: '/account/sessions',
  /** The second factor of one's own sign-in. */
  secondFactor: '/account/two-step',
  /** The create screen on one of its tabs. */
  create: (tab: 'text' | 'image' | 'bulk') => `/app?tab=${tab}`,
  /** What the prompts in the bulk box would mean, before they are started. */
  receipt: '/app/receipt',
  /** The create screen following one batch. */
  batch: (id: string) => `/app?tab=bulk&batch=${encodeURIComponent(id)}`,
  /** The video that one of a batch's prompts became, by its place from 1. */
  inBatch: (id: string, place: number) => `/resources/batches/${id}/${place}`,
  /** The quota ledger, read aloud. */
  usage: '/usage',
  usageOf: (day: string) => `/usage?day=${day}`,
  /** Sign-in that carries on what was typed when the session had ended. */
  resume: '/resume',
  theme: '/resources/theme',
  sidebar: '/resources/sidebar',
  video: (id: string) => `/videos/${id}`,
  media: (id: string, kind: 'mp4' | 'jpg') => `/media/${id}.${kind}`,
  /** Copy or skip the prompt of the day without scripts. */
  dailyPrompt: '/resources/daily-prompt',
  /** The create screen with a prompt filled in. */
  writePrompt: (prompt: string) => `/app?prompt=${encodeURIComponent(prompt)}`,
  /** A text file of prompts. */
  prompts: '/resources/prompts',
  api: {
    login: '/api/auth/login',
    loginCode: '/api/auth/login/code',
    register: '/api/auth/register',
    logout: '/api/auth/logout',
    changePassword: '/api/auth/user/change-password',
    copyPrompt: (id: string) => `/api/prompts/${id}/copy`,
    skipPrompt: (id: string) => `/api/prompts/${id}/skip`,
    onlineStats: '/api/admin/stats/online',
    videos: '/api/videos',
    video: (id: string) => `/api/videos/${id}`,
    retry: (id: string) => `/api/videos/${id}/retry`,
    regenerate: (id: string) => `/api/videos/${id}/regenerate`,
    edit: (id: string) => `/resources/videos/${id}/edit`,
    retryAll: '/api/videos/retry-all-failed',
    archive: '/api/videos/archive',
    extraTokens: '/api/admin/extra-tokens',
    regenerateSelected: '/api/admin/videos/regenerate-selected',
    /** Another answer whenever a video of anybody has changed. */
    anyVideo: '/api/videos?scope=all&limit=1',
    status: (id: string) => `/api/videos/${id}/status`,
    download: (id: string) => `/api/videos/${id}/download`,
    batches: '/api/batches',
    changes: '/api/videos/changes',
  },
} as const

/** Sign-in page that leads back to where the visitor wanted to go. */
export function loginPath(wanted: string): string {
  return wanted === paths.app
    ? paths.login
    : `${paths.login}?redirectTo=${encodeURIComponent(wanted)}`
}

/** Stands for whatever host we have. */
const OWN = 'http://own'

/**
 * Where to go after signing in: only a path of ours, as a browser resolves it. '//host', '/\\host' and
 * '/./\\host' are other hosts to a browser. What is not ASCII comes back escaped, as headers need it.
 */
export function safeRedirect(wanted: string | null, fallback: string): string {
  if (!wanted?.startsWith('/') || /[\u0000-\u001f]/.test(wanted) || !URL.canParse(wanted, OWN))
    return fallback
  const { origin, pathname, search, hash } = new URL(wanted, OWN)
  return origin === OWN && !pathname.startsWith('//') ? pathname + search + hash : fallback
}
