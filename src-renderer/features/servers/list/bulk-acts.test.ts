import { describe, expect, it, vi } from 'vitest'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { serverActions } from '../../../components/server/actions'
import { BULK_ACTIONS, runBulk } from './servers-page'

const server = (
  installationId: string,
  kind: 'ready' | 'stopped' | 'stopping',
  enabled = true,
): Pick<ServerView, 'installationId' | 'status' | 'enabled'> => ({
  ...{ installationId, enabled },
  status: { kind },
})
const SERVERS = [server('a', 'ready'), server('b', 'stopped', false), server('c', 'stopping')]

describe('actions on several servers', () => {
  it('apply only to servers that they change', () => {
    const ids = BULK_ACTIONS.map(({ label, applies }) => [
      ...[
        label,
        SERVERS.filter(applies)
          .map(({ installationId }) => installationId)
          .join(''),
      ],
    ])
    expect(Object.fromEntries(ids)).toEqual({
      ...{ Start: 'b', Stop: 'ac', Restart: 'a', 'Turn on': 'b', 'Turn off': 'ac' },
    })
  })

  it('continue after a rejection, report progress, and undo only what succeeded', async () => {
    const request = vi
      .spyOn(serverActions, 'setEnabled')
      .mockImplementation((id) => Promise.resolve(id !== 'b'))
    const progress: number[] = []
    const turnOff = BULK_ACTIONS.find(({ label }) => label === 'Turn off')
    if (!turnOff?.undo) throw new Error('Turning off cannot be taken back.')
    const done = await runBulk(['a', 'b', 'c'], turnOff.send, (count) => progress.push(count))
    expect(done).toEqual(['a', 'c'])
    expect(progress).toEqual([1, 2, 3])
    expect(request.mock.calls).toEqual([
      ['a', false],
      ['b', false],
      ['c', false],
    ])
    await turnOff.undo('a')
    expect(request).toHaveBeenLastCalledWith('a', true)
    expect(BULK_ACTIONS.filter(({ undo }) => undo).map(({ label }) => label)).toEqual([
      ...['Turn on', 'Turn off'],
    ])
  })
})
