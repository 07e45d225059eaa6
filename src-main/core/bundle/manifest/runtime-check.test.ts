import { describe, expect, it } from 'vitest'

import { checkRuntime } from './manifest'

const check = (
  runtimes: Record<string, string>,
  command: string,
  version: string | undefined,
): Promise<string> =>
  checkRuntime({ compatibility: { runtimes } }, command, () => Promise.resolve(version)).then(
    () => 'fine',
    (error: unknown) => String(error),
  )

describe('A1: the runtime that a bundle requires', () => {
  it.each([
    [{ node: '>=18.0.0' }, 'node', '24.21.0'],
    [{ python: '>=3.10,<4' }, '/usr/bin/python3.12', '3.12.1'],
    [{ python: '>=3.10 <4' }, 'python', '3.10'],
    // Another program, an invalid range, and an unknown version.
    [{ python: '>=9' }, 'node', '24.0.0'],
    [{ node: 'the newest' }, 'node', '4.0.0'],
    [{ node: '>=99' }, 'node', undefined],
    [{ node: '>=99' }, '/bundle/server/node-server', '1.0.0'],
  ])('allows %j with %s %s', async (runtimes, command, version) => {
    expect(await check(runtimes, command, version)).toBe('fine')
  })

  it.each([
    [{ node: '>=20' }, 'node', '18.19.1', 'requires Node.js >=20, but node is 18.19.1'],
    [{ python: '>=3.12' }, 'python3', '3.9', 'requires Python >=3.12, but python3 is 3.9.0'],
    [{ node: '<22' }, 'node', '24.0.0', 'requires Node.js <22'],
  ])('rejects %j with %s %s', async (runtimes, command, version, words) => {
    expect(await check(runtimes, command, version)).toContain(words)
  })
})
