import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ProtocolVersionCache } from './negotiate'

const DAY_MS = 86_400_000

let folder: string
let now: number
const open = (): ProtocolVersionCache => new ProtocolVersionCache(folder, () => now)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'patchbay-protocol-versions-'))
  now = 1_000_000_000_000
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('B13: the protocol of a server', () => {
  it('is remembered for its version permanently, across restarts', () => {
    open().of('npx thing 1.0.0', true).remember({ protocolMode: 'sessions' })
    now += 1_000 * DAY_MS
    expect(open().of('npx thing 1.0.0', true).protocolMode).toBe('sessions')
    expect(open().of('npx thing 1.0.1', true).protocolMode).toBeUndefined()
  })

  it('is probed again after a day if the version may differ or it was a guess', () => {
    open().of('remote', false).remember({ protocolMode: 'stateless', transport: 'sse' })
    open().of('guess', true).remember({ protocolMode: 'sessions', isGuess: true })
    now += DAY_MS - 1
    expect(open().of('remote', false)).toMatchObject({
      protocolMode: 'stateless',
      transport: 'sse',
    })
    expect(open().of('guess', true).protocolMode).toBe('sessions')
    now += 1
    expect(open().of('remote', false)).toMatchObject({
      protocolMode: undefined,
      transport: undefined,
    })
    expect(open().of('guess', true).protocolMode).toBeUndefined()
  })

  it('stays a guess when a start with the older handshake works', () => {
    const memory = open()
    memory.of('guess', true).remember({ protocolMode: 'sessions', isGuess: true })
    memory.of('guess', true).remember({ protocolMode: 'sessions' })
    now += DAY_MS
    expect(open().of('guess', true).protocolMode).toBeUndefined()
    open().of('guess', true).remember({ protocolMode: 'stateless' })
    now += 2 * DAY_MS
    expect(open().of('guess', true).protocolMode).toBe('stateless')
  })

  it('is stored in a private file, and forgotten if the file is invalid', () => {
    open().of('a', true).remember({ protocolMode: 'stateless' })
    const file = join(folder, 'protocols.json')
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    for (const text of ['{', '[]', '{"a":{"era":"other","at":1}}', 'null']) {
      writeFileSync(file, text)
      expect(open().of('a', true).protocolMode).toBeUndefined()
    }
  })

  it("is remembered for this run if the folder can't be written", () => {
    const file = join(folder, 'taken')
    writeFileSync(file, '')
    const memory = new ProtocolVersionCache(file, () => now)
    memory.of('a', true).remember({ protocolMode: 'sessions' })
    expect(memory.of('a', true).protocolMode).toBe('sessions')
  })

  it('is dropped beyond a maximum, oldest first', () => {
    const memory = open()
    for (let one = 0; one < 2_001; one += 1)
      memory.of(String(one), true).remember({ protocolMode: 'sessions' })
    const kept = JSON.parse(readFileSync(join(folder, 'protocols.json'), 'utf8')) as object
    expect(Object.keys(kept)).toHaveLength(2_000)
    expect([memory.of('0', true).protocolMode, memory.of('2000', true).protocolMode]).toEqual([
      undefined,
      'sessions',
    ])
  })
})
