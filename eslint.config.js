import jsxA11y from 'eslint-plugin-jsx-a11y'
import reactHooks from 'eslint-plugin-react-hooks'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'
import reelmill from './scripts/lint-rules/index.mjs'

const noStringBuiltSql = {
  selector:
    "CallExpression[callee.name='sql'], CallExpression[callee.property.name=/^(query|\\$queryRawUnsafe|\\$executeRawUnsafe)$/] > TemplateLiteral[expressions.length>0]",
  message: 'SQL is written with the sql tag; values are parameters.',
}
const noTypeEnums = { selector: 'TSEnumDeclaration', message: 'Use a union of strings.' }
const noOwnMocks = {
  selector:
    "CallExpression[callee.object.name='vi'][callee.property.name='mock'][arguments.0.value=/^(~|\\.)/]",
  message: 'No mocks of our own modules: pass another argument.',
}
const noSpreadLiterals = {
  selector:
    'SpreadElement > ObjectExpression.argument, JSXSpreadAttribute > ObjectExpression.argument',
  message: 'Write the properties themselves.',
}
// With `sideEffects: false` the compiler removes imports without names, so that the imported module
// silently does not run.
const noBareOwnImports = {
  selector: 'ImportDeclaration[specifiers.length=0][source.value=/^(~|\\.)/]',
  message: 'A bare import of our own module vanishes in the build: call a function.',
}
/** A later list replaces an earlier one. */
const FORBIDDEN_EVERYWHERE = [noTypeEnums, noOwnMocks, noSpreadLiterals, noBareOwnImports]
const FORBIDDEN_IN_PRODUCT = [noStringBuiltSql, ...FORBIDDEN_EVERYWHERE]

const NOT_OF_REMIX =
  '!=/^(action|clientAction|default|ErrorBoundary|handle|headers|Layout|links|loader|meta|shouldRevalidate)$/'
// Route modules export only the names that Remix knows: others would stay in the browser's scripts.
const onlyRemixExports = {
  selector: [
    `ExportNamedDeclaration[exportKind!='type'] > ExportSpecifier[exported.name${NOT_OF_REMIX}]`,
    `ExportNamedDeclaration > FunctionDeclaration[id.name${NOT_OF_REMIX}]`,
    `ExportNamedDeclaration > VariableDeclaration > VariableDeclarator[id.name${NOT_OF_REMIX}]`,
  ].join(', '),
  message: "Routes export only Remix's names.",
}

/**
 * The places in app/domain that may write to each table. The first is the owner. The others write
 * to it together with their own rows, because both have to change at once.
 */
