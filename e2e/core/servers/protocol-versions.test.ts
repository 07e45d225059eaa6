import { describe, expect, it } from 'vitest'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { fixtureServer } from '../../fixtures/fixture-server'
import { openHarness } from '../../fixtures/open-harness'

describe('B13: the remembered protocol version', () => {
  it('belongs to one server, even if two are scripts of the same program', async () => {
    const harness = openHarness()
    const sessions = await harness.install(fixtureServer('plain.mjs'))
    const stateless = await harness.install(fixtureServer('modern.mjs', { args: ['only'] }))
    const spoken = async (installationId: string): Promise<string | undefined> =>
      (await harness.until(installationId, 'ready')).protocolVersion
    expect([await spoken(sessions), await spoken(stateless)]).toEqual(['2025-11-25', '2026-07-28'])
    for (const installationId of [stateless, sessions, stateless]) {
      const { pid } = await harness.view(installationId)
      await harness.call('server.restart', { installationId })
      await expect
        .poll(() => harness.view(installationId))
        .toSatisfy((view: ServerView) => view.status.kind === 'ready' && view.pid !== pid)
    }
    // Without its version, a stateless server would fail its start before it is asked again.
    const lines = await harness.log(stateless)
    expect(lines.filter((text) => /Initialization failed/iu.test(text))).toEqual([])
    expect([await spoken(sessions), await spoken(stateless)]).toEqual(['2025-11-25', '2026-07-28'])
  })
})
