import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type LoopbackServer, serveHttp } from '../../../e2e/fixtures/loopback'
import { signInFetch } from './sign-in-fetch'

let provider: LoopbackServer
let requests: string[]
beforeEach(async () => {
  requests = []
  provider = await serveHttp(({ url = '' }, response) => {
    requests.push(url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
})
afterEach(() => provider[Symbol.asyncDispose]())

const requestTokens = (server: string, address: string): Promise<Response> => {
  const body = new URLSearchParams({ code: 'secret' })
  return signInFetch(new URL(server), fetch)(address, { method: 'POST', body })
}
const withPassword = (address: string): string => address.replace('//', '//user:hunter2@')

describe('C10: the requests of a sign-in', () => {
  it.each<[string, string, (own: string) => string]>([
    ['this computer for a server elsewhere', 'https://server.example/mcp', (own) => own],
    ['an address with a password', 'http://127.0.0.1/mcp', withPassword],
    ['an address without https', 'https://server.example/mcp', () => 'http://provider.invalid'],
    ['a file', 'http://127.0.0.1/mcp', () => 'file:///etc/passwd'],
  ])('never go to %s', async (_what, server, addressOf) => {
    const sent = requestTokens(server, `${addressOf(provider.address)}/token`)
    // The SDK would take any other error for missing metadata.
    await expect(sent).rejects.toMatchObject({
      name: 'TypeError',
      cause: {
        code: 'SIGN_IN_FAILED',
        message: expect.stringContaining('isn’t allowed') as string,
      },
    })
    await expect(sent).rejects.not.toThrow('hunter2')
    expect(requests).toEqual([])
  })

  it('follow no redirect with a code', async () => {
    const { status } = await requestTokens(`${provider.address}/mcp`, `${provider.address}/token`)
    expect({ status, requests }).toEqual({ status: 307, requests: ['/token'] })
  })

  it('name a provider that is not reached', async () => {
    const { address } = provider
    await provider[Symbol.asyncDispose]()
    await expect(requestTokens(`${address}/mcp`, `${address}/token`)).rejects.toMatchObject({
      name: 'TypeError',
      cause: { code: 'REMOTE_UNREACHABLE' },
    })
  })
})
