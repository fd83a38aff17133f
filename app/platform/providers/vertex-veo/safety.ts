import type { Fault } from '../port'

/** Google's support codes for refused content, by the groups of its guide. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  child: ['58061214', '17301594'],
  celebrity: ['29310472', '15236754'],
  'video safety': ['64151117', '42237218'],
  dangerous: ['62263041'],
  hate: ['57734940', '22137204'],
  other: ['74803281', '29578790', '42876398'],
  prohibited: ['89371032', '49114662', '63429089', '72817394', '60599140'],
  'third-party content': ['35561574', '35561575'],
  sexual: ['90789179', '43188360'],
  toxic: ['78610348'],
  violence: ['61493863', '56562880'],
  vulgar: ['32635315'],
}

const BLOCKED =
  /usage guidelines|sensitive words|support codes?|responsible ai|safety (filter|setting)s?|violat/i
const AUDIO = /issue with the audio|audio[^.]{0,60}(filter|blocked|safety)/i

type BlockedFault = Extract<Fault, { kind: 'content-blocked' }>

/** Returns the support codes in a message, and their groups. */
export function supportCodes(message: string): { codes: string[]; groups: string[] } {
  const codes = [...new Set(message.match(/\b\d{8}\b/g) ?? [])]
  const groups = Object.entries(GROUPS).flatMap(([group, members]) =>
    members.some((member) => codes.includes(member)) ? [group] : [],
  )
  return { codes, groups }
}

/** Returns the fault if a message reports refused content, else null. */
export function blockedFault(message: string, stage: BlockedFault['stage']): BlockedFault | null {
  const { codes } = supportCodes(message)
  if (AUDIO.test(message)) return { kind: 'content-blocked', stage: 'audio', codes }
  if (!BLOCKED.test(message)) return null
  return { kind: 'content-blocked', stage, codes }
}

/** Puts the names of the groups before the message, so that readers need not look up the codes. */
export function explained(message: string): string {
  const { groups } = supportCodes(message)
  return groups.length === 0 ? message : `refused content (${groups.join(', ')}): ${message}`
}
