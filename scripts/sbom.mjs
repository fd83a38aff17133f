// `npm run --silent sbom > sbom.cdx.json`: a CycloneDX bill of materials of what production installs.
// npm lists everything in the lock file, and packages that are only for builds and tests are removed
// here: `npm sbom --omit dev` also omits more than half of what production installs (npm 11.19).
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { root } from './lib/root.mjs'
import { licenseOf, shippedPackages } from './lib/shipped.mjs'

const LIST = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
const { stdout } = await promisify(execFile)('npm', [...LIST, '--package-lock-only'], {
  cwd: root,
  maxBuffer: 64 * 1024 * 1024,
})
const bill = JSON.parse(stdout)
const shipped = new Set((await shippedPackages()).map(({ name, version }) => `${name}@${version}`))

// npm 10 lists a package once for each folder that it is in.
bill.components = onceEach(bill.components, 'bom-ref')
  .filter((/** @type {any} */ { name, version }) => shipped.has(`${name}@${version}`))
  .map((/** @type {any} */ component) => ({ ...component, licenses: licensesOf(component) }))
// npm writes the name of the folder here.
bill.metadata.component.name = 'reelmill'
const own = bill.metadata.component['bom-ref']
const refs = new Set([own, ...bill.components.map((/** @type {any} */ one) => one['bom-ref'])])
bill.dependencies = onceEach(bill.dependencies, 'ref')
  .filter((/** @type {any} */ { ref }) => refs.has(ref))
  .map((/** @type {any} */ { ref, dependsOn }) => ({
    ref,
    dependsOn: dependsOn.filter((/** @type {string} */ on) => refs.has(on)),
  }))
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`)

/** @param {any[]} entries @param {string} id */
function onceEach(entries, id) {
  return [...new Map(entries.map((entry) => [entry[id], entry])).values()]
}

/** @param {any} component */
function licensesOf({ name, licenses }) {
  const corrected = licenseOf(name, undefined)
  return corrected === 'not declared' ? licenses : [{ license: { id: corrected } }]
}
