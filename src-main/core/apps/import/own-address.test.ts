import { expect, it } from 'vitest'

import { isOwnAddress } from './host-imports'

it.each<[string, string | undefined, boolean]>([
  ['http://127.0.0.1:4321/mcp', 'http://127.0.0.1:4321/mcp', true],
  ['http://localhost:4321/', 'http://127.0.0.1:4321/mcp', true],
  ['http://[::1]:4321/mcp', 'http://127.0.0.1:4321/mcp', true],
  ['http://127.0.0.1:4322/mcp', 'http://127.0.0.1:4321/mcp', false],
  ['http://a.example:4321/mcp', 'http://127.0.0.1:4321/mcp', false],
  ['an invalid address', 'http://127.0.0.1:4321/mcp', false],
  ['http://127.0.0.1:4321/mcp', undefined, false],
])('D6: %s leads to the gateway at %s: %s', (address, own, expected) => {
  expect(isOwnAddress(address, own)).toBe(expected)
})
