import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import {
  EVIL,
  ID,
  kinds,
  MAIL,
  openPins,
  pinStates,
  READ,
  seen,
  tool,
  WORSE,
} from '../../../../e2e/fixtures/pins-harness'
import type { Tool } from '../../../../src-shared/domain/agents/capability'

describe('Trust in tools: the pin files', () => {
  it.each<[string, (file: string) => void, RegExp]>([
    [
      'incomplete',
      (file) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, -9)),
      /isn’t valid JSON/,
    ],
    ['empty', (file) => writeFileSync(file, ''), /isn’t valid JSON/],
    [
      'of another schema',
      (file) => writeFileSync(file, '{"version": 2}'),
      /not written by Patchbay/,
    ],
    ['far too large', (file) => writeFileSync(file, ' '.repeat(9_000_000)), /too large/],
  ])(
    'hold every tool if they are %s, with a reason, and approving repairs them',
    (_, spoil, why) => {
      const { pins, again, folder, lost } = openPins()
      pins.review(ID, [READ, MAIL])
      again()
      spoil(join(folder, `${ID}.pins.json`))
      const next = again()
      expect(pinStates(next, [READ, MAIL])).toEqual(['new', 'new'])
      expect(lost).toEqual([expect.stringMatching(why)])
      expect(lost[0]).toMatch(
        /^one-server: .* All tools need review until you approve them again\.$/,
      )
      expect(pinStates(again(), [READ, MAIL])).toEqual(['new', 'new'])
      const last = again()
      last.review(ID, [READ, MAIL])
      last.decide(ID, 'approve', [seen(READ), seen(MAIL)], [READ, MAIL])
      expect(pinStates(again(), [READ, MAIL])).toEqual(['approved', 'approved'])
      expect(lost).toHaveLength(1)
    },
  )

  it('are kept as a copy if unusable, until the server is removed', () => {
    const { pins, again, folder } = openPins()
    pins.review(ID, [READ])
    again()
    const files = ['pins', 'history'].map((what) => join(folder, `${ID}.${what}.json`))
    for (const file of files) writeFileSync(file, '{"version": 1, "to be": "repaired"')
    const next = again()
    next.review(ID, [READ])
    const last = again()
    for (const file of files)
      expect(readFileSync(`${file}.bad`, 'utf8')).toBe('{"version": 1, "to be": "repaired"')
    expect(pinStates(last, [READ])).toEqual(['new'])
    last.remove(ID)
    expect(readdirSync(folder)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')(
    'are never overwritten while unreadable, and are read again',
    () => {
      const { pins, again, folder, lost } = openPins()
      pins.review(ID, [READ])
      again()
      const file = join(folder, `${ID}.pins.json`)
      const before = readFileSync(file, 'utf8')
      renameSync(folder, `${folder}-away`)
      writeFileSync(folder, 'in the way')
      const next = again()
      expect(pinStates(next, [READ, MAIL])).toEqual(['new', 'new'])
      expect(pinStates(next, [READ])).toEqual(['new'])
      rmSync(folder)
      renameSync(`${folder}-away`, folder)
      next[Symbol.dispose]()
      expect(readFileSync(file, 'utf8')).toBe(before)
      expect(pinStates(next, [READ, MAIL])).toEqual(['approved', 'new'])
      expect(lost).toEqual([
        expect.stringMatching(/can’t be read \(ENOTDIR\)\. .* until the file is readable/),
        `${ID}: is well again`,
      ])
    },
  )

  it('retract their report when the server is removed', () => {
    const { pins, again, folder, lost } = openPins()
    pins.review(ID, [READ])
    again()
    writeFileSync(join(folder, `${ID}.pins.json`), '')
    const next = again()
    next.review(ID, [READ])
    next.remove(ID)
    next.remove('another')
    expect(lost).toEqual([expect.stringMatching(/isn’t valid JSON/), `${ID}: is well again`])
  })

  it.skipIf(process.platform === 'win32')('are neither read nor written through a link', () => {
    const { pins, again, folder, lost } = openPins()
    pins.review(ID, [READ])
    again()
    const [here, there] = [join(folder, 'two.pins.json'), join(folder, `${ID}.pins.json`)]
    const before = readFileSync(there, 'utf8')
    symlinkSync(there, here)
    const next = again()
    expect(pinStates(next, [READ], 'two')).toEqual(['new'])
    expect(lost).toEqual([expect.stringMatching(/a link to another place/)])
    again()
    expect(readFileSync(there, 'utf8')).toBe(before)
  })

  it('guard as before without the history, and report that nothing can be compared', () => {
    const { pins, again, folder, lost } = openPins()
    pins.review(ID, [READ])
    again()
    writeFileSync(join(folder, `${ID}.history.json`), '[]')
    const next = again()
    expect(pinStates(next, [EVIL])).toEqual(['changed'])
    expect(next.approvedOf(ID, 'read')).toBeUndefined()
    expect(kinds(next)).toEqual(['changed read'])
    expect(lost).toEqual([expect.stringMatching(/can’t be compared/)])
    expect(kinds(again())).toEqual(['changed read'])
  })

  it('are written soon, once for many changes, and private to this account', () => {
    const { pins, clock, folder } = openPins()
    for (const one of [READ, EVIL, WORSE, READ, EVIL]) pins.review(ID, [one])
    clock.pass(999)
    expect(() => readdirSync(folder)).toThrow()
    clock.pass(1)
    expect(readdirSync(folder).sort()).toEqual([`${ID}.history.json`, `${ID}.pins.json`])
    if (process.platform === 'win32') return
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(folder))
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  })

  it('keep changes in memory while the disk fails, report that once, and are all written later', () => {
    const { pins, clock, folder, troubles, again } = openPins()
    mkdirSync(join(folder, `${ID}.pins.json.new`, 'in the way'), { recursive: true })
    pins.review(ID, [READ])
    pins.review('two', [READ])
    clock.pass(1_000)
    clock.pass(30_000)
    expect(troubles).toEqual([expect.stringMatching(/Can’t save tool approvals \(.+\)\.$/)])
    pins.given('two')
    expect(pinStates(pins, [EVIL], 'two')).toEqual(['changed'])
    clock.pass(30_000)
    expect(readdirSync(folder)).toContain('two.pins.json')
    rmSync(join(folder, `${ID}.pins.json.new`), { recursive: true })
    clock.pass(30_000)
    expect(troubles).toEqual([expect.any(String), undefined])
    expect(pinStates(again(), [EVIL])).toEqual(['changed'])
  })

  it('exist for any id that a settings file may contain', () => {
    const { pins, again, folder } = openPins()
    pins.review('../../etc', [READ])
    const next = again()
    expect(pinStates(next, [EVIL], '../../etc')).toEqual(['changed'])
    expect(readdirSync(join(folder, '..'))).toEqual(['tool-pins'])
  })
})

