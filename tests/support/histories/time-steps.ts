import fc from 'fast-check'
import { sweepNotifications } from '../../../app/domain/notifications/send-notification.server'
import { turnOff } from '../../../app/domain/notifications/own-notifications.server'
import { remindCustomers } from '../../../app/domain/notifications/reminders.server'
import { saveWebhook } from '../../../app/domain/notifications/webhook.server'
import { removeOld } from '../../../app/domain/retention/remove-old.server'
import { untilMidnight } from '../acts/world'
import { often, step, userAt, who } from './world'

/** What happens by itself: time, death, tidying, and receivers that are away. */
export const timeSteps = [
  step('kill', fc.integer({ min: 1, max: 200 }), async ({ engine }, boundaries) =>
    engine.worker().killSwitch.killAfter(boundaries),
  ),
  step('restart', fc.constant(null), ({ engine }) => engine.restart()),
  ...often(
    step(
      'time',
      fc.constantFrom(1_000, 20_000, 90_000, 600_000, 16 * 3_600_000),
      ({ engine }, ms) => engine.advance(ms),
    ),
  ),
  step('to midnight', fc.constantFrom(-1_000, 0, 1_000), async (world, beyond) =>
    world.engine.advance(Math.max(0, (await untilMidnight(world)) + beyond)),
  ),
  step('a week', fc.constant(null), ({ engine }) => engine.advance(7.1 * 24 * 3_600_000)),
  step('sweep', fc.constant(null), ({ engine }) => engine.sweep()),
  step('clean up', fc.constant(null), ({ engine }) => removeOld(engine.deps)),
  step('send what is late', fc.constant(null), ({ engine }) => sweepNotifications(engine.deps)),
  step('remind', fc.constant(null), ({ engine }) => remindCustomers(engine.deps)),
  step('the receiver answers', fc.constantFrom(204, 500, 410), ({ receiver }, status) =>
    Promise.resolve(receiver.answer(status)),
  ),
  step('listen', fc.tuple(who, fc.boolean()), (world, [index, eachClip]) =>
    saveWebhook(userAt(world, index), { url: world.receiver.url, eachClip }),
  ),
  step('listen no longer', who, (world, index) => turnOff(userAt(world, index), 'webhook')),
]
