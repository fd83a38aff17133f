/** All addresses of the product. No other file spells one out. */
export const paths = {
  landing: '/',
  login: '/login',
  register: '/register',
  /** The invite link of a customer. */
  invite: (id: string) => `/register?invite=${id}`,
  logout: '/logout',
  setPassword: (secret: string) => `/set-password?token=${secret}`,
  pricing: '/pricing',
  /** Where customers report a payment; with an id, the state of one. */
  paid: '/paid',
  claim: (id: string) => `/paid?claim=${id}`,
  refundPolicy: '/refund-policy',
  app: '/app',
  dashboard: '/dashboard',
  /** The create screen following one video. */
  watch: (id: string) => `/app?watch=${id}`,
  /** Of the Usage page: the invite link. */
  inviteCard: '/usage#invite',
  /** Where a helper serves customers. */
  helper: '/helper',
  helperOf: (name: string) => `/helper?search=${encodeURIComponent(name)}`,
  admin: {
    users: '/admin',
    usersByVideos: '/admin?sort=videos',
    helpers: '/admin/helpers',
    prompts: '/admin/prompts',
    /** The runbook's section on an area of the System page. */
    runbook: (area: string) =>
      `/admin/system/runbook#${area.toLowerCase().replace(/[^a-z]+/g, '-')}`,
    /** The page of one customer, by id or username. */
    user: (id: string) => `/admin/users/${encodeURIComponent(id)}`,
    /** Notes that the customer is written to, and opens the chat, in their language by default. */
    chat: (id: string, language?: string) =>
      `/admin/users/${id}/chat${language === undefined ? '' : `?${new URLSearchParams({ language })}`}`,
    renewals: '/admin/renewals',
    importUsers: '/admin/users/import',
    assignTokens: '/admin/users/assign-tokens',
    exportUsers: '/admin/users/export',
    userTrash: '/admin/users/trash',
    changeUsers: '/admin/users/change',
    change: (id: string) => `/admin/changes/${id}`,
    activityLog: '/admin/activity',
    exportActivityLog: '/admin/activity/export',
    overview: '/admin/overview',
    videos: '/admin/videos',
    /** All users' videos in one state, created on one day if it is given. */
    videosIn: (status: 'completed' | 'error' | 'pending', day?: string) =>
      `/admin/videos?status=${status}${day === undefined ? '' : `&first=${day}&last=${day}`}`,
    trash: '/admin/videos/trash',
    tokens: '/admin/tokens',
    tokensIn: (state: 'ok' | 'cooling' | 'spent' | 'dead') => `/admin/tokens?state=${state}`,
    system: '/admin/system',
    settings: '/admin/settings',
    payments: '/admin/payments',
    /** What customers got without a payment. */
    unpaid: '/admin/payments/unpaid',
    codes: '/admin/codes',
    exportPayments: '/admin/payments/export',
    paymentScreenshot: (id: string) => `/admin/payments/${id}/screenshot`,
    /** The chat texts in a language; with an empty name those of a new one. */
    chatTexts: (language: string) =>
      `/admin/settings?language=${encodeURIComponent(language)}#chat-texts`,
    plans: '/admin/plans',
    setup: '/admin/setup',
    /** Asks for the password before a form that was sent to `wanted` is executed. */
    confirm: (wanted: string) => `/admin/confirm?to=${encodeURIComponent(wanted)}`,
  },
  dismissAnnouncement: '/resources/announcement',
  changePassword: '/account/password',
  /** The user's sessions. */
  sessions: '/account/sessions',
  /** The user's API keys. */
  apiKeys: '/account/keys',
  /** How the user is told that a batch has ended. */
  notifications: '/account/notifications',
  /** Confirms the address to which the link was sent. */
  confirmEmail: (token: string) => `/confirm-email?token=${token}`,
  emailConfirmed: '/confirm-email?done',
  /** The user's own two-step sign-in. */
  secondFactor: '/account/two-step',
  /** The create screen on one of its tabs. */
  create: (tab: 'text' | 'image' | 'bulk') => `/app?tab=${tab}`,
  /** The image tab, for a video that begins where a clip ends. */
  continueClip: (videoId: string) => `/app?tab=image&continue=${videoId}`,
  /** The receipt of the prompts in the bulk box, before they are started. */
  receipt: '/app/receipt',
  /** The same, of this version of the box. */
  receiptOf: (version: number) => `/app/receipt?of=${version}`,
  /** The prompts of a file or a table, row by row, before they are started. */
  list: '/app/list',
  /** What a text service makes of prompts, before any of it is used. */
  rewrite: '/app/rewrite',
  /** The create screen following one batch, on one of its tabs. */
  batch: (id: string, tab: 'text' | 'image' | 'bulk' = 'bulk') =>
    `/app?tab=${tab}&batch=${encodeURIComponent(id)}`,
  /** The user's batches; with an id, those before this one. */
  batches: '/batches',
  batchesBefore: (id: string) => `/batches?before=${id}`,
  /** The page of one batch, which stays after the batch has ended. */
  batchPage: (id: string) => `/batches/${encodeURIComponent(id)}`,
  /** The same with the list of its prompts that are not sent unfolded. */
  batchUnsent: (id: string) => `/batches/${encodeURIComponent(id)}?unsent=shown#waiting`,
  /** The videos of a batch as an archive, or among the user's videos, in the order of its prompts. */
  batchArchive: (id: string) => `/api/videos/archive?inOrder=${id}&from=/batches/${id}`,
  batchVideos: (id: string) => `/dashboard?inOrder=${id}`,
  /** The video for one of a batch's prompts, by its place, counted from 1. */
  inBatch: (id: string, place: number) => `/resources/batches/${id}/${place}`,
  /** The user's collections, a page of them after a cursor. */
  collections: '/collections',
  collectionsAfter: (cursor: string) => `/collections?after=${cursor}`,
  /** The page of one: a gallery with this filter, which its forms and links keep. */
  collection: (id: string) =>
    `/collections/${encodeURIComponent(id)}?collection=${encodeURIComponent(id)}`,
  /** Its clips as an archive, and their prompts, in the order of adding. */
  collectionArchive: (id: string) =>
    `/api/videos/archive?collection=${id}&status=completed&from=/collections/${id}`,
  collectionPrompts: (id: string) =>
    `/resources/prompts?choice=filtered&collection=${id}&from=/collections/${id}`,
  /** The quota ledger in words. */
  usage: '/usage',
  /** Uses a prepaid code. */
  redeem: '/redeem',
  usageOf: (day: string) => `/usage?day=${day}`,
  /** Sign-in that keeps what was typed when the session ended. */
  resume: '/resume',
  theme: '/resources/theme',
  sidebar: '/resources/sidebar',
  /** The user's own deleted videos, which can be restored. */
  deleted: '/videos/deleted',
  /** How many clips a download has, and their size, before it starts. */
  downloads: '/videos/download',
  /** Where the ticked clips are put in order, before they are joined. */
  joinClips: '/films/new',
  /** The same for clips in an order. */
  newFilm: (ids: readonly string[], name: string) =>
    `/films/new?${new URLSearchParams({ ids: ids.join(','), sorted: 'yes', name })}`,
  /** Clips that are joined into one file, and how far that is, for the page itself. */
  film: (ids: readonly string[], name: string) =>
    `/films/joined?${new URLSearchParams({ ids: ids.join(','), name })}`,
  filmNews: (ids: readonly string[]) => `/resources/films?ids=${ids.join(',')}`,
  filmFile: (filmId: string) => `/films/${filmId}/film.mp4`,
  filmDownload: (filmId: string, name: string) =>
    `/films/${filmId}/download?${new URLSearchParams({ name })}`,
  video: (id: string) => `/videos/${id}`,
  /** A clip for people without an account, and its files. */
  shared: (token: string) => `/shared/${token}`,
  sharedClip: (token: string) => `/shared/${token}/clip.mp4`,
  sharedPoster: (token: string) => `/shared/${token}/poster.jpg`,
  sharedDownload: (token: string) => `/shared/${token}/download`,
  /** The next page of a shared collection; one of its clips by itself, and its files. */
  sharedAfter: (token: string, cursor: string) => `/shared/${token}?after=${cursor}`,
  sharedMember: (token: string, id: string) => `/shared/${token}?clip=${id}`,
  sharedFile: (
    token: string,
    id: string,
    file: 'clip.mp4' | 'poster.jpg' | 'poster.webp' | 'download',
  ) => `/shared/${token}/${id}/${file}`,
  media: (id: string, kind: 'mp4' | 'jpg' | 'still.jpg') => `/media/${id}.${kind}`,
  /** The daily prompts that the user has used. */
  usedPrompts: '/prompts/used',
  /** Copy or skip the prompt of the day without scripts. */
  dailyPrompt: '/resources/daily-prompt',
  /** The create screen with a short text filled in. */
  writePrompt: (prompt: string) => `/app?prompt=${encodeURIComponent(prompt)}`,
  /** The create screen with a prompt of the library filled in. */
  writeDaily: (promptId: string) => `/app?daily=${promptId}`,
  /** The create screen with the prompt and the settings of a video filled in. */
  writeLike: (videoId: string) => `/app?like=${videoId}`,
  /** A text file of prompts. */
  prompts: '/resources/prompts',
  /** What a scheduler posts with the chosen clips. */
  postingList: '/resources/posting-list',
  api: {
    login: '/api/auth/login',
    loginCode: '/api/auth/login/code',
    register: '/api/auth/register',
    changePassword: '/api/auth/user/change-password',
    copyPrompt: (id: string) => `/api/prompts/${id}/copy`,
    onlineStats: '/api/admin/stats/online',
    videos: '/api/videos',
    archive: '/api/videos/archive',
    downloads: '/api/videos/downloads',
    extraTokens: '/api/admin/extra-tokens',
    /**
     * The newest video of all users. The response differs whenever any user's video has changed.
     */
    anyVideo: '/api/videos?scope=all&limit=1',
    status: (id: string) => `/api/videos/${id}/status`,
    download: (id: string) => `/api/videos/${id}/download`,
    links: (id: string) => `/api/videos/${id}/links`,
    batches: '/api/batches',
    collections: '/api/collections',
    changes: '/api/videos/changes',
  },
} as const

