// Titles of the toasts for failed forms, by the form's intent (specification §8). No server code,
// because browser scripts use them too when no response arrives.

type Titles = Readonly<Record<string, string>>

/** The form that records the payment of an earlier renewal. */
export const UNPAID_FAILED = {
  'record-payment': 'The payment was not recorded',
} as const satisfies Titles

/** The forms of the users' page, and of the page of a customer. */
export const USERS_FAILED = {
  ...UNPAID_FAILED,
  'create-user': 'Failed to create user',
  'quick-create': 'Failed to create user',
  'edit-user': 'Failed to update user',
  'password-link': 'Failed to make the link',
  'second-factor-off': 'Failed to switch off two-step sign-in',
  renew: 'Failed to update user',
  unlock: 'Failed to unlock',
  note: 'The note was not saved',
  'allow-keys': 'Nothing was changed',
  'end-key': 'Key not ended',
  'reset-counter': 'Failed to reset counter',
  'reset-all': 'Failed to reset counters',
  'delete-user': 'Failed to delete user',
  'delete-all': 'Failed to delete users',
} as const satisfies Titles

/** The forms of the extra pool. */
export const POOL_FAILED = {
  'add-token': 'Failed to add token',
  'add-tokens': 'Bulk import failed',
  remove: 'Failed to remove token',
  'remove-all': 'Failed to delete tokens',
  check: 'Test failed',
  'check-all': 'Test failed',
  'edit-key': 'Failed to change the token',
  'try-now': 'Nothing was changed',
  replace: 'Failed to replace the token',
  'remove-dead': 'Failed to remove tokens',
  undo: 'Failed to bring the tokens back',
} as const satisfies Titles

/** The panels that show the result of a form. */
export const PANELS_FAILED = {
  'import-users': 'Bulk Import Failed',
  'assign-tokens': 'Token Assignment Failed',
} as const satisfies Titles

/** The forms of the page with all users' videos. */
export const PLATFORM_FAILED = {
  retry: 'Retry failed',
  regenerate: 'Regenerate failed',
  edit: 'Generation failed',
  delete: 'Delete failed',
  'delete-selected': 'Failed to delete videos',
  'delete-all': 'Failed to delete videos',
  'regenerate-selected': 'Regeneration failed',
  'regenerate-all': 'Regeneration failed',
  'cancel-regeneration': 'Failed to stop',
  'stop-change': 'Failed to stop',
} as const satisfies Titles

/** The forms of the prompt library. */
export const PROMPTS_FAILED = {
  create: 'Failed to create prompt',
  import: 'Failed to import prompts',
  update: 'Failed to update prompt',
  delete: 'Failed to delete prompt',
  'delete-selected': 'Failed to delete prompts',
  'set-daily': 'Failed to set daily prompt',
  unpin: 'Failed to set daily prompt',
} as const satisfies Titles

/** The forms of the book of payments. */
export const PAYMENTS_FAILED = {
  'confirm-payment': 'The payment was not confirmed',
  'reject-payment': 'The payment was not rejected',
  'refund-payment': 'The refund was not recorded',
} as const satisfies Titles

/** The forms of the page on which a helper serves customers. */
export const HELPER_FAILED = {
  'quick-create': 'Failed to create user',
  renew: 'Failed to renew',
  password: 'Failed to set a password',
  regenerate: 'Regeneration failed',
  ask: 'Nothing was asked',
  'ask-payment': 'Nothing was asked',
  'confirm-payment': PAYMENTS_FAILED['confirm-payment'],
} as const satisfies Titles

/** The forms of the page with all helpers. */
export const HELPERS_FAILED = {
  rights: 'The rights were not changed',
  approve: 'The request was not approved',
  decline: 'The request was not declined',
} as const satisfies Titles

/** The forms of the settings page. */
export const SETTINGS_FAILED = {
  announce: 'The announcement was not changed',
  'end-announcement': 'The announcement was not changed',
  pause: 'New orders were not paused',
  resume: 'New orders were not resumed',
  contacts: 'The contacts were not changed',
  'contacts-default': 'The contacts were not changed',
  payment: 'The payment accounts were not changed',
  'payment-default': 'The payment accounts were not changed',
  alarms: 'The alarms were not changed',
  'test-alarms': 'Nothing was sent',
  'chat-texts': 'The chat texts were not changed',
  'remove-language': 'The chat texts were not changed',
} as const satisfies Titles

/** The forms of the plans page. */
export const PLANS_FAILED = {
  plan: 'The plan was not changed',
  'plan-default': 'The plan was not changed',
  'video-cost': 'The cost was not changed',
} as const satisfies Titles

/** The forms of the set-up check. */
export const SETUP_FAILED = {
  'mark-done': 'Nothing was changed',
  'mark-open': 'Nothing was changed',
} as const satisfies Titles
