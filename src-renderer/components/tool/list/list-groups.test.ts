import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { ServerTools, ToolView } from '../../../../src-shared/domain/agents/tools'
import type { ToolChoice } from '../../../../src-shared/domain/tool-choice'
import {
  ALL_TOOLS,
  choiceChanges,
  type GroupServer,
  listedTools,
  listGroups,
  matchingTools,
  type ToolsView,
} from './list-groups'
import { chosenFilters, filterGroups } from './tool-list'

const VIEW: ToolsView = { ...ALL_TOOLS, sort: 'server' }

function server(installationId: string, choice: ToolChoice = { kind: 'all' }): GroupServer {
  const counts = { total: 0, exposed: 0, off: 0, needsReview: 0, rejected: 0, quarantined: 0 }
  const numbers: ServerTools = {
    ...counts,
    installationId,
    alias: installationId,
    choice,
    starts: 'withApp',
    changes: 'review',
    isLive: true,
    doubtful: 0,
    missing: [],
  }
  return { numbers, name: installationId.toUpperCase(), isEnabled: true, choice }
}

function tool(installationId: string, name: string, rest: Partial<ToolView> = {}): ToolView {
  return {
    installationId,
    name,
    exposure: 'exposed',
    hash: name,
    securityWarnings: [],
    uses: 0,
    ...rest,
  }
}

const SERVERS = [server('files'), server('web')]
const TOOLS = [
  tool('files', 'read', { annotations: { readOnlyHint: true }, tokens: 10, uses: 2 }),
  tool('files', 'write', {
    description: 'Overwrites a FILE.',
    exposure: 'needsReview',
    change: 'changed',
  }),
  tool('web', 'fetch', { tokens: 30, annotations: { openWorldHint: true } }),
  tool('web', 'post', { tokens: 20, uses: 5, exposure: 'off' }),
]

function names(groups: ReturnType<typeof listGroups>): string[][] {
  return groups.map(({ key, tools }) => [key, ...tools.map((one) => one.tool.name)])
}

describe('C7: list of all tools', () => {
  const all = listedTools(TOOLS, [
    server('files'),
    server('web', { kind: 'list', names: ['fetch'] }),
  ])

  it("shows held tools first and once, then each server in main's order", () => {
    expect(names(listGroups(all, SERVERS, VIEW))).toEqual([
      ['needsReview', 'write'],
      ['files', 'read'],
      ['web', 'fetch', 'post'],
    ])
  })

  it('mixes the servers when sorted by tokens or calls, but keeps held tools first', () => {
    expect(names(listGroups(all, SERVERS, { ...VIEW, sort: 'tokens' }))).toEqual([
      ['needsReview', 'write'],
      ['others', 'fetch', 'post', 'read'],
    ])
    const byUses = listGroups(all, SERVERS, { ...VIEW, sort: 'uses' })
    expect(names(byUses)[1]).toEqual(['others', 'post', 'read', 'fetch'])
  })

  it('groups by behavior, unless all tools have the same', () => {
    const view: ToolsView = { ...VIEW, sort: 'behavior' }
    expect(names(listGroups(all, SERVERS, view))).toEqual([
      ['needsReview', 'write'],
      ['readOnly', 'read'],
      ['openWorld', 'fetch'],
      ['other', 'post'],
    ])
    const alike = listedTools([tool('files', 'a'), tool('files', 'b')], SERVERS)
    expect(names(listGroups(alike, SERVERS, view))).toEqual([['others', 'a', 'b']])
  })

  it("finds every search term in any text, ignoring case and including the server's name", () => {
    const found = (query: string): string[] =>
      matchingTools(all, { ...VIEW, query }).map((one) => one.tool.name)
    expect(found(' file OVER ')).toEqual(['write'])
    expect(found('web po')).toEqual(['post'])
    expect(found('nothing')).toEqual([])
  })

  it('filters by server, status and behavior together', () => {
    const view: ToolsView = { ...VIEW, servers: ['web'], natures: ['openWorld', 'other'] }
    expect(matchingTools(all, view)).toHaveLength(2)
    expect(matchingTools(all, { ...view, exposures: ['off'] }).map((one) => one.tool.name)).toEqual(
      ['post'],
    )
  })

  it('keeps a server without tools unless a search is active', () => {
    const servers = [...SERVERS, server('new')]
    expect(listGroups(all, servers, VIEW).map(({ key }) => key)).toContain('new')
    const view = { ...VIEW, query: 'fetch' }
    expect(names(listGroups(matchingTools(all, view), servers, view))).toEqual([['web', 'fetch']])
  })

  it('shows a choice immediately, except for a status that only main decides', () => {
    const none = listedTools(
      [...TOOLS, tool('files', 'idle', { exposure: 'off', reason: 'The server is turned off.' })],
      [server('files', { kind: 'none' }), server('web')],
    )
    expect(none.map(({ exposure, isOn }) => [exposure, isOn])).toEqual([
      ['off', false],
      ['needsReview', false],
      ['exposed', true],
      ['exposed', true],
      ['off', false],
    ])
    const stays = listedTools(
      [tool('web', 'x', { exposure: 'off', reason: 'The server is turned off.' })],
      SERVERS,
    )
    expect(stays[0]?.exposure).toBe('off')
  })

  it('gives tools with the same name different keys', () => {
    const twice = listedTools([tool('web', 'x'), tool('web', 'x')], SERVERS)
    expect(new Set(twice.map(({ key }) => key)).size).toBe(2)
  })

  it('turns only the given tools on or off, on each server', () => {
    fc.assert(
      fc.property(fc.subarray([...all]), fc.boolean(), (these, isOn) => {
        const changes = choiceChanges(all, these, isOn)
        const after = new Map(changes.map((one) => [one.installationId, one.after]))
        const next = listedTools(
          TOOLS,
          SERVERS.map((one, index) => {
            const before = [server('files'), all[2]?.server ?? one][index] ?? one
            return { ...before, choice: after.get(one.numbers.installationId) ?? before.choice }
          }),
        )
        const touched = new Set(these.map(({ key }) => key))
        for (const [index, one] of next.entries())
          expect(one.isOn).toBe(touched.has(one.key) ? isOn : all[index]?.isOn)
      }),
    )
  })
})

describe('filters of the tool list', () => {
  it('count what each option would leave under the other filters, and omit options that leave nothing', () => {
    const all = listedTools(TOOLS, SERVERS)
    const groups = filterGroups(all, SERVERS, { ...VIEW, servers: ['files'] })
    const options = groups.map(({ title, options: own }) => [
      title,
      ...own.map(({ label, count, isChosen }) => `${label} ${count}${isChosen ? ' ✓' : ''}`),
    ])
    expect(options).toEqual([
      ['Status', 'Available to agents 1', 'Needs review 1'],
      ['Behavior', 'Read-only 1', 'Other 1'],
      ['Server', 'FILES 2 ✓', 'WEB 2'],
    ])
    expect(groups[2]?.options[1]?.toggle()).toEqual({ servers: ['files', 'web'] })
    expect(groups[2]?.options[0]?.toggle()).toEqual({ servers: [] })
    expect(chosenFilters(SERVERS, { ...VIEW, servers: ['files'], natures: ['readOnly'] })).toEqual([
      {
        title: 'Behavior',
        label: 'Read-only',
        cleared: { natures: [] },
      },
      { title: 'Server', label: 'FILES', cleared: { servers: [] } },
    ])
  })
})
