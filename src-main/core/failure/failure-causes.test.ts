import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../e2e/fixtures/cpu-time'
import { RunnerName } from '../../../src-shared/domain/runner-name'
import { StartPhase } from '../../../src-shared/domain/running/run-status'
import type { CauseClues } from './cause-row'
import { causeOf, CAUSES } from './failure-causes'

const SAMPLES = join(import.meta.dirname, 'samples')
/** Last lines of real runners and servers; addresses of registries and home folders are replaced. */
const samples = readdirSync(SAMPLES).map((name) => ({
  name,
  causeId: name.replace(/\.\d+\.txt$/, ''),
  clues: cluesOf(readFileSync(join(SAMPLES, name), 'utf8').trimEnd().split('\n')),
}))

/** A sample that needs more than lines begins with its end: `#! exit=127 runner=npx phase=handshake`. */
function cluesOf(lines: readonly string[]): CauseClues {
  const [first = ''] = lines
  if (!first.startsWith('#! ')) return { lines }
  const of = (name: string): string | undefined => new RegExp(`\\b${name}=(\\w+)`).exec(first)?.[1]
  const code = of('exit') === undefined ? null : Number(of('exit'))
  return {
    lines: lines.slice(1),
    exit: { code, signal: (of('signal') as NodeJS.Signals | undefined) ?? null },
    runner: RunnerName.optional().parse(of('runner')),
    phase: StartPhase.optional().parse(of('phase')),
  }
}

describe('E15: the cause of a failure', () => {
  it.each(samples)('is recognized in real output: $name', ({ causeId, clues }) => {
    expect(causeOf(clues)?.causeId).toBe(causeId)
  })

  it('has a real sample for each of at least twenty known causes', () => {
    const ids = CAUSES.map(({ causeId }) => causeId)
    expect(new Set(ids).size).toBe(ids.length)
    expect([...new Set(samples.map(({ causeId }) => causeId))].sort()).toEqual([...ids].sort())
    expect(ids.length).toBeGreaterThanOrEqual(20)
  })

  it.each([
    ...['npm-sign-in-needed', 'npm-sign-in-rejected', 'npm-package-gone', 'npm-version-gone'],
    'node-too-old-for-package',
  ])('is permanent if only the user can fix it: %s', (causeId) => {
    const clues = samples.find((sample) => sample.causeId === causeId)?.clues
    expect(clues && causeOf(clues)).toMatchObject({ causeId, isPermanent: true })
  })

  it('is one sentence that names its subject, and one step', () => {
    const reported = samples.map(({ name, clues }) => {
      const cause = causeOf(clues)
      return [name.replace('.txt', ''), cause?.message, JSON.stringify(cause?.step)].join(' | ')
    })
    expect(reported).toMatchSnapshot()
  })

  it.each([
    ['nothing', []],
    ['words that say nothing of it', ['Starting up', 'Listening for requests', 'Bye']],
    ['a stack without its first line', ['    at Object.openSync (node:fs:621:18)']],
    ['a 404 of its own service', ['GET /v1/notes 404 Not Found']],
    ['a word in capitals', ['NOTES is required reading']],
    ['a shell whose server goes on', ['sh: 1: notes: not found']],
    ['a value that it does without', ['LOG_LEVEL is not set, using info']],
    ['a warning', ['WARNING: API_TOKEN is not set', '[warn] connect ECONNREFUSED 127.0.0.1:9']],
    ['a file of variables', ["Error: ENOENT: no such file or directory, open '/srv/notes/.env'"]],
    [
      'an index that refuses',
      [
        'error: Failed to fetch: `https://packages.invalid/simple/notes/`',
        '  Caused by: HTTP status client error (403 Forbidden)',
      ],
    ],
    [
      'what is not the daemon of Docker',
      ['Get "https://api.invalid/": tls: x509: certificate signed by unknown authority'],
    ],
  ])('is not claimed of %s', (_what, lines) => {
    expect(causeOf({ lines })).toBeUndefined()
  })

  it('is not a broken cache after the copy was fetched again', () => {
    const lines = [
      "ModuleNotFoundError: No module named 'notes'",
      '  File "/c/archive-v0/0123456789abcdef/bin/notes", line 6, in <module>',
    ]
    expect(causeOf({ lines })?.step).toEqual({ kind: 'repair' })
    expect(causeOf({ lines, isRepaired: true })).toMatchObject({
      step: { kind: 'viewLog' },
      message: expect.stringMatching(/the package itself is broken\.$/) as string,
    })
  })

  it('is the line that ended the server, not an earlier warning', () => {
    const lines = [
      'LOG_LEVEL is not set, using info',
      'Error: listen EADDRINUSE: address already in use 127.0.0.1:3000',
    ]
    expect(causeOf({ lines, exit: { code: 1, signal: null } })?.causeId).toBe('port-taken')
  })

  it('of a killed server is not taken from other lines', () => {
    const killed = { code: null, signal: 'SIGKILL' } as const
    expect(causeOf({ lines: ['API_TOKEN is not set'] })?.causeId).toBe('variable-missing')
    expect(causeOf({ lines: ['API_TOKEN is not set'], exit: killed })).toBeUndefined()
    const lines = [
      'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    ]
    expect(causeOf({ lines, exit: { code: null, signal: 'SIGABRT' } })?.causeId).toBe(
      'out-of-memory',
    )
  })

  it('needs all conditions of its row', () => {
    const lines = ['sh: 1: notes: not found']
    const exit = { code: 127, signal: null }
    const ofNpx = { lines, exit, runner: 'npx', phase: 'handshake' } as const
    expect(causeOf(ofNpx)?.causeId).toBe('npx-program-missing')
    expect(causeOf({ ...ofNpx, runner: 'uvx' })?.causeId).toBe('program-missing')
    expect(causeOf({ ...ofNpx, phase: 'discover' })?.causeId).toBe('program-missing')
    expect(causeOf({ ...ofNpx, exit: { code: 1, signal: null } })).toBeUndefined()
  })

  it("repeats a server's text cleaned and cut", () => {
    const cause = causeOf({ lines: [`Error: Cannot find module '\u202e${'x'.repeat(500)}'`] })
    expect(cause?.message).toBe(
      `The Node.js module ${'x'.repeat(120)}… is missing. Reinstall the server or its dependencies.`,
    )
  })

  it('is found in bounded time for hostile lines', () => {
    const hostile = [
      'A_'.repeat(500_000),
      `npm error 404 '${'@'.repeat(1_000_000)}`,
      `error: ${'the following arguments are required: '.repeat(30_000)}`,
      `Cannot find module '${'/_npx/0123456789abcdef/'.repeat(40_000)}`,
      'PermissionError: '.repeat(60_000),
      `  File "${'/archive-v0/0123456789abcdef'.repeat(40_000)}`,
      `${'/_npx/0123456789abcdef/node_modules/'.repeat(30_000)}:1`,
      `npm error ENOTEMPTY: directory not empty, rename '${'/_npx/0123456789abcdef'.repeat(40_000)}`,
      `${'sh: '.repeat(250_000)}not found`,
      `Error response from daemon: ${'Client.Timeout '.repeat(60_000)}`,
    ]
    const lines = Array.from({ length: 20 }, (_, index) => hostile[index % hostile.length] ?? '')
    expect(cpuMsOf(() => causeOf({ lines }))).toBeLessThan(1_000)
  })
})
