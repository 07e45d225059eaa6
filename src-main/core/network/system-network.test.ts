import { spawn } from 'node:child_process'
import type { lookup } from 'node:dns'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer as createSecureServer } from 'node:https'
import {
  type AddressInfo,
  connect,
  createServer as createSocketServer,
  type Socket,
} from 'node:net'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { builtProgram } from '../../../e2e/fixtures/built-program'
import { startLocalRegistry } from '../../../e2e/fixtures/local-registry'
import { type NameProxy, startNameProxy } from '../../../e2e/fixtures/name-proxy'
import { selfSigned } from '../../../e2e/fixtures/self-signed'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { fetchIcon } from '../catalog/icons/icon-cache'
import { leadsToPublic } from './public-address'
import { SystemNetwork, type SystemNetworkOptions } from './system-network'

const program = builtProgram('e2e/fixtures/fetch-once.ts')

/** Output of a process that fetches an address, one line per request. */
async function fetched(
  address: string,
  env: Readonly<Record<string, string>>,
  times = 1,
): Promise<string> {
  const child = spawn(process.execPath, [program.file, address, String(times)], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await once(child, 'close')
  return said.trim()
}

/** A SOCKS 5 proxy (RFC 1928) that connects every name to one port of this computer. */
async function startSocks(port: number): Promise<{ port: number; names: string[] }> {
  const names: string[] = []
  const open = new Set<Socket>()
  const server = createSocketServer((socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]))
      socket.once('data', (request: Buffer) => {
        names.push(request.subarray(5, 5 + (request[4] ?? 0)).toString())
        const upstream = connect(port, '127.0.0.1', () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
          upstream.pipe(socket).pipe(upstream)
        })
        upstream.on('error', () => socket.destroy())
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return { port: (server.address() as AddressInfo).port, names }
}

/** A proxy that runs until the test ends. */
async function startProxy(port: number): Promise<NameProxy> {
  const proxy = await startNameProxy(port)
  onTestFinished(proxy.close)
  return proxy
}

describe("D2: the system's network", () => {
  it("uses the environment's proxy, except for this computer and excluded hosts", async () => {
    const registry = await startLocalRegistry([])
    onTestFinished(registry.close)
    const proxy = await startProxy(Number(new URL(registry.url).port))
    const env = { HTTP_PROXY: proxy.url, NO_PROXY: 'direct.invalid' }
    expect(await fetched('http://registry.invalid/v0.1/servers', env)).toMatch(/^200 /)
    expect(proxy.names.join()).toContain('registry.invalid')
    const before = proxy.names.length
    expect(await fetched(`${registry.url}/v0.1/servers`, env)).toMatch(/^200 /)
    expect(await fetched('http://direct.invalid/', env)).toMatch(/^failed/)
    expect(proxy.names).toHaveLength(before)
  })

  it('uses a proxy without http:// in its name', async () => {
    const registry = await startLocalRegistry([])
    onTestFinished(registry.close)
    const proxy = await startProxy(Number(new URL(registry.url).port))
    const env = { http_proxy: new URL(proxy.url).host }
    expect(await fetched('http://registry.invalid/v0.1/servers', env)).toMatch(/^200 /)
    expect(proxy.names.join()).toContain('registry.invalid')
  })

  it.each(['socks5://127.0.0.1:9', 'http://', '127.0.0.1:port', 'http://a b'])(
    'never bypasses the unusable proxy %s, except for this computer',
    async (proxy) => {
      const registry = await startLocalRegistry([])
      onTestFinished(registry.close)
      const env = { HTTP_PROXY: proxy }
      const address = registry.url.replace('127.0.0.1', '127.0.0.2')
      const answers = await fetched(address, env, 3)
      expect(answers.split('\n')).toEqual(
        Array.from({ length: 3 }, () => expect.stringMatching(/^failed: UnusableProxy/) as string),
      )
      expect(await fetched(`${registry.url}/v0.1/servers`, env)).toMatch(/^200 /)
    },
  )

  it.skipIf(process.platform !== 'linux').each([
    // The path of the system's own list in OpenSSL.
    ['the system trusts', 'SSL_CERT_FILE'],
    ['are named to Node', 'NODE_EXTRA_CA_CERTS'],
  ])('trusts the certificates that %s, and no others', async (_title, variable) => {
    const { key, cert } = selfSigned()
    const server = createSecureServer({ key, cert }, (_, response) => response.end('safe'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const file = join(tempFolder('certificates'), 'system.pem')
    writeFileSync(file, cert)
    expect(await fetched(address, { [variable]: file })).toBe('200 safe')
    expect(await fetched(address, {})).toMatch(/^failed/)
  })
})

describe("D2: the desktop's proxies", () => {
  /** The requests to a proxy, and their results, if the desktop names this. */
  async function ask(
    answer: (proxy: string) => string,
    more: SystemNetworkOptions & { readonly address?: string } = {},
  ): Promise<{ outcome: string; names: readonly string[] }> {
    const registry = await startLocalRegistry([])
    onTestFinished(registry.close)
    const proxy = await startProxy(Number(new URL(registry.url).port))
    const { address = 'http://registry.invalid/v0.1/servers', ...options } = more
    const network = new SystemNetwork({
      environment: {},
      resolveProxy: () => Promise.resolve(answer(new URL(proxy.url).host)),
      ...options,
    })
    onTestFinished(() => network[Symbol.asyncDispose]())
    const outcome = await network.fetch(address === '' ? registry.url : address).then(
      async (response) => `${response.status} ${(await response.text()).slice(0, 10)}`,
      (error: unknown) => String(error),
    )
    return { outcome, names: proxy.names }
  }

  it('are used if the environment names none', async () => {
    const { outcome, names } = await ask((proxy) => `PROXY ${proxy}`)
    expect(outcome).toBe('200 {"servers"')
    expect(names).toEqual(['registry.invalid:80'])
  })

  it('are tried in order, skipping unusable ones', async () => {
    const { outcome, names } = await ask(
      (proxy) => `SOCKS 127.0.0.1:9; PROXY 127.0.0.1:9; PROXY ${proxy}; DIRECT`,
    )
    expect(outcome).toBe('200 {"servers"')
    expect(names).toEqual(['registry.invalid:80'])
  })

  it('may speak SOCKS 5 and resolve names', async () => {
    const registry = await startLocalRegistry([])
    onTestFinished(registry.close)
    const socks = await startSocks(Number(new URL(registry.url).port))
    const { outcome } = await ask(() => `SOCKS5 127.0.0.1:${socks.port}`)
    expect(outcome).toBe('200 {"servers"')
    expect(socks.names).toEqual(['registry.invalid'])
  })

  it('are looked up for each address, and skipped for direct routes and this computer', async () => {
    const asked: string[] = []
    const resolveProxy = (address: string): Promise<string> => {
      asked.push(address)
      return Promise.resolve('DIRECT')
    }
    const address = 'http://direct.invalid/a?b'
    expect((await ask(String, { resolveProxy, address })).outcome).toMatch(/^TypeError/)
    expect((await ask((proxy) => `PROXY ${proxy}`, { address: '' })).names).toEqual([])
    expect(asked).toEqual([address])
  })

  it('are not looked up if the environment names one', async () => {
    const environment = { HTTP_PROXY: 'http://127.0.0.1:9' }
    const { outcome, names } = await ask((proxy) => `PROXY ${proxy}`, { environment })
    expect(outcome).toMatch(/^TypeError/)
    expect(names).toEqual([])
  })

  it('are never bypassed if none is usable', async () => {
    const { outcome } = await ask(() => 'SOCKS 127.0.0.1:9', { address: 'http://127.0.0.2:9' })
    expect(outcome).toMatch(/^UnusableProxy/)
  })
})

describe('E8: the manual proxy', () => {
  it('replaces those of environment and desktop, except for this computer and excluded hosts', async () => {
    const registry = await startLocalRegistry([])
    onTestFinished(registry.close)
    const port = Number(new URL(registry.url).port)
    const [named, other] = [await startProxy(port), await startProxy(port)]
    const proxy = { kind: 'named', address: named.url } as const
    const rule = { proxy, withoutProxy: 'intra.invalid', certificates: [] }
    const network = new SystemNetwork({
      environment: { HTTP_PROXY: other.url },
      resolveProxy: () => Promise.resolve(`PROXY ${new URL(other.url).host}`),
      rule: () => Promise.resolve(rule),
    })
    onTestFinished(() => network[Symbol.asyncDispose]())
    for (const host of ['registry.invalid', `127.0.0.1:${port}`, `localhost:${port}`])
      expect((await network.fetch(`http://${host}/v0.1/servers`)).status).toBe(200)
    await expect(network.fetch('http://a.intra.invalid/')).rejects.toThrow()
    expect([named.names, other.names]).toEqual([['registry.invalid:80'], []])
  })
})

describe('D2: hosts named by others', () => {
  it('are connected to at the checked address, even if the name changes meanwhile', async () => {
    const { key, cert } = selfSigned()
    const server = createSecureServer({ key, cert }, (_, response) => response.end('private'))
    let connections = 0
    server.on('connection', () => (connections += 1))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    const answers = ['93.184.215.14', '127.0.0.1']
    let asked = 0
    const next = (): string => {
      asked += 1
      return answers[asked - 1] ?? '127.0.0.1'
    }
    const network = new SystemNetwork({
      environment: {},
      lookUp: ((_name: string, _options: object, callback: LookedUp) => {
        callback(null, [{ address: next(), family: 4 }])
      }) as typeof lookup,
    })
    onTestFinished(() => network[Symbol.asyncDispose]())
    const port = (server.address() as AddressInfo).port
    const address = `https://icons.example.com:${port}/a.png`
    const mayFetch = (url: URL): Promise<boolean> =>
      leadsToPublic(url, () => Promise.resolve([next()]))
    expect(await fetchIcon(address, { fetch: network.publicFetch, mayFetch })).toBeUndefined()
    expect([asked, connections]).toEqual([2, 0])
    // The same name connects without the check.
    await expect(network.fetch(`https://localhost:${port}/`)).rejects.toThrow()
    expect(connections).toBeGreaterThan(0)
  })
})

type LookedUp = (error: null, numbers: { address: string; family: number }[]) => void

describe("E8: the system's certificates", () => {
  it.each<[string, () => Promise<readonly string[]>]>([
    ['fails', () => Promise.reject(new Error('no store'))],
    [
      'throws',
      () => {
        throw new Error('no worker')
      },
    ],
  ])('block no request if reading them %s, and are read once', async (_what, read) => {
    let reads = 0
    const certificates = (): Promise<readonly string[]> => {
      reads += 1
      return read()
    }
    await using network = new SystemNetwork({ environment: {}, certificates })
    const { url, close } = await startLocalRegistry([])
    onTestFinished(close)
    const asked = await Promise.all([1, 2].map(() => network.fetch(`${url}/v0.1/servers`)))
    expect(asked.map(({ ok }) => ok)).toEqual([true, true])
    expect(reads).toBe(1)
  })
})
