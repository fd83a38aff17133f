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

/**
 * Where in app/domain each table is written. The first place is its owner's; the others write to it in
 * one statement with rows of their own, because what belongs together has to happen at once.
 */
const TABLE_OWNERS = {
  attempts: ['videos/', 'retention.server'],
  batches: ['batches/'],
  bulk_change_users: ['administration/'],
  bulk_changes: ['administration/'],
  // A step that uses a token notes how it went; accounts get and lose tokens of their own.
  credentials: ['tokens/', 'videos/engine/', 'administration/', 'reseal.server'],
  drafts: ['videos/'],
  idempotency_keys: ['idempotency.server', 'retention.server'],
  invariant_checks: ['activity/'],
  // A round puts many videos into the line, and takes out what it has to take back.
  line_entries: ['videos/', 'batches/'],
  lock_outs: ['audit.server', 'retention.server'],
  mass_changes: ['videos/'],
  // The engine replaces a dead token as it assigns work.
  pool_assignments: ['videos/engine/', 'retention.server'],
  prompt_choices: ['prompts/'],
  prompts: ['prompts/'],
  provider_failures: ['videos/engine/'],
  provider_gates: ['videos/engine/'],
  quota_adjustments: ['quota/'],
  quota_charges: ['quota/', 'retention.server'],
  // A gift of an administrator is one of the changes of many users.
  quota_days: ['quota/', 'administration/', 'retention.server'],
  recovery_codes: ['accounts/'],
  retention: ['retention.server'],
  rounds: ['batches/', 'retention.server'],
  second_factors: ['accounts/', 'reseal.server'],
  // Whoever is stopped is signed out in the same moment.
  sessions: ['accounts/', 'administration/', 'retention.server'],
  throttles: ['retention.server'],
  trail_entries: ['audit.server', 'retention.server'],
  trial_days: ['accounts/', 'retention.server'],
  trials: ['accounts/'],
  // Which token an account uses is a column of its row.
  users: ['accounts/', 'administration/', 'tokens/', 'videos/engine/'],
  // A batch writes all its videos at once.
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
      // Without single fetch this is how Remix answers JSON (docs/decisions/0001-classic-compiler.md).
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
      // There are no classes whose methods would miss their `this`.
      '@typescript-eslint/unbound-method': 'off',
      // Remix throws responses; that is how a loader redirects.
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // An async function without await still promises; commands keep one shape.
      '@typescript-eslint/require-await': 'off',
      'max-depth': ['error', 3],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 3],
      'no-restricted-syntax': ['error', noStringBuiltSql, noTypeEnums, noOwnMocks],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['**/.server/**', '**/.client/**'],
              message: 'These folders reach the browser: use the suffix.',
            },
          ],
        },
      ],
      'reelmill/no-bare-own-imports': 'error',
    },
  },
  {
    // What takes more than linear time lets one request keep a process from everybody else.
    files: ['app/**/*.{ts,tsx}', 'jobs/**/*.ts', 'server.ts'],
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
    plugins: { reelmill },
    rules: {
      'reelmill/server-values-stay-on-server': 'error',
      // Markup is long without being complicated.
      'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['app/routes/**'],
    rules: {
      'reelmill/only-remix-exports': 'error',
      'max-lines': ['error', { max: 220, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['app/**/*.ts', 'jobs/**/*.ts'],
    ignores: ['**/*.test.ts', 'jobs/seed/**', 'jobs/seed.ts'],
    plugins: { reelmill },
    rules: { 'reelmill/tables-have-owners': ['error', TABLE_OWNERS] },
  },
  { files: ['app/routes/api+/**'], rules: { 'max-lines': ['error', 60] } },
  {
    files: ['**/*.test.ts', '**/*.spec.ts', 'tests/**'],
    rules: {
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      'max-params': 'off',
      'no-restricted-syntax': ['error', noTypeEnums, noOwnMocks],
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
)
