import { describe, expect, it, vi } from 'vitest'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { serverActions } from '../../../components/server/server-actions'
import { concerned, runBulk, undoOf } from './bulk-bar'

const server = (
  installationId: string,
  kind: 'ready' | 'stopped' | 'stopping',
  enabled = true,
): Pick<ServerView, 'installationId' | 'status' | 'enabled'> => ({
  ...{ installationId, enabled },
  status: { kind },
})
const SERVERS = [server('a', 'ready'), server('b', 'stopped', false), server('c', 'stopping')]
const idsOf = (act: Parameters<typeof concerned>[1]): string[] =>
  concerned(SERVERS, act).map(({ installationId }) => installationId)

describe('acts on several servers', () => {
  it('concern only those for which they change something', () => {
    expect(idsOf('start')).toEqual(['b'])
    expect(idsOf('stop')).toEqual(['a', 'c'])
    expect(idsOf('restart')).toEqual(['a'])
    expect(idsOf('enable')).toEqual(['b'])
    expect(idsOf('disable')).toEqual(['a', 'c'])
  })

  it('go on past one that is refused, tell how far they are, and take back only what was done', async () => {
    const asked = vi
      .spyOn(serverActions, 'setEnabled')
      .mockImplementation((id) => Promise.resolve(id !== 'b'))
    const progress: number[] = []
    const done = await runBulk(['a', 'b', 'c'], 'disable', (count) => progress.push(count))
    expect(done).toEqual(['a', 'c'])
    expect(progress).toEqual([1, 2, 3])
    expect(asked.mock.calls).toEqual([
      ['a', false],
      ['b', false],
      ['c', false],
    ])
    expect([undoOf('disable'), undoOf('enable'), undoOf('stop')]).toEqual([
      'enable',
      'disable',
      undefined,
    ])
  })
})
