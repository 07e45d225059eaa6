import { describe, expect, it } from 'vitest'

import { serverView } from '../../../e2e/fixtures/server-view'
import type { HostView } from '../../../src-shared/domain/agents/host'
import type { ServerTools, ToolsState } from '../../../src-shared/domain/agents/tools'
import type { FailedStatus } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { appsInNeed, attentionItems } from './attention'

const ready = serverView({ installationId: 'a', name: 'Notes', status: { kind: 'ready' } })
const failure: Pick<FailedStatus, 'code' | 'stderrTail' | 'fields'> = {
  code: 'SERVER_EXITED',
  stderrTail: [],
  fields: [],
}
const broken: ServerView = {
  ...ready,
  ...{ installationId: 'b', name: 'GitHub' },
  status: { ...failure, kind: 'error', message: 'The server exited with code 1.' },
}
const incomplete: ServerView = {
  ...ready,
  ...{ installationId: 'c', name: 'Mail' },
  status: {
    ...{ ...failure, kind: 'error', code: 'CONFIG_INCOMPLETE' },
    message: 'Not started: Token needs a value.',
    fields: [
      { code: 'missing-required', fieldKey: 'token', label: 'Token', message: 'Fill it in.' },
    ],
  },
}
const remote: ServerView = {
  ...ready,
  ...{ installationId: 'd', name: 'Sentry' },
  status: { kind: 'signInNeeded', host: 'sentry.example', message: 'It asks for a sign-in.' },
}
const outdated: ServerView = {
  ...ready,
  ...{ installationId: 'e', name: 'Memory' },
  update: { entryId: 'x/y', version: '2.0.0' },
}
const tools = (more: Partial<ToolsState>, servers: Partial<ServerTools>[]): ToolsState =>
  ({ exposed: 0, needsReview: 0, ...more, servers }) as ToolsState
const hosts = [
  { name: 'Cursor', files: [{ connections: [{ entryName: 'patchbay', state: 'edited' }] }] },
] as unknown as readonly HostView[]
const nothing = { tools: undefined, gateway: undefined, hosts: [], limits: [] } as const

describe('F4: a working server that rejected a call without a sign-in', () => {
  const open: ServerView = {
    ...ready,
    name: 'Linear',
    signInOffer: { message: 'linear.example asks for a sign-in (401).', hint: 'Sign in.' },
  }

  it('lists the sign-in under attention, next to its other items', () => {
    const [need] = attentionItems({ ...nothing, servers: [open] })
    expect(need).toMatchObject({
      ...{ name: 'Linear', text: 'linear.example asks for a sign-in (401).' },
      ...{ look: 'signInNeeded', action: { action: { kind: 'signIn', label: 'Sign in' } } },
    })
    const noisy: ServerView = { ...open, status: { kind: 'degraded', warnings: ['Noisy.'] } }
    expect(attentionItems({ ...nothing, servers: [noisy] }).map(({ key }) => key)).toEqual([
      ...['signIn a', 'status a'],
    ])
  })

  it('lists no sign-in while it is not working', () => {
    const stopped: ServerView = { ...open, status: { kind: 'stopped' } }
    expect(attentionItems({ ...nothing, servers: [stopped] })).toEqual([])
  })
})

describe('attention list', () => {
  it('is sorted by urgency and contains no healthy server', () => {
    const attention = attentionItems({
      servers: [outdated, ready, remote, incomplete, broken],
      limits: [
        { agentId: 'wide', name: 'Wide', tools: 0, limit: 128, over: 0 },
        { agentId: 'narrow', name: 'Narrow', tools: 0, limit: 40, over: 3 },
      ],
      tools: tools({}, [
        { installationId: 'a', needsReview: 2, quarantined: 1 },
        { installationId: 'gone', needsReview: 1, quarantined: 0 },
      ]),
      gateway: {
        ...{ kind: 'failed', port: 4180 },
        error: { code: 'INTERNAL', message: 'The port is taken.', hint: 'Choose another.' },
      },
      hosts,
    })
    expect(attention.map(({ name, text, action }) => `${name}: ${text} [${action?.kind}]`)).toEqual(
      [
        'Gateway: Apps can’t connect on port 4180. The port is taken. Choose another. [gateway]',
        'Mail: Not started: Token needs a value. [server]',
        'GitHub: The server exited with code 1. [server]',
        'Sentry: It asks for a sign-in. [server]',
        'Cursor: Entry patchbay was changed outside Patchbay. [page]',
        'Notes: 2 new or changed tools need review. [page]',
        'Memory: Version 2.0.0 is available. You have 1.0.0. [page]',
        'Notes: 1 tool quarantined and unavailable to agents. [page]',
        'Narrow: 3 tools are over the limit of 40. [page]',
      ],
    )
  })

  it('counts each app once that changed or exceeds its limit', () => {
    const limit = { agentId: 'one', tools: 43, limit: 40, over: 3 }
    const limits = [
      { ...limit, name: 'Cursor' },
      { ...limit, name: 'Zed' },
      { ...limit, name: 'Codex', over: 0 },
    ]
    expect(appsInNeed({ hosts, limits })).toBe(2)
  })

  it('links to the place that fixes each item', () => {
    const [need] = attentionItems({ ...nothing, servers: [incomplete] })
    expect(need?.action).toMatchObject({ action: { place: 'configure?field=token' } })
    const [update] = attentionItems({ ...nothing, servers: [outdated] })
    expect(update?.action).toMatchObject({ href: '/servers/e/update/x%2Fy' })
    expect(attentionItems({ ...nothing, servers: [ready] })).toEqual([])
  })

  it('ranks an entry that a registry deleted above working servers', () => {
    const taken: ServerView = { ...ready, registryStatus: { status: 'deleted' } }
    const unkept: ServerView = {
      ...ready,
      installationId: 'f',
      registryStatus: { status: 'deprecated' },
    }
    const noisy: ServerView = {
      ...ready,
      ...{ installationId: 'g', status: { kind: 'degraded', warnings: ['It is noisy.'] } },
    }
    const keys = attentionItems({ ...nothing, servers: [unkept, noisy, taken] }).map(
      ({ key }) => key,
    )
    expect(keys).toEqual(['standing a', 'status g', 'standing f'])
  })
})
