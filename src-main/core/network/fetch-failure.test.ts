import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it, onTestFinished } from 'vitest'

import { DEFAULT_BUNDLE_LIMITS } from '../bundle/archive/bundle-error'
import { fetchBundle } from '../bundle/archive/fetch-bundle'
import { createTransfer } from '../catalog/registry/registry-transfer'
import { messageOf } from '../failure/describe-failure'
import { remoteFailure } from '../failure/remote-failure'
import { isLostMidway, isNeverReached, reasonOf } from './fetch-failure'
import { SystemNetwork } from './system-network'

const ADDRESS = 'https://a.example/x'

const failed = (code: string, message = 'inner'): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })

/** The messages of a registry, a bundle and a server whose request fails with this error. */
async function messagesOf(error: Error): Promise<readonly string[]> {
  const fetch: typeof globalThis.fetch = () => Promise.reject(error)
  const asked = await createTransfer(fetch)({ url: ADDRESS, timeLimitMs: 60_000, byteLimit: 1 })
  const [limits, signal] = [DEFAULT_BUNDLE_LIMITS, new AbortController().signal]
  const options = { limits, signal, onProgress: () => undefined, fetch }
  const bundle = await fetchBundle(ADDRESS, '/nowhere', options).then(() => '', messageOf)
  const server = remoteFailure(error, new URL(ADDRESS))?.message
  return ['message' in asked ? asked.message : '', bundle, server ?? '']
}

describe('F10: a connection whose peer disappeared silently', () => {
  it.each(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])(
    'is not retried if it existed before: %s',
    (code) => {
      const outcomes = ['connect', 'read', 'write'].map((syscall) => {
        const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
        return [isNeverReached(cause), isLostMidway(new TypeError('fetch failed', { cause }))]
      })
      expect(outcomes).toEqual([
        [true, false],
        [false, true],
        [false, true],
      ])
    },
  )
})

describe("E8: why an address can't be reached", () => {
  it.each([
    ['ENETDOWN', 'this computer is offline'],
    ['ENOTFOUND', 'the name is unknown (DNS)'],
    ['EAI_AGAIN', 'the name couldn’t be resolved'],
    ['ECONNREFUSED', 'the connection was refused'],
    ['UND_ERR_CONNECT_TIMEOUT', 'the connection timed out'],
    ['UND_ERR_SOCKET', 'the connection was closed'],
    ['CERT_HAS_EXPIRED', 'the certificate has expired'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS version'],
    ['PROXY_UNUSABLE', 'Settings > Network is invalid'],
  ])('has the same words for all callers: %s', async (code, words) => {
    const said = expect.stringContaining(words) as string
    expect(await messagesOf(failed(code))).toEqual([said, said, said])
  })

  it('distinguishes a proxy that asks for a password from one that blocks', async () => {
    const answers = { a: 407, b: 403 }
    const proxy = createServer().on('connect', ({ url = '' }, socket) => {
      const status = answers[url.startsWith('a') ? 'a' : 'b']
      socket.end(`HTTP/1.1 ${String(status)} No\r\n\r\n`)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const { port } = proxy.address() as AddressInfo
    const environment = { HTTPS_PROXY: `http://127.0.0.1:${String(port)}` }
    await using network = new SystemNetwork({ environment })
    const reported = ['https://a.invalid/', 'https://b.invalid/'].map((address) =>
      network.fetch(address).catch(reasonOf),
    )
    expect(await Promise.all(reported)).toEqual([
      'the proxy requires a password; enter it under Settings > Network',
      'the proxy blocked the request',
    ])
  })

  it('quotes an unknown system error', () => {
    expect(reasonOf(failed('EODD'))).toBe('the request failed (EODD)')
    expect(reasonOf(new TypeError('odd'))).toBe('the request failed (odd)')
    expect(reasonOf(failed('constructor'))).toBe('the request failed (constructor)')
  })
})
