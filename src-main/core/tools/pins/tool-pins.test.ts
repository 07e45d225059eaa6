import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { ManualClock } from '../../../../e2e/fixtures/manual-clock'
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
import { identityOf } from '../../mcp/json/definition-identity'

const NOW = new ManualClock().now()

describe('Trust in tools: approvals', () => {
  it('cover the first listing of a server, with the time of each tool', () => {
    const { pins, again } = openPins()
    expect(pins.review(ID, [MAIL, READ], '1.0.0')).toEqual([
      { pinState: 'approved', ...identityOf(MAIL) },
      { pinState: 'approved', ...identityOf(READ) },
    ])
    const next = again()
    expect(pinStates(next, [READ, MAIL])).toEqual(['approved', 'approved'])
    expect(next.history(ID)).toEqual([
      { at: NOW, name: 'read', kind: 'added', packageVersion: '1.0.0', after: READ },
      { at: NOW, name: 'mail', kind: 'added', packageVersion: '1.0.0', after: MAIL },
    ])
    expect(next.approvedOf(ID, 'read')).toEqual({ tool: READ, at: NOW })
  })

  it('hold a changed definition under an approved name (CVE-2025-54136, MCPoison: trust bound to a name)', () => {
    const { pins, again } = openPins()
    pins.review(ID, [MAIL, READ])
    const next = again()
    expect(pinStates(next, [MAIL, EVIL, tool('extra')])).toEqual(['approved', 'changed', 'new'])
    expect(next.approvedOf(ID, 'read')?.tool).toEqual(READ)
    expect(next.approvedOf(ID, 'extra')).toBeUndefined()
    const change = again().history(ID)[1]
    expect(change).toMatchObject({ kind: 'changed', name: 'read', before: READ, after: EVIL })
    expect(pinStates(again(), [MAIL, EVIL])).toEqual(['approved', 'changed'])
  })

  it('hold additions and changes of a new package version, and name the version', () => {
    const { pins, again } = openPins()
    pins.review(ID, [READ], '1.0.0')
    const next = again()
    expect(next.review(ID, [EVIL, MAIL], '2.0.0').map(({ pinState }) => pinState)).toEqual([
      'changed',
      'new',
    ])
    next.decide(ID, 'approve', [seen(MAIL)], [EVIL, MAIL])
    expect(next.history(ID).map((one) => one.packageVersion)).toEqual([
      '2.0.0',
      '2.0.0',
      '2.0.0',
      '1.0.0',
    ])
  })

  it('cover a tool that returns to its approved definition, or is removed and returns unchanged', () => {
    const { pins, again } = openPins()
    pins.review(ID, [MAIL, READ])
    let next = again()
    next.review(ID, [MAIL, EVIL])
    expect(pinStates(next, [MAIL, READ])).toEqual(['approved', 'approved'])
    expect(pinStates(next, [MAIL])).toEqual(['approved'])
    next = again()
    expect(pinStates(next, [MAIL, READ])).toEqual(['approved', 'approved'])
    expect(pinStates(next, [MAIL])).toEqual(['approved'])
    expect(pinStates(next, [MAIL, EVIL])).toEqual(['approved', 'changed'])
    expect(kinds(again()).slice(0, 6)).toEqual([
      'added read',
      'removed read',
      'added read',
      'removed read',
      'changed read',
      'changed read',
    ])
  })

  it('are kept across restarts, like rejections', () => {
    const { pins, again } = openPins()
    pins.review(ID, [MAIL])
    const next = again()
    const listed = [MAIL, EVIL, tool('extra')]
    next.review(ID, listed)
    expect(next.decide(ID, 'approve', [seen(tool('extra'))], listed)).toEqual([])
    expect(next.decide(ID, 'reject', [seen(EVIL)], listed)).toEqual([])
    expect(pinStates(next, listed)).toEqual(['approved', 'refused', 'approved'])
    const last = again()
    expect(pinStates(last, listed)).toEqual(['approved', 'refused', 'approved'])
    expect(last.approvedOf(ID, 'extra')?.tool).toEqual(tool('extra'))
    expect(kinds(last).slice(0, 2)).toEqual(['refused read', 'approved extra'])
    expect(last.history(ID)[0]?.after).toEqual(EVIL)
  })

  it('end with a rejection, which covers one hash: another definition is held, and approving reverts it', () => {
    const { pins, again } = openPins()
    pins.review(ID, [READ])
    let next = again()
    next.review(ID, [EVIL])
    next.decide(ID, 'reject', [seen(EVIL)], [EVIL])
    expect(pinStates(next, [WORSE])).toEqual(['changed'])
    expect(pinStates(next, [EVIL])).toEqual(['refused'])
    expect(pinStates(next, [READ])).toEqual(['approved'])
    next.decide(ID, 'reject', [seen(READ)], [READ])
    next = again()
    expect(pinStates(next, [READ])).toEqual(['refused'])
    expect(pinStates(next, [WORSE])).toEqual(['changed'])
    next.review(ID, [READ])
    next.decide(ID, 'approve', [seen(READ)], [READ])
    expect(pinStates(again(), [READ])).toEqual(['approved'])
  })

  it('are not accepted for a definition that has changed meanwhile or is no longer listed', () => {
    const { pins, again } = openPins()
    pins.review(ID, [READ, MAIL])
    const next = again()
    next.review(ID, [EVIL])
    next.review(ID, [WORSE])
    const asked = [seen(EVIL), seen(MAIL), seen(tool('never'))]
    expect(next.decide(ID, 'approve', asked, [WORSE])).toEqual(['read', 'mail', 'never'])
    expect(pinStates(next, [WORSE])).toEqual(['changed'])
    expect(next.decide(ID, 'reject', asked, [WORSE])).toEqual(['read', 'mail', 'never'])
    expect(pinStates(next, [EVIL])).toEqual(['changed'])
  })

  it('create no event if nothing changes', () => {
    const { pins } = openPins()
    pins.review(ID, [READ])
    pins.decide(ID, 'approve', [seen(READ)], [READ])
    pins.review(ID, [READ])
    pins.decide(ID, 'reject', [seen(READ)], [READ])
    pins.decide(ID, 'reject', [seen(READ)], [READ])
    expect(kinds(pins)).toEqual(['refused read', 'added read'])
  })

  it('treat the second tool of a name as a change of the first', () => {
    const { pins, again } = openPins()
    expect(pinStates(pins, [READ, EVIL])).toEqual(['approved', 'changed'])
    expect(kinds(pins)).toEqual(['added read'])
    expect(pinStates(again(), [EVIL, READ])).toEqual(['changed', 'approved'])
  })

  it("handle prototype names as names, and record no tool that can't be exposed", () => {
    const { pins, again } = openPins()
    const names = ['__proto__', 'constructor', '', 'two words', 'x\u0001', 'x'.repeat(1_001)]
    const odd = names.map((name) => tool(name))
    const expected = ['approved', 'approved', 'new', 'approved', 'new', 'new']
    expect(pinStates(pins, odd)).toEqual(expected)
    expect(pinStates(again(), odd)).toEqual(expected)
  })

  it('are separate per server, and removed with it', () => {
    const { pins, again, folder } = openPins()
    pins.review(ID, [READ])
    pins.review('two', [EVIL])
    const next = again()
    expect(readdirSync(folder)).toHaveLength(4)
    expect(pinStates(next, [READ], 'two')).toEqual(['changed'])
    next.remove(ID)
    expect(next.history(ID)).toEqual([])
    expect(readdirSync(folder).filter((name) => name.startsWith(ID))).toEqual([])
    expect(pinStates(again(), [EVIL])).toEqual(['approved'])
  })
})

