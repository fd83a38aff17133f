// The layers of docs/architecture.md: who may import whom. Run by `npm run lint`.
const app = '^app/'
const server = '\\.server\\.tsx?$'

/** The areas of app/domain, in their order (app/domain/README.md). */
const AREAS = [
  'plans',
  'names',
  'activity',
  'business',
  'accounts',
  'payments',
  'quota',
  'prompts',
  'tokens',
  'videos',
  'batches',
  'lists',
  'films',
  'notifications',
  'retention',
  'health',
  'alarms',
  'administration',
  'events',
]

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-circles-of-types',
      comment: 'In the product not even a type closes a circle.',
      severity: 'error',
      from: { path: '^(app|jobs|renderer|server\\.ts)' },
      to: { circular: true },
    },
    {
      name: 'app-imports-only-app',
      comment: 'Anything outside app/ would be shipped to browsers in clear text.',
      severity: 'error',
      from: { path: app },
      to: { path: '^(jobs|prisma|tests|scripts|server\\.ts)' },
    },
    {
      name: 'product-knows-no-tests',
      severity: 'error',
      from: { path: '^(app|jobs|renderer|server\\.ts|scripts)', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(tests|bench)/' },
    },
    {
      name: 'renderer-stands-alone',
      comment: 'It is a program that the local provider starts: renderer/README.md.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^(app|jobs|prisma|scripts|server\\.ts)', pathNot: '^app/lib/' },
    },
    {
      name: 'renderer-is-started-not-imported',
      severity: 'error',
      from: { path: '^(app|jobs|server\\.ts)' },
      to: { path: '^renderer/' },
    },
    {
      name: 'lib-knows-nothing',
      severity: 'error',
      from: { path: '^app/lib/' },
      to: { path: app, pathNot: '^app/lib/' },
    },
    {
      name: 'pure-domain-stays-pure',
      comment: 'types, schemas and rules run in browsers too.',
      severity: 'error',
      from: { path: '^app/domain/', pathNot: [server, '\\.test\\.ts$'] },
      to: {
        path: [server, 'node_modules/(pg|react)/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'domain-uses-ports',
      comment: 'Adapters are built in app/boot and passed along.',
      severity: 'error',
      from: { path: '^app/domain/', pathNot: '\\.test\\.ts$' },
      to: { path: ['^app/(boot|http|routes|components)/', '^app/platform/.*\\.server\\.ts$'] },
    },
    {
      name: 'ports-know-no-adapters',
      severity: 'error',
      from: { path: '^app/platform/.*(port|catalog)\\.ts$' },
      to: { path: '^app/platform/.*\\.server\\.ts$' },
    },
    {
      name: 'prisma-client-is-loaded-when-used',
      comment:
        'It takes a fifth of a second and 30 MB, which processes without use for it shall not pay.',
      severity: 'error',
      from: { path: '^(app|jobs|server\\.ts)' },
      to: { path: '@prisma/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'prisma-client-has-one-door',
      severity: 'error',
      from: { path: '^(app|jobs|server\\.ts)', pathNot: '^app/platform/db/prisma\\.server\\.ts$' },
      to: { path: '@prisma/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'platform-knows-no-product',
      severity: 'error',
      from: { path: '^app/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^app/(domain|boot|http|routes|components)/' },
    },
    {
      name: 'boot-builds-adapters-only',
      severity: 'error',
      from: { path: '^app/boot/' },
      to: { path: '^app/(http|routes|components)/' },
    },
    {
      name: 'http-knows-no-pages',
      severity: 'error',
      from: { path: '^app/http/', pathNot: '\\.test\\.ts$' },
      to: { path: ['^app/(routes|components)/', '@prisma/'] },
    },
    {
      name: 'components-run-in-browsers',
      severity: 'error',
      from: { path: '^app/components/', pathNot: '\\.test\\.tsx?$' },
      to: {
        path: [server, '^app/(boot|routes)/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'views-run-in-browsers',
      comment: 'The components of one page, which stand beside its route.tsx.',
      severity: 'error',
      from: { path: '^app/routes/[^/]+/[^/]+/', pathNot: [server, '/route\\.tsx?$'] },
      to: { path: server, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'routes-are-skins',
      severity: 'error',
      from: { path: '^app/routes/' },
      to: { path: ['^app/platform/', '^app/boot/'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-know-no-other-page',
      severity: 'error',
      from: { path: '^app/routes/[^/]+/[^/]+$' },
      to: { path: '^app/routes/' },
    },
    {
      name: 'folders-of-pages-know-no-other-page',
      comment: 'What several pages share is in app/components or app/http.',
      severity: 'error',
      // Folders are compared by the last part of their names, because a `$` cannot be compared.
      from: { path: '^app/routes/[^/]+/[^/]*?([^/.$]+)/' },
      to: { path: '^app/routes/', pathNot: '^app/routes/[^/]+/[^/]*$1/' },
    },
    {
      name: 'jobs-know-no-web',
      severity: 'error',
      from: { path: '^jobs/' },
      to: { path: ['^app/(http|routes|components)/', 'node_modules/react/'] },
    },
    // A folder imports only folders to its left, types included.
    {
      name: 'domain-root-comes-before-areas',
      comment: 'What every area needs: the context, errors, the clock. It knows no area.',
      severity: 'error',
      from: { path: '^app/domain/[^/]+$' },
      to: { path: '^app/domain/[^/]+/' },
    },
    {
      name: 'areas-have-a-place-in-the-order',
      severity: 'error',
      from: { path: '^app/domain/[^/]+/', pathNot: `^app/domain/(${AREAS.join('|')})/` },
      to: {},
    },
    ...orderedFolders('app/domain', AREAS),
    ...orderedFolders('app/domain/videos', ['engine', 'gallery', 'requests', 'admin']),
    ...orderedFolders('app/http', [
      'responses',
      'session',
      'access',
      'forms',
      'loaders',
      'actions',
      'endpoints',
      'server',
    ]),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: '(^|/)(build|public)/' },
  },
}

/**
 * @param {string} parent
 * @param {string[]} folders
 */
function orderedFolders(parent, folders) {
  return folders.slice(0, -1).map((folder, i) => ({
    name: `${folder}-comes-before-${folders[i + 1]}`,
    severity: 'error',
    from: { path: `^${parent}/${folder}/` },
    to: { path: `^${parent}/(${folders.slice(i + 1).join('|')})/` },
  }))
}
