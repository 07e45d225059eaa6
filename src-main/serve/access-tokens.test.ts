import { describe, expect, it } from 'vitest'

import { ManualClock } from '../../e2e/fixtures/manual-clock'
import { AccessTokens, LINK_MS } from './loopback-listener'

describe('D7: the link of the browser version', () => {
  it('expires after a minute', () => {
    const time = new ManualClock()
    const tokens = new AccessTokens(time)
    const link = tokens.issueLink()
    time.pass(LINK_MS)
    expect(LINK_MS).toBe(60_000)
    expect(tokens.admit(link)).toBeUndefined()
  })

  it('is replaced by a newer one with its own minute', () => {
    const time = new ManualClock()
    const tokens = new AccessTokens(time)
    const older = tokens.issueLink()
    time.pass(LINK_MS - 1)
    const newer = tokens.issueLink()
    time.pass(LINK_MS - 1)
    expect(tokens.admit(older)).toBeUndefined()
    expect(tokens.admit(newer)).toMatchObject({ isNew: true })
    expect(time.waiting).toBe(0)
  })

  it('keeps 100 tabs signed in, and signs out the oldest for the next', () => {
    const tokens = new AccessTokens(new ManualClock())
    const tabs = Array.from({ length: 101 }, () => tokens.admit(tokens.issueLink())?.token ?? '')
    expect(tokens.tabs).toBe(100)
    expect(tokens.admit(tabs[0] ?? '')).toBeUndefined()
    expect(tokens.admit(tabs[1] ?? '')).toMatchObject({ isNew: false })
    expect(tokens.admit(tabs[100] ?? '')).toMatchObject({ isNew: false })
  })

  it('ends once: when used, expired or revoked', () => {
    const time = new ManualClock()
    let ends = 0
    const tokens = new AccessTokens(time, () => (ends += 1))
    tokens.admit(tokens.issueLink())
    expect(ends).toBe(1)
    tokens.issueLink()
    tokens.issueLink()
    time.pass(LINK_MS)
    expect(ends).toBe(2)
    tokens.issueLink()
    tokens.revokeAll()
    time.pass(LINK_MS)
    expect(ends).toBe(3)
  })

  it('gives each tab its own token, valid until all are revoked', () => {
    const time = new ManualClock()
    const tokens = new AccessTokens(time)
    const tabs = [1, 2].map(() => tokens.admit(tokens.issueLink())?.token ?? '')
    time.pass(10 * LINK_MS)
    expect(tabs.map((tab) => tokens.admit(tab))).toEqual(
      tabs.map((token) => ({ token, isNew: false })),
    )
    expect(tokens.tabs).toBe(2)
    tokens.revokeAll()
    expect(tabs.map((tab) => tokens.admit(tab))).toEqual([undefined, undefined])
    expect(tokens.tabs).toBe(0)
  })
})