describe('Trust in tools: hostile servers', { timeout: 120_000 }, () => {
  it('fill the history with at most 200 changes and few definitions', () => {
    const { pins, again, folder } = openPins()
    pins.review(ID, [READ])
    let next = again()
    for (let round = 0; round < 900; round += 1)
      next.review(ID, [tool('read', `v${String(round)} ${'x'.repeat(100_000)}`)])
    next = again()
    const history = next.history(ID)
    expect(history).toHaveLength(201)
    expect(history[0]?.after?.description).toMatch(/^v899 /)
    expect(history.at(-2)?.after).toBeUndefined()
    expect(history.at(-1)).toMatchObject({ kind: 'added', after: READ })
    const { size } = statSync(join(folder, `${ID}.history.json`))
    expect(size).toBeGreaterThan(7_000_000)
    expect(size).toBeLessThan(9_000_000)
    expect(JSON.stringify(history).length).toBeLessThan(9_000_000)
    expect(next.approvedOf(ID, 'read')?.tool).toEqual(READ)
  })

  it("can't exceed the history's size with two large alternating definitions", () => {
    const { pins, again } = openPins()
    const [left, right] = ['l', 'r'].map((letter) => tool('read', letter.repeat(200_000)))
    for (let round = 0; round < 300; round += 1)
      pins.review(ID, [left ?? READ, right ?? READ].slice(round % 2))
    expect(JSON.stringify(again().history(ID)).length).toBeLessThan(9_000_000)
  })

  it('have definitions of megabytes compared by hash without storing them', () => {
    const { pins, again } = openPins()
    const large = tool('read', 'x'.repeat(3_000_000))
    pins.review(ID, [large])
    const next = again()
    expect(next.approvedOf(ID, 'read')).toBeUndefined()
    expect(pinStates(next, [large])).toEqual(['approved'])
    expect(pinStates(next, [tool('read', 'x'.repeat(3_000_001))])).toEqual(['changed'])
  })

  it('lose the oldest removed tools beyond 10,000, which are new when they return', () => {
    const { pins, again } = openPins()
    const batch = (letter: string): Tool[] =>
      Array.from({ length: 6_000 }, (_, index) => tool(`${letter}${String(index)}`))
    pins.review(ID, [READ, MAIL, ...batch('a')])
    pins.review(ID, [READ, ...batch('b')])
    const next = again()
    expect(pinStates(next, [READ, MAIL])).toEqual(['approved', 'new'])
    expect(pinStates(again(), batch('b'))[0]).toBe('approved')
  })

  it("can't displace a user's decisions with any number of added and removed tools", () => {
    const { pins, again } = openPins()
    pins.review(ID, [READ])
    const next = again()
    next.review(ID, [EVIL])
    next.decide(ID, 'approve', [seen(EVIL)], [EVIL])
    for (let round = 0; round < 3; round += 1)
      for (const noise of ['n', 'm'])
        next.review(ID, [EVIL, ...Array.from({ length: 500 }, (_, i) => tool(`${noise}${i}`))])
    const left = kinds(again())
    expect(left).toHaveLength(402)
    expect(left).toEqual(expect.arrayContaining(['approved read', 'changed read']))
  })

  it.each(['x', '\u0001'])(
    'keep the files readable with ten thousand of the longest names of %j',
    (piece) => {
      const { pins, again, lost, troubles } = openPins()
      const long = Array.from({ length: 9_999 }, (_, index) =>
        tool(`${piece.repeat(124)}${String(index).padStart(4, '0')}`),
      )
      pins.review(ID, [READ, ...long])
      expect(pinStates(again(), [READ])).toEqual(['approved'])
      expect([lost, troubles]).toEqual([[], []])
    },
  )

  it('keep approved definitions even if the events are long gone', () => {
    const { pins, again } = openPins()
    pins.review(ID, [READ])
    const many = Array.from({ length: 600 }, (_, index) => tool(`t${String(index)}`))
    const first = many[0] ?? READ
    again().review(ID, many)
    const next = again()
    next.decide(ID, 'approve', [seen(first)], many)
    expect(again().approvedOf(ID, first.name)?.tool).toEqual(first)
  })

  it('have at most 10,000 tools of a list remembered, and the rest held', () => {
    const { pins, again } = openPins()
    const many = Array.from({ length: 10_002 }, (_, index) => tool(`t${String(index)}`))
    expect(pinStates(pins, many).slice(-3)).toEqual(['approved', 'new', 'new'])
    expect(pinStates(again(), many).slice(-3)).toEqual(['approved', 'new', 'new'])
  })
})
