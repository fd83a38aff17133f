import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { generate } from 'selfsigned'
import { freePort } from '../../../scripts/lib/postgres.mjs'
import { until } from '../../support/wait'

/** The host in the configurations of docs/operations. */
export const HOST = 'reels.example.com'
const WEBS = ['10.0.0.11:3000', '10.0.0.12:3000'] as const

type Place = {
  home: string
  ports: { http: number; https: number }
  /** Addresses of the two web servers. */
  webs: readonly string[]
  certificate: string
  key: string
}

type Maker = {
  /** The command for the program's version. */
  version: readonly [string, string]
  /** The file in docs/operations. */
  example: string
  /** Strings of the example and their replacements here: ports, addresses and certificates only. */
  changes: (place: Place) => [string, string][]
  /** Returns a complete configuration around an example that is only a part of one. */
  around?: (place: Place, example: string) => string
  args: (file: string) => string[]
}

const MAKERS = {
  nginx: {
    version: ['nginx', '-v'],
    example: 'nginx.conf',
    changes: ({ ports, certificate, key }) => [
      ['listen 80;', `listen 127.0.0.1:${ports.http};`],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${ports.https} ssl http2;`],
      ['/etc/ssl/reelmill/fullchain.pem', certificate],
      ['/etc/ssl/reelmill/privkey.pem', key],
    ],
    around: ({ home }, example) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 2;
pid ${home}/nginx.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${home}/${name};`).join('\n  ')}
${example}
}
`,
    args: (file) => ['-c', file, '-e', 'stderr'],
  },
  haproxy: {
    version: ['haproxy', '-v'],
    example: 'haproxy.cfg',
    changes: ({ ports, home }) => [
      ['bind :80\n', `bind 127.0.0.1:${ports.http}\n`],
      ['bind :443 ', `bind 127.0.0.1:${ports.https} `],
      ['/etc/haproxy/reelmill.pem', `${home}/both.pem`],
    ],
    args: (file) => ['-db', '-f', file],
  },
  caddy: {
    version: ['caddy', 'version'],
    example: 'Caddyfile',
    changes: ({ certificate, key }) => [
      [`${HOST} {\n`, `${HOST} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}\n`],
    ],
    around: ({ ports, home }, example) => `{
	http_port ${ports.http}
	https_port ${ports.https}
	admin off
	storage file_system ${home}
}
${example}`,
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
} as const satisfies Record<string, Maker>

export type ProxyName = keyof typeof MAKERS
export const PROXIES = Object.keys(MAKERS) as ProxyName[]

const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` }

/** Returns the version of a program; undefined if it is not installed. */
export function versionOf(name: ProxyName): string | undefined {
  const [program, argument] = MAKERS[name].version
  try {
    // nginx prints its version to stderr.
    const both = execFileSync('sh', ['-c', `${program} ${argument} 2>&1`], { env })
    return both.toString().split('\n')[0]
  } catch {
    return undefined
  }
}

export type RunningProxy = { origin: string; ca: string; stop: () => Promise<void> }

type Options = {
  home: string
  /** Addresses of the two web servers. */
  webs: readonly string[]
  https: number
}

/** Starts a proxy with the configuration in docs/operations. */
export async function startProxyProgram(
  name: ProxyName,
  { home, webs, https }: Options,
): Promise<RunningProxy> {
  const maker: Maker = MAKERS[name]
  const files = await makeCertificate(home)
  const place: Place = { ...files, home, webs, ports: { http: await freePort(), https } }
  const file = path.join(home, maker.example)
  await fs.writeFile(file, await configuration(maker, place))
  const child = spawn(maker.version[0], maker.args(file), {
    env: { ...env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (printed += text.toString()))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const gone = ended.then(() => Promise.reject(new Error(`${name} ended:\n${printed}`)))
  await Promise.race([until(`${name} to listen`, () => listens(https), 20_000), gone])
  return {
    origin: `https://${HOST}:${https}`,
    ca: await fs.readFile(files.certificate, 'utf8'),
    stop: async () => {
      gone.catch(() => undefined)
      child.kill('SIGTERM')
      await ended
      await fs.writeFile(path.join(home, `${name}.log`), printed)
    },
  }
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    const told = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => told(true)).once('error', () => told(false))
  })

/**
 * Returns the example with the replacements of this machine. Throws if it does not contain a string
 * to be replaced.
 */
async function configuration(maker: Maker, place: Place): Promise<string> {
  let example = await fs.readFile(path.join('docs/operations', maker.example), 'utf8')
  const addresses = WEBS.map((web, i): [string, string] => [web, new URL(place.webs[i]!).host])
  for (const [words, here] of [...addresses, ...maker.changes(place)]) {
    if (!example.includes(words)) throw new Error(`${maker.example} does not say ${words}`)
    example = example.replaceAll(words, here)
  }
  return maker.around?.(place, example) ?? example
}

async function makeCertificate(home: string) {
  const pems = await generate([{ name: 'commonName', value: HOST }], {
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: HOST }] },
    ],
  })
  const [certificate, key] = [path.join(home, 'fullchain.pem'), path.join(home, 'privkey.pem')]
  await fs.writeFile(certificate, pems.cert)
  await fs.writeFile(key, pems.private)
  await fs.writeFile(path.join(home, 'both.pem'), `${pems.cert}\n${pems.private}`)
  return { certificate, key }
}
