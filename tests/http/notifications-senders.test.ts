import { once } from 'node:events'
import dgram from 'node:dgram'
import net, { type AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { MailUndelivered } from '../../app/platform/mail/port'
import { createMailSender } from '../../app/platform/mail/smtp.server'
import { createPushSender } from '../../app/platform/push/sender.server'
import { createWebhookSender } from '../../app/platform/webhooks/sender.server'
import { startMailServer, startReceiver } from '../support/alarm-receivers'
import { startPushService } from '../support/push-service'

// The senders of notifications and alarms, without the product around them.

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** Answers every question for an IPv4 address with the next of these, and the last one again. */
async function startNameServer(...answers: string[]) {
  const socket = dgram.createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (question, from) => {
    const end = question.indexOf(0, 12) + 5
    const type = question.readUInt16BE(end - 4)
    const address = answers[Math.min(asked.length, answers.length - 1)] ?? ''
    const isForFour = type === 1
    if (isForFour) asked.push(address)
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(isForFour ? 1 : 0, 6)
    head.writeUInt16BE(0, 8)
    head.writeUInt16BE(0, 10)
    const answer = Buffer.from([
      0xc0,
      12,
      0,
      1,
      0,
      1,
      0,
      0,
      0,
      0,
      0,
      4,
      ...address.split('.').map(Number),
    ])
    const reply = [head, question.subarray(12, end), ...(isForFour ? [answer] : [])]
    socket.send(Buffer.concat(reply), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  stops.push(async () => {
    socket.close()
    await once(socket, 'close')
  })
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

function openSender(config: Parameters<typeof createWebhookSender>[0]) {
  const sender = createWebhookSender(config)
  stops.push(() => sender.stop())
  return sender
}
const call = { id: 'an-id', secret: 'whsec_c2VjcmV0', body: '{}' }

describe('a webhook', () => {
  test('S22: a name that leads to a private address is refused when it is set and when it is called', async () => {
    const names = await startNameServer('10.0.0.1')
    const sender = openSender({ trustedHosts: [], nameServers: [names.address] })
    const address = 'https://inside.example/x'
    const words = 'inside.example leads to a private address'
    expect(await sender.problemOfAddress(address)).toBe(words)
    expect(await sender.post({ ...call, address })).toEqual({ problem: words })
  })

  test('S22: a name that was public when it was set, and is private when it is called, is not called', async () => {
    const receiver = await startReceiver()
    stops.push(receiver.stop)
    const names = await startNameServer('93.184.216.34', '127.0.0.1')
    const sender = openSender({ trustedHosts: [], nameServers: [names.address] })
    const address = `https://rebinds.example:${new URL(receiver.url).port}/x`
    expect(await sender.problemOfAddress(address)).toBeNull()
    const problem = `${new URL(address).host} leads to a private address`
    expect(await sender.post({ ...call, address })).toEqual({ problem })
    expect([names.asked, receiver.received]).toEqual([['93.184.216.34', '127.0.0.1'], []])
  })

  test('S22: a trusted host is trusted at its own port only', async () => {
    const names = await startNameServer('127.0.0.1')
    const sender = openSender({
      trustedHosts: ['hooks.example:8080'],
      nameServers: [names.address],
    })
    expect(await sender.problemOfAddress('http://hooks.example:8080/x')).toBeNull()
    for (const other of ['https://hooks.example/x', 'https://hooks.example:8443/x'])
      expect(await sender.post({ ...call, address: other })).toMatchObject({
        problem: expect.stringContaining('private address') as string,
      })
    expect(await sender.problemOfAddress('http://hooks.example:9090/x')).toContain(
      'does not begin with https://',
    )
  })

  test('a name that nobody knows is named', async () => {
    const sender = openSender({ trustedHosts: [], nameServers: ['127.0.0.1:9'] })
    expect(await sender.problemOfAddress('https://nobody.example/x')).toBe(
      'nobody.example was not found',
    )
  })
})

test('S22: a push service whose name leads to a private address is refused when it is asked and when it is called', async () => {
  const names = await startNameServer('10.0.0.1')
  const contact = 'mailto:films@home.example'
  const sender = createPushSender({ contact, trustedHosts: [], nameServers: [names.address] })
  stops.push(() => sender.stop())
  const service = await startPushService()
  stops.push(service.stop)
  const { subscription } = service.newBrowser()
  const device = { ...subscription, endpoint: 'https://inside.example/x' }
  const problem = 'inside.example leads to a private address'
  expect(await sender.problemOf(device)).toBe(problem)
  const message = { text: '{}', topic: 'a', keys: sender.newKeys() }
  expect(await sender.send(device, message)).toEqual({ problem })
})

describe('a mail', () => {
  test('U-NOTIFY-6: has one recipient and headers of one line, whatever is in them', async () => {
    const server = await startMailServer()
    stops.push(server.stop)
    const from = 'films@home.example'
    const sender = createMailSender({ url: server.url, from, fromName: 'Films\r\nX-Name: 1' })
    await sender
      .send({
        to: 'anna@home.example, eve@home.example',
        subject: 'Batch “A\r\nBcc: eve@home.example\r\n\r\nBody”',
        text: 'One line\r\n.\r\nRCPT TO:<eve@home.example>',
        id: 'an-id',
      })
      .catch(() => undefined)
    await sender.send({
      to: 'anna@home.example',
      subject: 'A\r\nBcc: eve@home.example\u2028\u0000B',
      text: 'Hello',
      id: 'an-id',
    })
    const heads = server.mails.map((mail) => mail.split('\r\n\r\n')[0] ?? '')
    expect(heads.at(-1)).toContain('Message-ID: <an-id@home.example>')
    for (const head of heads) {
      expect(head).not.toMatch(/^(Bcc|X-Name):/im)
      expect(head.match(/^To:/gim)).toHaveLength(1)
    }
  })

  test('U-NOTIFY-6: a mailbox that does not exist is final; a server that is away is not', async () => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (line) => {
        socket.write(line.toString().startsWith('RCPT') ? '550 no such user\r\n' : '250 ok\r\n')
      })
      socket.write('220 ready\r\n')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const problemAt = (url: string) =>
      createMailSender({ url, from: 'films@home.example', fromName: 'Films' })
        .send({ to: 'nobody@home.example', subject: 'A', text: 'B' })
        .catch((error: unknown) => error as MailUndelivered)
    const refused = await problemAt(`smtp://127.0.0.1:${port}`)
    expect(refused).toBeInstanceOf(MailUndelivered)
    expect(refused).toMatchObject({ isFinal: true })
    server.close()
    await once(server, 'close')
    expect(await problemAt(`smtp://127.0.0.1:${port}`)).toMatchObject({ isFinal: false })
  })
})
