import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import net, { type AddressInfo } from 'node:net'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }

/** 0 never answers. */
type Answer = { status: number; body: string; headers: Record<string, string> }

/** Starts an HTTP server on 127.0.0.1 that keeps what is posted to it. `answer` sets its response. */
export async function startReceiver() {
  const received: Received[] = []
  let answer: Answer = { status: 204, body: '', headers: {} }
  let held = Promise.resolve()
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      received.push({ path: req.url ?? '', headers: req.headers, body })
      const { status, body: said, headers } = answer
      if (status === 0) return
      void held.then(() =>
        res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(said),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const textOf = ({ body }: Received) => (JSON.parse(body) as { text: string }).text
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/alarms`,
    received,
    /** The texts of the messages, without product and link. */
    texts: () => received.map((one) => textOf(one).split('\n').slice(0, -1).join('\n').slice(10)),
    answer: (status: number, body = '', headers: Record<string, string> = {}) =>
      void (answer = { status, body, headers }),
    /** Lets what comes wait for its answer until the function is called that is returned. */
    hold: () => {
      let release: () => void = () => undefined
      held = new Promise((resolve) => (release = resolve))
      return release
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Starts a mail server that accepts everything and keeps the messages. */
export async function startMailServer() {
  const mails: string[] = []
  const server = net.createServer((socket) => {
    let waiting = ''
    let isData = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      waiting += chunk.toString()
      const end = isData ? '\r\n.\r\n' : '\r\n'
      for (let at = waiting.indexOf(end); at >= 0; at = waiting.indexOf(end)) {
        const part = waiting.slice(0, at)
        waiting = waiting.slice(at + end.length)
        if (isData) {
          mails.push(part)
          isData = false
          say('250 kept')
          return
        }
        const command = part.slice(0, 4).toUpperCase()
        isData = command === 'DATA'
        say(isData ? '354 go on' : command === 'QUIT' ? '221 bye' : '250 ok')
        if (isData) return
      }
    })
    say('220 ready')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    stop: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}
