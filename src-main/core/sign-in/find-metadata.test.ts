import { beforeEach, describe, expect, it } from 'vitest'

import { serveHttp } from '../../../e2e/fixtures/loopback'
import { findMetadata, hasNone } from './find-metadata'
import { signInFetch } from './sign-in-fetch'

const ROUNDS = 20
const NOT_FOLLOWED = '302, a redirect to another origin or one too many, which is not followed'

let requests: string[]
beforeEach(() => (requests = []))

const read = (document: unknown) => ({ metadata: document })

/** Searches metadata where each address redirects as listed, and any other address has some. */
function findBehind(redirects: Record<string, string>, from: string) {
  return findMetadata([new URL(from)], read, (address) => {
    const at = String(address)
    const location = redirects[at]
    requests.push(at)
    if (requests.length > ROUNDS) throw new Error('The redirects are followed forever.')
    const response = location === undefined ? Response.json({ at }) : undefined
    return Promise.resolve(response ?? new Response(null, { status: 302, headers: { location } }))
  })
}

describe('C10: redirects of sign-in metadata', () => {
  it.each([
    ['https://a.example/x', '/moved', 'https://a.example/moved'],
    ['http://a.example:8080/x', '/moved', 'http://a.example:8080/moved'],
    ['http://a.example/x', 'https://a.example/x', 'https://a.example/x'],
  ])('are followed from %s to %s', async (from, location, to) => {
    const { metadata } = await findBehind({ [from]: location }, from)
    expect(metadata).toEqual({ at: to })
  })

  it.each([
    ['https://a.example/x', 'https://b.example/x'],
    ['https://a.example/x', 'http://a.example/x'],
    ['http://a.example/x', 'https://sub.a.example/x'],
    ['http://a.example:8080/x', 'https://a.example/x'],
    ['http://a.example/x', 'https://a.example:8443/x'],
    ['https://a.example/x', 'file:///etc/passwd'],
  ])('are not followed from %s to %s', async (from, location) => {
    const { attempts } = await findBehind({ [from]: location }, from)
    expect(attempts).toMatchObject([{ problem: NOT_FOLLOWED }])
    expect({ requests, hasNone: hasNone(attempts) }).toEqual({ requests: [from], hasNone: false })
  })

  it('end after five', async () => {
    const from = 'https://a.example/x'
    const { attempts } = await findBehind({ [from]: from }, from)
    expect(attempts).toMatchObject([{ problem: NOT_FOLLOWED }])
    expect(requests).toHaveLength(6)
  })
})

describe('F4: metadata addresses that are not reached', () => {
  it('count once for each host, and keep no other from being tried', async () => {
    await using open = await serveHttp((_request, response) => response.end('{"here":true}'))
    const closed = await serveHttp()
    await closed[Symbol.asyncDispose]()
    const fetchFn = signInFetch(new URL('/mcp', closed.address), (input, init) => {
      requests.push(input instanceof Request ? input.url : String(input))
      return fetch(input, init)
    })
    const silent = [1, 2, 3].map((one) => new URL(`/${one}`, closed.address))
    const { metadata, attempts } = await findMetadata(
      [...silent, new URL(open.address)],
      read,
      fetchFn,
    )
    expect(metadata).toEqual({ here: true })
    expect(attempts).toMatchObject([{ address: silent[0] }])
    expect(requests).toEqual([`${closed.address}/1`, `${open.address}/`])
    // One of them might have metadata, so the search can't end with "none".
    await expect(findMetadata(silent, read, fetchFn)).rejects.toMatchObject({
      cause: { code: 'REMOTE_UNREACHABLE' },
    })
  })
})
