import { describe, expect, it } from 'vitest'

import { plan, read } from '../../../../e2e/fixtures/read-bundle'

const FOLDER = '/profile/bundles/abc'
const SYNC = ['sync', '--inexact', '--directory', FOLDER]
const PROJECT = [`${FOLDER}/pyproject.toml`, `${FOLDER}/src/server.py`]

function installOf(server: object, files: readonly string[] = PROJECT): unknown {
  const bundle = read(
    { server: { type: 'uv', entry_point: 'src/server.py', ...server } },
    { files },
  )
  return plan(bundle).install
}
const given = (...args: string[]): object => ({ mcp_config: { command: 'uv', args } })

describe('B9: a bundle that uv runs', () => {
  it('gets its environment before it starts', () => {
    expect(installOf({})).toEqual({ command: 'uv', args: SYNC })
  })

  it.each([
    [['run', '--directory', '${__dirname}', 'src/server.py', '--python', 'x'], []],
    [
      ['run', '--project=${__dirname}', '--frozen', '--no-dev', 'src/server.py'],
      ['--frozen', '--no-dev'],
    ],
    [['run', 'src/server.py'], []],
  ])('uses the options of %j', (args, options) => {
    expect(installOf(given(...args))).toEqual({ command: 'uv', args: [...SYNC, ...options] })
  })

  it.each([
    [['run', '--python', '3.12', 'src/server.py']],
    [['run', '--directory', '${__dirname}/other', 'src/server.py']],
    [['run', '--directory', '${__dirname}']],
    [['tool', 'run', 'thing']],
    [[]],
  ])('leaves the environment of %j to its start', (args) => {
    expect(installOf(given(...args))).toBeUndefined()
  })

  it('gets no environment without a project', () => {
    expect(installOf(given('run', 'src/server.py'), [])).toBeUndefined()
  })

  it('gets no environment for another program', () => {
    expect(installOf({ mcp_config: { command: 'python', args: ['run', 'src/server.py'] } })).toBe(
      undefined,
    )
  })
})