/**
 * Longest path with query string, in characters, that is accepted or redirected to. Node, fetch and
 * proxies refuse headers of more than 16 kB in all.
 */
export const LONGEST_PATH = 8000
/** The same for an address that is escaped once more, as part of another one. */
const LONGEST_WITHIN = 2000

/**
 * Returns the address of the sign-in page that leads on to the wanted page. A very long query string
 * is left out.
 */
export function loginPath(wanted: string): string {
  const [path = ''] = wanted.split('?')
  const next = wanted.length > LONGEST_WITHIN ? path : wanted
  return next === paths.app ? paths.login : `${paths.login}?redirectTo=${encodeURIComponent(next)}`
}

/** A placeholder for our own host. */
const OWN = 'http://own'

/**
 * Returns where to go after signing in: `wanted` if a browser resolves it to a path on our host,
 * and it is not too long, else `fallback`. Browsers resolve '//host', '/\\host' and '/./\\host' to other hosts. Non-ASCII
 * characters are escaped, as headers require.
 */
export function safeRedirect(wanted: string | null, fallback: string): string {
  if (!wanted?.startsWith('/') || /[\u0000-\u001f]/.test(wanted) || !URL.canParse(wanted, OWN))
    return fallback
  const { origin, pathname, search, hash } = new URL(wanted, OWN)
  const path = pathname + search + hash
  const isOwn = origin === OWN && !pathname.startsWith('//')
  return isOwn && path.length <= LONGEST_PATH ? path : fallback
}
