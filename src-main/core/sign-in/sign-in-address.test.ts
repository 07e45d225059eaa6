import { describe, expect, it } from 'vitest'

import { mayAsk, mayOpen } from './sign-in-address'

describe('C10: addresses that a server names (CVE-2025-54074, CVE-2025-6514, CVE-2025-58444)', () => {
  it.each([
    ['https://account.example/authorize', true],
    ['http://127.0.0.1:8080/authorize', true],
    ['http://localhost/authorize', true],
    ['http://[::1]:1/authorize', true],
    ['http://account.example/authorize', false],
    ['http://127.0.0.1.account.example/', false],
    ['https://person:secret@account.example/', false],
    ['javascript:alert(1)', false],
    ['file:///etc/passwd', false],
    ['data:text/html,x', false],
  ])('opens %s in the browser: %s', (address, expected) => {
    expect(mayOpen(new URL(address))).toBe(expected)
  })

  it.each([
    ['https://account.example/token', 'https://server.example/mcp', true],
    ['http://account.example/token', 'https://server.example/mcp', false],
    ['http://127.0.0.1/token', 'https://server.example/mcp', false],
    ['https://127.0.0.1/token', 'https://server.example/mcp', false],
    ['http://127.0.0.1:9/token', 'http://127.0.0.1:8/mcp', true],
    ['http://intranet/.well-known/x', 'http://intranet/mcp', true],
    ['file:///etc/passwd', 'http://127.0.0.1:8/mcp', false],
    ['https://user:secret@account.example/token', 'https://account.example/mcp', false],
    ['https://user@account.example/token', 'https://account.example/mcp', false],
    ['https://:secret@account.example/token', 'https://account.example/mcp', false],
  ])('requests %s of %s: %s', (address, server, expected) => {
    expect(mayAsk(new URL(address), new URL(server))).toBe(expected)
  })
})
