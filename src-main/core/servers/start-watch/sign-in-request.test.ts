import { describe, expect, it } from 'vitest'

import { SignInReader, type SignInRequest } from './sign-in-request'

function requestIn(...lines: string[]): SignInRequest | undefined {
  const reader = new SignInReader()
  for (const line of lines) reader.add(line)
  return reader.isDone ? undefined : reader.request
}

const DEVICE = 'https://login.example.test/device'

describe('F14: a sign-in request', () => {
  it.each<[string, string[], SignInRequest]>([
    [
      'an address below the words',
      [
        '[7] Authentication required. Initializing auth...',
        '[7] Please authorize this client by visiting:',
        '[7] https://a.example.test/authorize?client_id=abc&x=%2F',
        '[7] Browser opened automatically.',
      ],
      { url: 'https://a.example.test/authorize?client_id=abc&x=%2F' },
    ],
    [
      'an address and a code in one sentence',
      [
        `To sign in, use a web browser to open the page ${DEVICE} and enter the code HJ7K-22QP to authenticate.`,
      ],
      { url: DEVICE, code: 'HJ7K-22QP' },
    ],
    [
      'a code before the address',
      [
        '! First copy your one-time code: 1234-ABCD',
        `Open this URL to continue in your web browser: ${DEVICE}`,
      ],
      { url: DEVICE, code: '1234-ABCD' },
    ],
    [
      'a code alone in a later line',
      [
        'Open the following URL to authorize this request:',
        '',
        DEVICE,
        '',
        'Then enter the code:',
        '',
        'ABCD-EFGH',
      ],
      { url: DEVICE, code: 'ABCD-EFGH' },
    ],
    ['words before the address', [`Please log in at ${DEVICE}.`], { url: DEVICE }],
    [
      'an address of this computer',
      ['Open http://localhost:3334/oauth/start in your browser to sign in'],
      { url: 'http://localhost:3334/oauth/start' },
    ],
    [
      'a code without an address',
      ['Sign in on your phone and enter the code 482913'],
      { code: '482913' },
    ],
  ])('is read from %s', (_, lines, request) => {
    expect(requestIn(...lines)).toEqual(request)
  })

  it.each([
    ['documentation', 'For authentication see the docs at https://a.example.test/login'],
    [
      'where keys are found',
      'Error: API_KEY is required. Get your API key at https://a.example.test/login',
    ],
    [
      'an address that it serves',
      'Server running on http://localhost:8000/mcp (authentication: please configure)',
    ],
    ['an address that it uses', 'Authenticated with https://api.example.test'],
    ['an address without an action', 'Using https://auth.example.test as issuer'],
    ['an address elsewhere without encryption', 'Please sign in at http://a.example.test/login'],
    ['an exit code', 'Authentication failed with exit code 12345'],
  ])('is not read from %s', (_, line) => {
    expect(requestIn(line)).toBeUndefined()
  })

  it('ends when the program reports success, until the next request', () => {
    const reader = new SignInReader()
    reader.add(`Please sign in at ${DEVICE}`)
    reader.add('Auth code received')
    expect(reader.isDone).toBe(true)
    reader.add(`Session expired. Please sign in at ${DEVICE}/again`)
    expect([reader.isDone, reader.request?.url]).toEqual([false, `${DEVICE}/again`])
  })
})
