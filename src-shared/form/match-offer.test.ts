import { describe, expect, it } from 'vitest'

import type { Package, Remote, ServerJson } from '../domain/server-json/server-json'
import { matchOffer } from './match-offer'

const pkg = (registryType: string, identifier: string): Package => ({
  registryType,
  identifier,
  transport: { type: 'stdio' },
  runtimeArguments: [],
  packageArguments: [],
  environmentVariables: [],
})
const remote = (type: Remote['type'], url: string): Remote => ({ type, url, headers: [] })
const server = (packages: Package[], remotes: Remote[] = []): ServerJson => ({
  name: 'a/b',
  description: '',
  version: '2',
  packages,
  remotes,
})

describe('the offer of another version that replaces the current one', () => {
  it('is the same package at any index, else the first of its type, never another type', () => {
    const present = { kind: 'package', pkg: pkg('npm', 'x') } as const
    const other = pkg('pypi', 'x')
    expect(matchOffer(present, server([other, pkg('npm', 'y'), pkg('npm', 'x')]))).toEqual({
      kind: 'package',
      index: 2,
    })
    expect(matchOffer(present, server([other, pkg('npm', 'y')]))?.index).toBe(1)
    expect(matchOffer(present, server([other], [remote('sse', 'https://a.example')]))).toBe(
      undefined,
    )
  })

  it('is the same address, else one of the same host', () => {
    const present = { kind: 'remote', remote: remote('sse', 'https://{t}.a.example/sse') } as const
    const same = remote('sse', 'https://{t}.a.example/sse')
    const host = remote('streamable-http', 'https://{t}.a.example/mcp')
    const far = remote('sse', 'https://b.example/sse')
    expect(matchOffer(present, server([], [far, host, same]))?.index).toBe(2)
    expect(matchOffer(present, server([], [far, host]))?.index).toBe(1)
    expect(matchOffer(present, server([], []))).toBeUndefined()
  })
})
