import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { builtThread } from '../../../e2e/fixtures/built-program'
import type { Harness } from '../../../e2e/fixtures/harness'
import { keepCalls } from '../../../e2e/fixtures/kept-calls'
import { openHarness } from '../../../e2e/fixtures/open-harness'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { testCall, testQuery } from '../../../e2e/fixtures/test-calls'
import { Settings } from '../../../src-shared/domain/state/settings'
import type { StateEvent } from '../../../src-shared/ipc/contract'
import { systemTime } from '../../core/lifecycle/system-time'
import { createRedactor } from '../../core/masking/redact'
import { ServerLogs } from '../../core/servers/server-logs'
import { Changes, Notices } from '../../core/state/changes'
import { openActivity } from './activity'
import type { AppContext } from './context'

const createAuditWorker = builtThread('audit')

/** Opens a harness that records calls, with the stored calls of its profile. */
function openQueue(profileDir: string): Harness {
  return openHarness(undefined, { profileDir, createAuditWorker })
}

describe('D6: the activity of a running app', () => {
  it('returns stored calls, reports its state, and can be cleared', async () => {
    const profileDir = tempFolder('activity')
    keepCalls(profileDir, [
      testCall({ target: 'a' }),
      testCall({ target: 'b', outcome: 'refused' }),
    ])
    const harness = openQueue(profileDir)
    const events: StateEvent[] = []
    harness.patchbay.onEvent((event) => events.push(event))
    const { calls } = await harness.call('activity.query', { outcomes: ['refused'] })
    expect(calls.map(({ target }) => target)).toEqual(['b'])
    expect((await harness.call('app.snapshot', {})).activity).toEqual({ newest: 2, kept: 2 })
    expect(await harness.call('activity.export', {})).toMatchObject({ count: 2 })
    await harness.call('activity.clear', {})
    await expect
      .poll(() =>
        events.flatMap((event) =>
          event.channel === 'activity.changed' ? [event.payload.activity] : [],
        ),
      )
      .toEqual([
        { newest: 2, kept: 2 },
        { newest: 2, kept: 0 },
      ])
  })

  it('reports that its file had to be moved aside', async () => {
    const profileDir = tempFolder('activity')
    keepCalls(profileDir, [testCall()])
    writeFileSync(join(profileDir, 'activity', 'activity.db'), 'This is no database. '.repeat(500))
    const harness = openQueue(profileDir)
    expect((await harness.call('activity.query', {})).total).toBe(0)
    const { notices } = await harness.call('app.snapshot', {})
    expect(notices).toContainEqual(
      expect.objectContaining({ noticeId: 'activity-lost', title: 'Activity was reset' }),
    )
  })

  it('masks the secrets of the called server only, and those of all servers if it is gone', async () => {
    const logs = new ServerLogs(() => undefined)
    logs.open('one').setRedactor(createRedactor(['correct-horse']))
    logs.open('other')
    const changes = new Changes()
    const context = {
      ...{ profileDir: tempFolder('activity'), changes, time: systemTime },
      settings: () => Settings.parse({}),
      notices: new Notices(changes),
    } as AppContext
    const { record, handlers, close } = openActivity(context, logs, createAuditWorker)
    const message = 'The word correct-horse is wrong.'
    const masked = 'The word •••••••• is wrong.'
    for (const installationId of ['one', 'other', 'gone'])
      record(testCall({ installationId, message }))
    const { calls } = await handlers['activity.query'](testQuery())
    await close()
    expect(calls.map((call) => call.message)).toEqual([masked, message, masked])
  })

  it('records nothing without a worker thread', async () => {
    const harness = openHarness()
    expect(await harness.call('activity.query', {})).toEqual({ calls: [], total: 0, newest: 0 })
  })
})
