import { describe, expect, it } from 'vitest'

import type { ConfiguredServer } from '../../../../src-shared/domain/installation/configuration'
import { type Candidate, reviewHeadline, reviewSummary, toCheck } from './review-list'

const command: ConfiguredServer = {
  index: 0,
  name: 'Notes',
  path: 'mcpServers.notes',
  preview: {
    kind: 'command',
    command: 'npx',
    args: [],
    env: [],
    packageName: 'npx',
    planHash: 'hash',
    problems: [],
    warnings: [],
  },
  secrets: [{ id: 'env.KEY', label: 'KEY', place: 'variable', isKept: true }],
  environment: [],
  toFill: [],
  adjustments: [],
  notices: [],
}
const remote: ConfiguredServer = {
  ...command,
  preview: {
    kind: 'remote',
    type: 'sse',
    url: { text: 'https://a.example', secret: false, origin: { kind: 'you', label: 'Address' } },
    headers: [],
    planHash: 'hash',
    problems: [],
    warnings: ['Check it.'],
  },
  secrets: [],
}
const of = (server: ConfiguredServer, ...from: string[]): Candidate => ({
  key: from.join(),
  from,
  server,
})

describe('D6: review of several servers', () => {
  const all = [of(command, 'Cursor'), of(remote, 'Claude Desktop', 'Cursor')]

  it('says how many servers come from which apps', () => {
    expect(reviewHeadline(all)).toBe('2 servers from Cursor and Claude Desktop')
    expect(reviewHeadline([of(command)])).toBe('1 server')
  })

  it('says what runs and where the secrets go', () => {
    expect(reviewSummary(all, { isInMemory: false })).toBe(
      '1 command and 1 remote address. 1 secret moves to the keychain.',
    )
    expect(reviewSummary([of(remote)], { isInMemory: false })).toBe('1 remote address.')
    expect(reviewSummary([of(command), of(command)], { isInMemory: true })).toBe(
      '2 commands. 2 secrets stay in memory until you quit.',
    )
  })

  it('counts the commands with a warning', () => {
    expect(toCheck(all)).toBe(1)
  })
})
