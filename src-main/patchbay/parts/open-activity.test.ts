import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { auditThread } from '../../../e2e/fixtures/audit-thread'
import { Harnesses } from '../../../e2e/fixtures/desk'
import { fixtureServer } from '../../../e2e/fixtures/fixture-server'
import { keepCalls } from '../../../e2e/fixtures/kept-calls'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { testCall, testQuery } from '../../../e2e/fixtures/test-calls'
import { createRedactor } from '../../core/masking/redact'
import type { StateEvent } from '../../core/state/state-feed'
import { openActivity } from './open-activity'

const desks = new Harnesses()
const createAuditWorker = auditThread()
afterEach(() => desks.closeAll())

/** A desk that keeps calls, with those of before in its profile. */
function openQueue(profileDir: string): ReturnType<Harnesses['open']> {
  return desks.open(undefined, { profileDir, createAuditWorker })
}

describe('D6 the activity of a running desk', () => {
  it('answers what was kept before, tells its state, and forgets it', async () => {
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

  it('says when its file had to be set aside', async () => {
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

  it('masks the secrets of the server that was called, and no other’s; of one that is gone any', async () => {
    const harness = openQueue(tempFolder('activity'))
    const installationId = await harness.installStopped(fixtureServer('plain.mjs'))
    const { servers } = harness.patchbay
    servers.read(installationId).log.setRedactor(createRedactor(['correct-horse']))
    const feed = { addNotice: () => {}, dismissNotice: () => {}, activityChanged: () => {} }
    const activity = openActivity({
      profileDir: tempFolder('activity'),
      settings: () => ({ activityDays: 30 }),
      servers,
      feed,
      createAuditWorker,
    })
    const other = await harness.installStopped(fixtureServer('plain.mjs', { title: 'other' }))
    const message = 'The word correct-horse is wrong.'
    const masked = 'The word •••••••• is wrong.'
    activity.record(testCall({ installationId, message }))
    activity.record(testCall({ installationId: other, message }))
    activity.record(testCall({ installationId: 'gone', message }))
    const { calls } = await activity.query(testQuery())
    await activity.close()
    expect(calls.map((call) => call.message)).toEqual([masked, message, masked])
  })

  it('keeps nothing where there is no thread for it', async () => {
    const harness = desks.open()
    expect(await harness.call('activity.query', {})).toEqual({ calls: [], total: 0, newest: 0 })
  })
})