describe('Trust in tools: the first listing', () => {
  it('stays open while a server loads its list, and until an agent gets a listing', () => {
    const { pins, clock } = openPins()
    expect(pinStates(pins, [])).toEqual([])
    clock.pass(59_999)
    expect(pinStates(pins, [])).toEqual([])
    const many = Array.from({ length: 30 }, (_, index) => tool(`t${String(index)}`))
    expect(new Set(pinStates(pins, many))).toEqual(new Set(['approved']))
    clock.pass(3_600_000)
    expect(pinStates(pins, [...many, READ]).at(-1)).toBe('approved')
    pins.given(ID)
    expect(pinStates(pins, [...many, READ, MAIL]).slice(-2)).toEqual(['approved', 'new'])
  })

  it('ends when an agent gets it, however soon another follows', () => {
    const { pins } = openPins()
    expect(pinStates(pins, [READ])).toEqual(['approved'])
    pins.given(ID)
    expect(pinStates(pins, [EVIL])).toEqual(['changed'])
  })

  it('stays open if an agent gets a listing without tools of the server', () => {
    const { pins } = openPins()
    pins.review(ID, [])
    pins.given(ID)
    pins.given('another')
    expect(pinStates(pins, [READ])).toEqual(['approved'])
  })

  it('ends permanently once a server has served for a minute without tools', () => {
    const { pins, clock, again } = openPins()
    expect(pinStates(pins, [])).toEqual([])
    clock.pass(60_000)
    expect(pinStates(pins, [READ])).toEqual(['new'])
    const next = again()
    next.review('two', [])
    clock.pass(61_000)
    expect(pinStates(again(), [READ], 'two')).toEqual(['new'])
    expect(pinStates(again(), [READ])).toEqual(['new'])
  })

  it('stays open for a server that stops before that minute has passed', () => {
    const { pins, clock } = openPins()
    pins.review(ID, [])
    clock.pass(40_000)
    pins.serverStopped(ID)
    clock.pass(3_600_000)
    pins.review(ID, [])
    clock.pass(59_999)
    expect(pinStates(pins, [READ])).toEqual(['approved'])
  })

  it('ends when another package version lists its tools', () => {
    const { pins, again } = openPins()
    pins.review(ID, [], '1.0.0')
    expect(pins.review(ID, [READ], '1.0.1').map(({ pinState }) => pinState)).toEqual(['new'])
    const next = again()
    next.review('two', [READ], '1.0.0')
    const later = next.review('two', [READ, MAIL], '1.0.1')
    expect(later.map(({ pinState }) => pinState)).toEqual(['approved', 'new'])
  })

  it("ends with the next run of the app, or with a user's decision", () => {
    const { pins, again } = openPins()
    pins.review(ID, [READ])
    const next = again()
    expect(pinStates(next, [READ, MAIL])).toEqual(['approved', 'new'])
    next.review('two', [READ])
    next.decide('two', 'reject', [seen(READ)], [READ])
    expect(pinStates(next, [EVIL, MAIL], 'two')).toEqual(['changed', 'new'])
  })

  it('leaves no file while nothing is listed', () => {
    const { pins, again, folder } = openPins()
    pins.review(ID, [])
    expect(pinStates(again(), [READ])).toEqual(['approved'])
    again()
    expect(readdirSync(folder)).toHaveLength(2)
  })
})

