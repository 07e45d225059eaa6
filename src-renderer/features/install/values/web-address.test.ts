import { expect, it } from 'vitest'

import { isWebAddress } from '../editing/install-subject'

it.each(['https://acme.example/mcp', 'http://localhost:8790/mcp/'])('fills in %s', (address) => {
  expect(isWebAddress(address)).toBe(true)
})

it.each([
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https://name:key@acme.example/mcp',
  'https://acme.example/mcp?key=1',
  'https://acme.example/mcp#key',
  'no address',
  `https://acme.example/${'a'.repeat(3_000)}`,
])('fills in nothing for %s', (address) => {
  expect(isWebAddress(address)).toBe(false)
})
