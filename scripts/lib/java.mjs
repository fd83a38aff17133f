import { canInstall, install, which } from './debian.mjs'

/**
 * Makes sure that there is a Java for the Nu Html Checker. As root it installs the distribution's.
 * Throws an Error with instructions if there is none.
 */
export async function ensureJava() {
  if (await which('java')) return
  if (await canInstall()) await install(['default-jre-headless'])
  if (await which('java')) return
  throw new Error(
    'No Java was found for the Nu Html Checker. Install one (apt-get install default-jre-headless) and run npm test again.',
  )
}
