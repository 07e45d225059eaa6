import { readFileSync } from 'node:fs'

import type { Locator, Page } from '@playwright/test'

import { ServerMetrics } from '../src-shared/domain/running/metrics'
import { openAgent } from './fixtures/apps-page'
import { chooseTheme, installReady, openServer, openSettings } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { freePort } from './fixtures/free-port'
import { expect, test } from './fixtures/patchbay-test'

function metric(page: Page, name: string): Locator {
  return page
    .getByRole('region', { name: 'Metrics' })
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
}

async function downloaded(page: Page, button: Locator): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return readFileSync(await download.path(), 'utf8')
}

/** Milliseconds of a shown duration: "12 ms", "1.2 s". */
function milliseconds(shown: string): number {
  return Number.parseFloat(shown) * (shown.endsWith(' ms') ? 1 : 1_000)
}

/** Whether a chart shows anything. */
async function isDrawn(page: Page, title: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const chart = [...document.querySelectorAll('figure')].find(({ textContent }) => textContent.startsWith('${title}'))
    const canvas = chart?.querySelector('canvas')
    return canvas?.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((part) => part > 0)
  })()`)
}

test.describe('B11: the metrics of a server', () => {
  test('exist after its start, are updated, and can be exported', async ({ app: { page } }) => {
    await installReady(page, fixtureServer('plain.mjs'), 'Plain')
    await openServer(page, 'Plain')
    await expect(metric(page, 'Uptime')).toHaveText(/^\d+ s$/u)
    await expect(metric(page, 'Requests')).toHaveText(/^[1-9]/u)
    await expect(metric(page, 'Received')).not.toHaveText(/^0 bytes/u)
    await expect(page.getByRole('img', { name: /^Memory\. .+ MB\./u })).toBeVisible()
    const exported = async (): Promise<ServerMetrics> =>
      ServerMetrics.parse(
        JSON.parse(await downloaded(page, page.getByRole('button', { name: 'Export metrics' }))),
      )
    expect((await exported()).totals.stderrLines).toBe(3)

    await page.getByRole('button', { name: 'Restart', exact: true }).click()
    await expect.poll(async () => (await exported()).totals.stderrLines).toBe(6)
    // A start by the user isn't a restart.
    await expect(metric(page, 'Uptime')).not.toContainText('restart')
    await openSettings(page, 'Advanced')
    const all = await downloaded(page, page.getByRole('button', { name: 'Export metrics' }))
    expect(JSON.stringify(JSON.parse(all))).toContain('"Plain"')
  })

  test('have charts with labels and values, in every theme and at every width', async ({
    app: { page },
  }) => {
    const rejected: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy/iu.test(message.text())) rejected.push(message.text())
    })
    await installReady(page, fixtureServer('plain.mjs'), 'Plain')
    await openServer(page, 'Plain')
    const memory = page.getByRole('figure', { name: /^Memory/u })
    await expect(memory.getByRole('img', { name: /All processes: .+ MB/u })).toBeVisible()
    const values = memory.getByRole('button', { name: 'Values of memory' })
    await values.press('Enter')
    await expect(
      memory.getByRole('row', { name: /^\d+:\d\d\s[AP]M .+ MB$/u }).first(),
    ).toBeVisible()

    const canvas = memory.locator('canvas')
    for (const theme of ['Dark', 'Light', 'High contrast dark', 'High contrast light'] as const) {
      await chooseTheme(page, theme)
      await openServer(page, 'Plain')
      await expect.poll(() => isDrawn(page, 'Memory')).toBe(true)
    }
    await page.setViewportSize({ width: 900, height: 600 })
    const width = async (of: Locator): Promise<number> => (await of.boundingBox())?.width ?? 0
    await expect
      .poll(async () => Math.abs((await width(canvas)) - (await width(memory))))
      .toBeLessThan(2)
    for (const time of ['6 h', '24 h'] as const) {
      await page.getByRole('radio', { name: time }).click()
      await expect(page.getByRole('figure', { name: /^Requests/u })).toContainText(
        time === '6 h' ? /each [2-9]/u : /each 1\d|each [2-9]\d/u,
      )
    }
    expect(rejected).toEqual([])
  })
})

test.describe('B11: the errors of a server', () => {
  test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

  test('are counted by code, next to the latency', async ({ app: { page }, settings }) => {
    await installReady(page, fixtureServer('works.mjs'), 'Works')
    const client = await openAgent(page, settings.gatewayPort)
    for (let requestCount = 0; requestCount < 2; requestCount += 1)
      await expect(client.callTool({ name: 'Works__fail' })).rejects.toThrow('No such thing')
    const answered = (ms: number) => client.callTool({ name: 'Works__slow', arguments: { ms } })
    await Promise.all([0, 0, 0, 0, 0, 0, 1_200, 1_200].map(answered))
    await client.close()

    await openServer(page, 'Works')
    await expect(metric(page, 'Requests')).toHaveText(/2 failed, \d[\d.]*%$/u)
    // Two of eight took this long at the server; the machine may have added to all.
    await expect(metric(page, 'Latency')).toHaveText(/^\d+(?:\.\d)? m?sp95 \d+(?:\.\d)? s$/u)
    const [median, most] = (await metric(page, 'Latency').innerText())
      .split('p95')
      .map((part) => milliseconds(part.trim()))
    expect(most).toBeGreaterThanOrEqual(1_200)
    expect(median).toBeLessThan(most ?? 0)
  })
})
