import { afterAll, beforeAll } from 'vitest'
import { messagesTo } from '../../support/acts/messages'
import { testPairs } from '../../support/acts/pairs'
import { startReceiver } from '../../support/alarm-receivers'

let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())

testPairs(
  'a message',
  messagesTo(() => receiver),
  {
    oneOfTraits: 2,
    oneOfActs: 15,
    env: () => ({ USER_WEBHOOKS: 'on', USER_WEBHOOK_HOSTS: receiver.host }),
  },
)
