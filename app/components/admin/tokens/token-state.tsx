import { stateText } from '~/domain/tokens/desk-rules'
import type { CredentialState } from '~/domain/tokens/types'
import { Badge, type BadgeTone } from '../../ui/badge'

const TONES = { ok: 'good', cooling: 'warn', spent: 'bad', dead: 'bad' } as const satisfies Record<
  CredentialState,
  BadgeTone
>

type Props = { state: CredentialState; death?: string | null }

/** The state of a token, in words and colour. */
export const StateBadge = ({ state, death = null }: Props) => (
  <Badge tone={TONES[state]}>{stateText({ state, death })}</Badge>
)
