import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../e2e/fixtures/cpu-time'
import { causeOf, CAUSES } from './failure-causes'

const SAMPLES = join(import.meta.dirname, 'samples')
/** The last lines of real runners and servers; the addresses of registries and folders of people are other ones. */
const samples = readdirSync(SAMPLES).map((name) => ({
  name,
  causeId: name.replace(/\.\d+\.txt$/, ''),
  lines: readFileSync(join(SAMPLES, name), 'utf8').trimEnd().split('\n'),
}))

describe('E15 why a server failed', () => {
  it.each(samples)('is told of what was really said: $name', ({ causeId, lines }) => {
    expect(causeOf(lines)?.causeId).toBe(causeId)
  })

  it('has a real sample for every cause that is known, of which there are at least twenty', () => {
    const ids = CAUSES.map(({ causeId }) => causeId)
    expect(new Set(ids).size).toBe(ids.length)
    expect([...new Set(samples.map(({ causeId }) => causeId))].sort()).toEqual([...ids].sort())
    expect(ids.length).toBeGreaterThanOrEqual(20)
  })

  it('is one sentence with what is concerned in it, and one step', () => {
    const told = samples.map(({ name, lines }) => {
      const cause = causeOf(lines)
      return [name.replace('.txt', ''), cause?.sentence, JSON.stringify(cause?.step)].join(' | ')
    })
    expect(told).toMatchSnapshot()
  })

  it.each([
    ['nothing', []],
    ['words that say nothing of it', ['Starting up', 'Listening for requests', 'Bye']],
    ['a stack without its first line', ['    at Object.openSync (node:fs:621:18)']],
    ['a 404 of its own service', ['GET /v1/notes 404 Not Found']],
    ['a word in capitals', ['NOTES is required reading']],
  ])('is not claimed of %s', (_what, lines) => {
    expect(causeOf(lines)).toBeUndefined()
  })

  it('repeats what a server says cleaned and cut', () => {
    const cause = causeOf([`Error: Cannot find module '\u202e${'x'.repeat(500)}'`])
    expect(cause?.sentence).toBe(`A part of the server is not installed: ${'x'.repeat(120)}….`)
  })

  it('is looked for in a time that no line makes long', () => {
    const hostile = [
      'A_'.repeat(500_000),
      `npm error 404 '${'@'.repeat(1_000_000)}`,
      `error: ${'the following arguments are required: '.repeat(30_000)}`,
      `Cannot find module '${'/_npx/0123456789abcdef/'.repeat(40_000)}`,
      'PermissionError: '.repeat(60_000),
    ]
    const lines = Array.from({ length: 20 }, (_, index) => hostile[index % hostile.length] ?? '')
    expect(cpuMsOf(() => causeOf(lines))).toBeLessThan(1_000)
  })
})
