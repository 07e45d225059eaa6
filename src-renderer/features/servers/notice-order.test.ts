import { describe, expect, it } from 'vitest'

import { noticesOf } from './server-page'

type Server = Parameters<typeof noticesOf>[0]
const ready: Server = {
  ...{ status: { kind: 'ready' }, signIn: undefined, signInOffer: undefined, unapplied: [] },
  ...{ reconnecting: undefined, registryStatus: undefined, update: undefined },
}
const of = (change: object, held = 0): readonly string[] =>
  noticesOf({ ...ready, ...change }, held).map(({ kind }) => kind)

describe('D4: notices of a server', () => {
  it('are empty for a ready server', () => {
    expect(of({})).toEqual([])
  })

  it('start with a failure, then what waits for the user, and end with an update', () => {
    const view = {
      unapplied: ['The name changed.'],
      update: { entryId: 'a', version: '2' },
      registryStatus: { status: 'deprecated' },
    }
    expect(of({ ...view, status: { kind: 'error' } }, 2)).toEqual([
      'failure',
      'changes',
      'review',
      'deprecated',
      'update',
    ])
    expect(of({ ...view, status: { kind: 'degraded' } }, 1)).toEqual([
      'changes',
      'review',
      'warnings',
      'deprecated',
      'update',
    ])
  })

  it('rank a deleted entry and a reconnect above changes, and a sign-in above both', () => {
    const change = {
      registryStatus: { status: 'deleted' },
      reconnecting: 'handshake',
      unapplied: ['The name changed.'],
      signInOffer: { message: 'Sign in.' },
    }
    expect(of(change)).toEqual(['signInOffer', 'deleted', 'reconnecting', 'changes'])
    const signIn = { kind: 'waiting', host: 'linear.example' }
    expect(of({ ...change, signIn })).toEqual(['signIn', 'deleted', 'reconnecting', 'changes'])
    expect(of({ signIn, status: { kind: 'signInNeeded' } })).toEqual(['signIn', 'failure'])
  })

  it('show the progress of a start first, and a stopped server last', () => {
    const update = { entryId: 'a', version: '2' }
    expect(of({ update, status: { kind: 'starting' } })).toEqual(['progress', 'update'])
    expect(of({ update, status: { kind: 'stopped' } })).toEqual(['update', 'stopped'])
  })
})