const TABLE_OWNERS = {
  alarm_notices: ['alarms/'],
  alarms: ['alarms/'],
  announcement_dismissals: ['business/'],
  api_keys: ['accounts/', 'retention/'],
  attempts: ['videos/', 'retention/'],
  batches: ['batches/'],
  bulk_change_users: ['administration/'],
  bulk_changes: ['administration/'],
  business_settings: ['business/'],
  carried_prompts: ['batches/'],
  collection_videos: ['videos/'],
  collections: ['videos/'],
  credential_days: ['tokens/', 'videos/engine/'],
  // A step records whether its token worked; administrators assign tokens to users.
  credentials: ['tokens/', 'videos/engine/', 'administration/'],
  customer_cards: ['administration/'],
  draft_pictures: ['videos/'],
  drafts: ['videos/'],
  end_counts: ['retention/'],
  events: ['events/'],
  helper_requests: ['administration/'],
  helper_rights: ['administration/'],
  idempotency_keys: ['idempotency.server', 'retention/'],
  invariant_checks: ['health/'],
  key_removals: ['tokens/'],
  known_devices: ['accounts/'],
  // A round adds many videos to the line; cancelling a batch removes them.
  line_entries: ['videos/', 'batches/'],
  load_peaks: ['administration/', 'retention/'],
  lock_outs: ['activity/', 'retention/'],
  mass_changes: ['videos/'],
  notifications: ['notifications/', 'retention/'],
  notification_emails: ['notifications/'],
  push_subscriptions: ['notifications/', 'retention/'],
  notification_webhooks: ['notifications/', 'administration/reseal.server'],
  order_pictures: ['videos/', 'retention/'],
  payment_pictures: ['payments/', 'retention/'],
  payments: ['payments/'],
  prepaid_codes: ['administration/'],
  // The engine replaces a dead token as it assigns work.
  pool_assignments: ['videos/engine/', 'retention/'],
  prompt_choices: ['prompts/'],
  prompt_uses: ['prompts/'],
  prompts: ['prompts/'],
  provider_failures: ['videos/engine/'],
  provider_gates: ['videos/engine/'],
  provider_settings: ['videos/engine/'],
  push_keys: ['notifications/', 'administration/reseal.server'],
  reminder_settings: ['notifications/'],
  referrals: ['accounts/', 'administration/'],
  quota_adjustments: ['quota/'],
  quota_charges: ['quota/', 'retention/'],
  // An administrator's gift of quota is one of the changes of many users.
  quota_days: ['quota/', 'administration/', 'retention/'],
  recovery_codes: ['accounts/'],
  retention: ['retention/'],
  rounds: ['batches/', 'retention/'],
  saved_wordings: ['lists/'],
  second_factors: ['accounts/', 'administration/reseal.server'],
  sessions: ['accounts/', 'retention/'],
  share_links: ['videos/'],
  strange_words: ['videos/engine/'],
  throttles: ['retention/'],
  trail_entries: ['activity/', 'retention/'],
  trial_days: ['accounts/', 'retention/'],
  trials: ['accounts/'],
  // The token that a user orders with is a column of the user's row.
  users: ['accounts/', 'administration/', 'tokens/', 'videos/engine/'],
  // A batch writes all its videos at once.
  video_numbers: ['videos/'],
  video_pictures: ['videos/', 'retention/'],
  videos: ['videos/', 'batches/'],
  worker_processes: ['videos/engine/'],
}

export default tseslint.config(
  { ignores: ['build/', 'build-next/', 'public/', '.data/', 'node_modules/'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { reelmill },
    rules: {
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      // Without single fetch, Remix returns JSON by this function
      // (docs/decisions/0001-remix-rendered-to-a-string.md).
      '@typescript-eslint/no-deprecated': [
        'error',
        {
          allow: [
            { from: 'package', name: 'json', package: '@remix-run/server-runtime' },
            { from: 'package', name: 'json', package: '@remix-run/node' },
          ],
        },
      ],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // No method that is passed as a value depends on `this`.
      '@typescript-eslint/unbound-method': 'off',
      // In Remix a loader redirects by throwing a response.
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // All commands return promises, including those that await nothing.
      '@typescript-eslint/require-await': 'off',
      'max-depth': ['error', 3],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 3],
      'no-restricted-syntax': ['error', ...FORBIDDEN_IN_PRODUCT],
    },
  },
  {
    // With a regular expression that takes more than linear time, one request could block a
    // process.
    files: ['app/**/*.{ts,tsx}', 'jobs/**/*.ts', 'renderer/**/*.ts', 'server.ts'],
    ignores: ['**/*.test.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['app/**/*.tsx'],
    extends: [jsxA11y.flatConfigs.strict],
    plugins: { 'react-hooks': reactHooks },
    rules: { ...reactHooks.configs.recommended.rules },
  },
  {
    files: ['app/routes/**', 'app/components/**'],
    rules: {
      // Markup is long without being complicated.
      'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // A page: one file, or the one of this name in its folder.
    files: ['app/routes/*/*', 'app/routes/**/route.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': ['error', ...FORBIDDEN_IN_PRODUCT, onlyRemixExports],
      'max-lines': ['error', { max: 220, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['app/**/*.ts', 'jobs/**/*.ts'],
    ignores: ['**/*.test.ts', 'jobs/seed/**', 'jobs/seed.ts'],
    plugins: { reelmill },
    rules: { 'reelmill/tables-have-owners': ['error', TABLE_OWNERS] },
  },
  {
    files: ['**/*.test.ts', '**/*.spec.ts', 'tests/**'],
    rules: {
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      'max-params': 'off',
      'no-restricted-syntax': ['error', ...FORBIDDEN_EVERYWHERE],
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
)
