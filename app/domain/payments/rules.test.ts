import { expect, test } from 'vitest'
import { days } from '~/lib/time'
import { REFUND_TERMS } from '../plans/refunds'
import { refundDue } from './rules'

test('A-PAY: the refund policy gives back its share until its days are over, and then nothing', () => {
  const payment = {
    plan: 'Business',
    amount: 1_501,
    receivedAt: '2027-03-01T10:00:00.000Z',
  } as const
  const share = REFUND_TERMS.Business.share!
  const end = Date.parse(payment.receivedAt) + days(share.days)
  const until = new Date(end).toISOString()
  const amount = Math.floor((payment.amount * share.percent) / 100)
  expect(refundDue(payment, new Date(end))).toEqual({ amount, until })
  expect(refundDue(payment, new Date(end + 1))).toEqual({ amount: 0, until })
})
