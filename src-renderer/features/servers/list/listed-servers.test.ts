import { describe, expect, it } from 'vitest'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { idsBetween } from '../../../ui/controls/use-chosen'
import { EVERY_SERVER, listedServers } from './servers-page'

type Some = Parameters<typeof listedServers>[0][number]
const server = (name: string, kind: 'ready' | 'stopped' | 'stopping', enabled = true): Some => ({
  ...{ name, identifier: `@pkg/${name}`, entryName: `io.example/${name}`, enabled },
  status: { kind } satisfies ServerView['status'],
})
const SERVERS = [
  server('Notes 10', 'stopped'),
  server('files', 'ready'),
  server('Notes 2', 'ready'),
  server('Mail', 'stopped', false),
]
const names = (filter: Partial<typeof EVERY_SERVER>): string[] =>
  listedServers(SERVERS, { ...EVERY_SERVER, ...filter }).map(({ name }) => name)

describe('list of servers', () => {
  it('is filtered by text and by status', () => {
    expect(names({ text: ' NOTES ready' })).toEqual(['Notes 2'])
    expect(names({ text: '@pkg/mail' })).toEqual(['Mail'])
    expect(names({ state: 'running' })).toEqual(['files', 'Notes 2'])
    expect(names({ state: 'stopped' })).toEqual(['Notes 10', 'Mail'])
    expect(names({ state: 'disabled' })).toEqual(['Mail'])
    expect(names({ state: 'attention' })).toEqual([])
  })

  it('is sorted by the chosen order', () => {
    expect(names({})).toEqual(['Notes 10', 'files', 'Notes 2', 'Mail'])
    expect(names({ order: 'name' })).toEqual(['files', 'Mail', 'Notes 2', 'Notes 10'])
    expect(names({ order: 'state' })).toEqual(['files', 'Notes 2', 'Mail', 'Notes 10'])
  })

  it('selects the range between two rows in both directions', () => {
    expect(idsBetween(['a', 'b', 'c', 'd'], 'c', 'a')).toEqual(['a', 'b', 'c'])
    expect(idsBetween(['a', 'b'], 'gone', 'a')).toEqual([])
  })
})
