import { approve, expectStatus, factOf, nameIt, openServer, paste } from './fixtures/drive'
import { expect, test } from './fixtures/patchbay-test'
import { SseServer } from './fixtures/sse-server'

const remoteAt = (url: string) => ({
  name: 'test.fixture/far',
  title: 'Far',
  description: 'A server somewhere else.',
  version: '1.0.0',
  remotes: [{ type: 'sse', url }],
})

test.describe('C10: a server over HTTP', () => {
  test.use({ settings: { firstWaitMs: 300, longestWaitMs: 1_000 } })

  test('an unreachable remote is never given up, is reported, and returns', async ({
    app: { page },
  }) => {
    const remote = await SseServer.open()
    const { host, port } = new URL(remote.url)
    await paste(page, remoteAt(remote.url))
    await nameIt(page, 'Far one')
    await approve(page)
    await expectStatus(page, 'Far one', 'Ready')
    await openServer(page, 'Far one')
    const main = page.getByRole('main')
    await expect(factOf(page, 'Protocol')).toHaveText('2025-11-25')

    await remote[Symbol.asyncDispose]()
    await expectStatus(page, 'Far one', 'Retrying')
    await expect(main).toContainText(`Can’t reach ${host}: the connection was refused`)
    // Another failed start would have paused by now.
    await expect(main).toContainText(/Next try (in \d+ s|now), attempt ([6-9]|\d\d)\./u)
    await expect(main.getByRole('button', { name: 'Try now' })).toBeVisible()

    await using again = await SseServer.open(Number(port))
    await expectStatus(page, 'Far one', 'Ready')
    expect(again.opened).toBe(1)
  })
})
