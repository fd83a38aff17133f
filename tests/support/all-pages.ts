/**
 * Every page of the product by who may open it, for the checks of accessibility and of valid HTML.
 * Add new pages, and new dialogs (`?dialog=`).
 */
export const PAGES = {
  public: [
    '/',
    '/login',
    '/register',
    '/pricing',
    '/pricing?dialog=account-details',
    '/refund-policy',
    '/set-password',
    '/nope',
  ],
  user: [
    '/app',
    '/app?tab=image',
    '/dashboard',
    '/videos/deleted',
    '/dashboard?dialog=download',
    '/batches',
    '/usage',
    '/account/password',
    '/account/sessions',
  ],
  admin: [
    '/admin',
    '/admin?dialog=create',
    '/admin?dialog=quick',
    '/admin?dialog=delete-all',
    '/admin?dialog=export-tokens',
    '/admin/users/import?example',
    '/admin/users/trash',
    '/admin/tokens?dialog=remove-all',
    '/admin/system',
    '/admin/system/runbook',
    '/admin/settings',
    '/admin/overview',
    '/admin/videos',
    '/admin/videos?dialog=regenerate-all',
    '/admin/videos/trash',
    '/admin/prompts',
    '/admin/prompts?dialog=add',
    '/admin/prompts?dialog=import',
    '/admin/trail',
    '/account/two-step',
  ],
} as const
