import { describe, expect, it } from 'vitest'

import {
  HttpStatusError,
  isOtherTransport,
  isSessionExpired,
  NotMcpError,
  remoteFailure,
} from './remote-failure'

const URL_OF_IT = new URL('https://example.com/mcp')

const http = (status: number, text = '') => new HttpStatusError(status, text)

const fetchFailed = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('inner'), { code }) })

describe('C10: why a remote server fails', () => {
  it.each([
    ['ENOTFOUND', 'REMOTE_UNREACHABLE', 'the name is unknown'],
    ['ECONNREFUSED', 'REMOTE_UNREACHABLE', 'the connection was refused'],
    ['ENETUNREACH', 'REMOTE_UNREACHABLE', 'offline'],
    ['UND_ERR_SOCKET', 'REMOTE_UNREACHABLE', 'was closed'],
    ['CERT_HAS_EXPIRED', 'REMOTE_UNTRUSTED', 'has expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'REMOTE_UNTRUSTED', 'another name'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'REMOTE_UNTRUSTED', 'TLS'],
  ])('recognizes %s in the error of fetch', (system, code, words) => {
    const failure = remoteFailure(fetchFailed(system), URL_OF_IT)
    expect(failure?.code).toBe(code)
    expect(failure?.message).toContain(words)
    expect(failure?.message).toContain('example.com')
  })

  it.each([
    [401, 'SIGN_IN_NEEDED'],
    [403, 'REMOTE_REFUSED'],
    [404, 'REMOTE_REFUSED'],
    [302, 'REMOTE_REFUSED'],
    [429, 'REMOTE_FAILED'],
    [500, 'REMOTE_FAILED'],
    [503, 'REMOTE_FAILED'],
  ])('names the status %i', (status, code) => {
    expect(remoteFailure(http(status), URL_OF_IT)?.code).toBe(code)
  })

  it("quotes the server's text, cleaned and cut", () => {
    const { message = '' } =
      remoteFailure(http(403, `no\u001b[31m\u202e${'x'.repeat(5_000)}`), URL_OF_IT) ?? {}
    expect(message).toContain('Server message: no')
    expect(['\u001b', '\u202e'].filter((one) => message.includes(one))).toEqual([])
    expect(message.length).toBeLessThan(500)
  })

  it.each([
    ['{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"Bad shop."}}', 'Bad shop.'],
    ['{"error":"invalid_shop","message":""}', 'invalid_shop'],
    ['{"detail":"No such shop"}', 'No such shop'],
    ['{"a":1}', '{"a":1}'],
  ])('quotes the message of a JSON error: %s', (text, words) => {
    const { message } = remoteFailure(http(400, text), URL_OF_IT) ?? {}
    expect(message).toBe(`${URL_OF_IT.host} rejected the request (400). Server message: ${words}`)
  })

  it('quotes no markup', () => {
    const { message } =
      remoteFailure(http(400, ' <Error><Code>Denied</Code></Error>'), URL_OF_IT) ?? {}
    expect(message).toBe(`${URL_OF_IT.host} rejected the request (400).`)
  })

  it.each([
    [403, '<html><title>Access denied by Acme WAF</title>', ': Access denied by Acme WAF'],
    [502, '<html>Bad gateway</html>', ''],
    [404, '<!doctype html><title>Not here</title>', ': Not here'],
  ])("names a web page by its title and doesn't mention keys: %i %s", (status, text, title) => {
    const { message, hint } = remoteFailure(http(status, text), URL_OF_IT) ?? {}
    expect(message).toBe(`${URL_OF_IT.host} answered with a web page (${status})${title}`)
    expect(hint).not.toContain('key')
  })

  it.each([
    [403, '', { isBotCheck: true }],
    [503, '<html><title>Just a moment...</title>', {}],
    [429, '<html><title>Attention Required! | Cloudflare</title>', {}],
  ])('names a bot check, which is retried: %i %s', (status, text, headers) => {
    const error = new HttpStatusError(status, text, headers)
    expect(remoteFailure(error, URL_OF_IT)).toMatchObject({
      code: 'REMOTE_FAILED',
      message: `A Cloudflare bot check blocks ${URL_OF_IT.host} (${status}).`,
      hint: expect.stringContaining('operator') as string,
    })
  })

  it('names the wait that a busy server requests', () => {
    const busy = new HttpStatusError(429, '{"error":"rate_limited"}', { waitMs: 39_500 })
    expect(remoteFailure(busy, URL_OF_IT)?.hint).toContain('Try again in 40 s.')
    expect(remoteFailure(http(429), URL_OF_IT)?.hint).toContain('Wait, then try again.')
  })

  it.each([
    ['https://login.acme.example/?next=%2Fmcp', 'leads to a sign-in page at login.acme.example'],
    ['https://acme.example/mcp/v2?key=secret', 'redirects to another address'],
  ])("names a redirect's target without its query: %s", (location, words) => {
    const error = new HttpStatusError(302, '', { location: new URL(location) })
    const { message = '', hint = '' } = remoteFailure(error, URL_OF_IT) ?? {}
    expect(message).toContain(words)
    expect(message).toContain(new URL(location).host)
    expect(message + hint).not.toContain('?')
  })

  it("ignores errors that aren't about the connection", () => {
    expect(remoteFailure(new Error('other'), URL_OF_IT)).toBeUndefined()
    expect(remoteFailure('text', URL_OF_IT)).toBeUndefined()
  })

  it('ends for circular causes', () => {
    const first = new Error('first')
    first.cause = new Error('second', { cause: first })
    expect(remoteFailure(first, URL_OF_IT)).toBeUndefined()
  })

  it('recognizes a server of the other transport', () => {
    const content = new NotMcpError('text/html')
    expect([http(405), http(404), content].map(isOtherTransport)).toEqual([true, true, true])
    expect([http(401), http(500), new Error('x')].map(isOtherTransport)).toEqual([
      false,
      false,
      false,
    ])
  })

  it.each([
    [404, '', true],
    [400, 'Bad Request: No valid session ID provided', true],
    [400, '{"error":{"message":"Session not found"},"id":null}', true],
    [410, 'Session expired', true],
    [500, 'Unknown session', true],
    [401, '{"error":"Mcp-Session-Id not found"}', true],
    [403, 'sessionId is unknown', true],
    [412, 'No such session_id', true],
    [421, 'Session is gone. Initialize again.', true],
    [440, 'SessionNotFound', true],
    [401, 'Your session has expired. Sign in again.', false],
    [400, 'Session token invalid', false],
    [400, 'Missing argument path', false],
    [500, 'Internal error', false],
    [403, 'Session cookie required', false],
  ])('recognizes a forgotten session by %i with "%s": %s', (status, text, isLost) => {
    expect(isSessionExpired(http(status, text))).toBe(isLost)
  })
})
