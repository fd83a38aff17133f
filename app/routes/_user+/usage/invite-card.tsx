import { broughtTexts, type Brought } from '~/domain/accounts/referrals'
import { rewardText, type Referral } from '~/domain/business/types'
import { figure } from '~/lib/figures'
import { Card } from '~/components/ui/card'
import { CopyButton } from '~/components/ui/copy-button'

type Props = { invite: { link: string; terms: Referral; brought: Brought; isEndless: boolean } }

/** The customer's invite link, what it promises, and what it has brought. */
export function InviteCard({ invite: { link, terms, brought, isEndless } }: Props) {
  return (
    <section id="invite" className="scroll-mt-20">
      <Card title="Invite others">
        <p className="text-sm">
          Send this link. When somebody opens an account with it and their first payment is
          confirmed, both of you get {rewardText(terms)}. You can get it {figure(terms.perMonth)}{' '}
          times a month; {figure(brought.thisMonth)} so far. It does not count if somebody has
          signed in with their browser before, or if their number has paid before.
          {isEndless && ' Your plan has no end, so days add nothing to it.'}
        </p>
        <p className="my-3 flex flex-wrap items-center gap-2">
          <code className="min-w-0 select-all break-all rounded border border-line px-2 py-1 text-sm">
            {link}
          </code>
          <CopyButton text={link} label="Copy link" isLabelShown look="plain" />
        </p>
        <ul className="space-y-1 text-sm text-soft">
          {broughtTexts(brought).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
