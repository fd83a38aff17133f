// The text of a prepaid code: four groups of four. Letters that look like digits are not in it, and are read
// as these digits when somebody types them.

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 15 random digits of 32 have 75 bits. The last one is their check. */
const RANDOM_DIGITS = 15

const READ_AS: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1', U: 'V' }

/** Returns the check digit (Luhn, to the base of 32): it finds each single mistake and most exchanges. */
function checkOf(random: string): string {
  const sum = Array.from(random).reduceRight((all, digit, place) => {
    const weighed = DIGITS.indexOf(digit) * ((random.length - place) % 2 === 1 ? 2 : 1)
    return all + Math.floor(weighed / DIGITS.length) + (weighed % DIGITS.length)
  }, 0)
  return DIGITS.charAt((DIGITS.length - (sum % DIGITS.length)) % DIGITS.length)
}

/** Returns a new code, as it is shown. `randomDigit` chooses below a number. */
export function newCode(randomDigit: (below: number) => number): string {
  const random = Array.from({ length: RANDOM_DIGITS }, () =>
    DIGITS.charAt(randomDigit(DIGITS.length)),
  ).join('')
  return (random + checkOf(random)).replace(/.{4}(?=.)/g, '$&-')
}

/** Returns the 16 characters of a code as it was typed, or null if they are mistyped or too few. */
export function readCode(typed: string): string | null {
  const code = typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z\d]/g, '')
    .replace(/[OILU]/g, (letter) => READ_AS[letter] ?? letter)
  const random = code.slice(0, RANDOM_DIGITS)
  return code.length === RANDOM_DIGITS + 1 && code.endsWith(checkOf(random)) ? code : null
}
