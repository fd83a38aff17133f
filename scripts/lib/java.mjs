import { which } from './debian.mjs'

const PACKAGE = 'default-jre-headless'

/** Returns the packages of Debian that are missing for a Java: one, or none. */
export const missingJava = async () => ((await which('java')) ? [] : [PACKAGE])

/** Throws an Error with instructions if there is no Java for the Nu Html Checker. */
export async function checkJava() {
  if (await which('java')) return
  throw new Error(
    `No Java was found for the Nu Html Checker. Install one (apt-get install ${PACKAGE}) and run npm test again.`,
  )
}
