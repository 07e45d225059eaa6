import { describe, expect, it } from 'vitest'

import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import { buildCommandPlan } from '../building/build-launch-plan'
import { argsWithName, argsWithNetwork } from './oci-runner'

const pkg: Package = {
  registryType: 'oci',
  identifier: 'owner/thing',
  version: '1.0.0',
  transport: { type: 'stdio' },
  runtimeArguments: [],
  packageArguments: [],
  environmentVariables: [],
}
const positional = (...values: string[]): Package['runtimeArguments'] =>
  values.map((value) => ({ type: 'positional', value }))

const PROXY = 'http://ann:pa55@proxy.packages.invalid:3128'
const NAMED = { HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY, NO_PROXY: 'localhost' }

function argv(parts: Partial<Package> = {}, env: Record<string, string> = NAMED): string[] {
  const plan = buildCommandPlan({ ...pkg, ...parts }, {}, new Map())
  return argsWithNetwork({ ...plan, args: argsWithName(plan, 'one') }, env).map(
    ({ value }) => value,
  )
}

describe("E8: a container's proxy", () => {
  it("is passed by variable name only, before the entry's options", () => {
    expect(argv({ runtimeArguments: positional('--network=own') })).toEqual([
      ...['run', '-i', '--rm'],
      ...['-e', 'HTTP_PROXY', '-e', 'http_proxy', '-e', 'HTTPS_PROXY', '-e', 'https_proxy'],
      ...['-e', 'NO_PROXY', '-e', 'no_proxy', '-e', 'NODE_USE_ENV_PROXY'],
      ...['--name', 'one', '--network=own', 'owner/thing:1.0.0'],
    ])
  })

  it('uses ALL_PROXY for SOCKS', () => {
    const socks = { ALL_PROXY: 'socks5://proxy.packages.invalid:1080', NO_PROXY: 'localhost' }
    expect(argv({}, socks).join(' ')).toContain(' -e ALL_PROXY ')
    expect(argv()).not.toContain('ALL_PROXY')
  })

  it('is also passed to a container that the entry names', () => {
    expect(argv({ runtimeArguments: positional('--name=own') })).toContain('HTTPS_PROXY')
  })

  it.each([
    [
      'a variable',
      { environmentVariables: [{ name: 'https_proxy', value: 'http://own.invalid' }] },
    ],
    ['an option', { runtimeArguments: positional('-e', 'HTTPS_PROXY=http://own.invalid') }],
    ['one word', { runtimeArguments: positional('--env=https_proxy=http://own.invalid') }],
  ] as [string, Partial<Package>][])('stays as the entry sets it, by %s', (_how, parts) => {
    const set = argv(parts).filter((value) => /https_proxy/iu.test(value))
    expect(set).toHaveLength(1)
    expect(argv(parts)).toContain('http_proxy')
  })

  it.each([
    ['no proxy', { NO_PROXY: 'localhost' }],
    ['a proxy on this computer, which a container can’t reach', { https_proxy: '127.0.0.1:3128' }],
    ['an unsupported proxy', { https_proxy: 'socks5://proxy.packages.invalid:1080' }],
  ])("isn't set if there is %s", (_what, env: Record<string, string>) => {
    expect(argv({}, env)).toEqual(['run', '-i', '--rm', '--name', 'one', 'owner/thing:1.0.0'])
  })

  it("isn't passed that way to other programs", () => {
    expect(argv({ registryType: 'npm', identifier: 'thing' })).toEqual(['-y', 'thing@1.0.0'])
  })
})
