import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { EraMemory } from './era-memory'

const DAY_MS = 86_400_000

let folder: string
let now: number
const open = (): EraMemory => new EraMemory(folder, () => now)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'patchbay-eras-'))
  now = 1_000_000_000_000
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('B13 the protocol of a server', () => {
  it('is remembered for its version, over restarts and for good', () => {
    open().of('npx thing 1.0.0', true).remember({ era: 'legacy' })
    now += 1_000 * DAY_MS
    expect(open().of('npx thing 1.0.0', true).era).toBe('legacy')
    expect(open().of('npx thing 1.0.1', true).era).toBeUndefined()
  })

  it('is asked for again after a day where it may be another version, and where it was a guess', () => {
    open().of('remote', false).remember({ era: 'modern', transport: 'sse' })
    open().of('guess', true).remember({ era: 'legacy', isGuess: true })
    now += DAY_MS - 1
    expect(open().of('remote', false)).toMatchObject({ era: 'modern', transport: 'sse' })
    expect(open().of('guess', true).era).toBe('legacy')
    now += 1
    expect(open().of('remote', false)).toMatchObject({ era: undefined, transport: undefined })
    expect(open().of('guess', true).era).toBeUndefined()
  })

  it('stays a guess when a start with the older handshake works', () => {
    const memory = open()
    memory.of('guess', true).remember({ era: 'legacy', isGuess: true })
    memory.of('guess', true).remember({ era: 'legacy' })
    now += DAY_MS
    expect(open().of('guess', true).era).toBeUndefined()
    open().of('guess', true).remember({ era: 'modern' })
    now += 2 * DAY_MS
    expect(open().of('guess', true).era).toBe('modern')
  })

  it('is kept where nobody else can read it, and forgotten where the file makes no sense', () => {
    open().of('a', true).remember({ era: 'modern' })
    const file = join(folder, 'protocols.json')
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    for (const text of ['{', '[]', '{"a":{"era":"other","at":1}}', 'null']) {
      writeFileSync(file, text)
      expect(open().of('a', true).era).toBeUndefined()
    }
  })

  it('is remembered for this run where the folder cannot be written', () => {
    const file = join(folder, 'taken')
    writeFileSync(file, '')
    const memory = new EraMemory(file, () => now)
    memory.of('a', true).remember({ era: 'legacy' })
    expect(memory.of('a', true).era).toBe('legacy')
  })

  it('forgets the oldest of very many', () => {
    const memory = open()
    for (let one = 0; one < 2_001; one += 1)
      memory.of(String(one), true).remember({ era: 'legacy' })
    const kept = JSON.parse(readFileSync(join(folder, 'protocols.json'), 'utf8')) as object
    expect(Object.keys(kept)).toHaveLength(2_000)
    expect([memory.of('0', true).era, memory.of('2000', true).era]).toEqual([undefined, 'legacy'])
  })
})