describe('Trust in tools: a temporarily empty list', () => {
  it('is ignored during the start of a server, and removes the tools after a minute', () => {
    const { pins, clock, again } = openPins()
    pins.review(ID, [READ])
    const next = again()
    next.review(ID, [])
    clock.pass(59_999)
    expect(pinStates(next, [READ])).toEqual(['approved'])
    clock.pass(60_000)
    expect(kinds(next)).toEqual(['added read'])
    next.review(ID, [])
    expect(next.decide(ID, 'reject', [seen(READ)], [])).toEqual(['read'])
    clock.pass(60_000)
    expect(kinds(next)).toEqual(['removed read', 'added read'])
    expect(pinStates(next, [READ])).toEqual(['approved'])
  })
})

describe('Trust in tools: irrelevant changes', () => {
  const dated = (date: string, words = 'Reads'): Tool => tool('today', `${words}. It is ${date}.`)
  const FIRST = dated('2025-11-28T16:10:00Z')
  const LATER = dated('2025-11-29T01:02:03Z')

  it('keep a tool approved with another date, without an event per start', () => {
    const { pins, again } = openPins()
    pins.review(ID, [FIRST])
    pins.given(ID)
    const next = again()
    expect(pinStates(next, [LATER])).toEqual(['approved'])
    expect(kinds(next)).toEqual(['added today'])
    expect(pinStates(next, [dated('2025-11-30', 'Sends')])).toEqual(['changed'])
    expect(pinStates(again(), [dated('2025-12-01')])).toEqual(['approved'])
  })

  it('keep a tool rejected with another date', () => {
    const { pins, again } = openPins()
    pins.review(ID, [FIRST])
    pins.decide(ID, 'reject', [seen(FIRST)], [FIRST])
    expect(pinStates(again(), [LATER])).toEqual(['refused'])
    const last = again()
    expect(pinStates(last, [FIRST])).toEqual(['refused'])
    last.decide(ID, 'approve', [seen(FIRST)], [FIRST])
    expect(pinStates(last, [LATER])).toEqual(['approved'])
  })

  it('keep approvals of an earlier version, whose file has no meanings', () => {
    const { pins, again, folder } = openPins()
    pins.review(ID, [FIRST, READ])
    again()
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.pins.json'))
    const path = join(folder, file)
    const forget = (): void =>
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/,"meaning":"[0-9a-f]+"/gu, ''))
    forget()
    expect(pinStates(again(), [LATER, READ])).toEqual(['approved', 'approved'])
    forget()
    expect(pinStates(again(), [FIRST, EVIL])).toEqual(['approved', 'changed'])
  })

  it("don't limit a server whose changes are followed, but rejections stay", () => {
    const { pins, again } = openPins()
    pins.review(ID, [READ])
    pins.given(ID)
    const follows = (...tools: Tool[]): string[] =>
      next.review(ID, tools, undefined, { follows: true }).map(({ pinState }) => pinState)
    const next = again()
    expect(follows(EVIL, MAIL)).toEqual(['approved', 'approved'])
    next.decide(ID, 'reject', [seen(MAIL)], [EVIL, MAIL])
    expect(follows(EVIL, MAIL)).toEqual(['approved', 'refused'])
    expect(pinStates(again(), [WORSE, MAIL])).toEqual(['changed', 'refused'])
  })
})
