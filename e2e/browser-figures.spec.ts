import { readFileSync } from 'node:fs'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Locator, Page } from '@playwright/test'

import { ServerMetrics } from '../src-shared/domain/running/metrics'
import { addApp } from './fixtures/apps-page'
import { faultsOf } from './fixtures/axe-faults'
import {
  chooseTheme,
  expectStatus,
  install,
  openServer,
  openSettings,
  paste,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { freePort } from './fixtures/free-port'
import { expect, test } from './fixtures/patchbay-test'

function figure(page: Page, name: string): Locator {
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

/** Of a duration as it is shown: "12 ms", "1.2 s". */
function milliseconds(shown: string): number {
  return Number.parseFloat(shown) * (shown.endsWith(' ms') ? 1 : 1_000)
}

/** Whether anything is drawn on the chart of a title. */
async function isDrawn(page: Page, title: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const chart = [...document.querySelectorAll('figure')].find(({ textContent }) => textContent.startsWith('${title}'))
    const canvas = chart?.querySelector('canvas')
    return canvas?.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((part) => part > 0)
  })()`)
}

test.describe('B11: the figures of a server', () => {
  test('are there after its start, follow what it says, and can be taken along', async ({
    app: { page },
  }) => {
    await install(page, fixtureServer('plain.mjs'), 'Plain')
    await expectStatus(page, 'Plain', 'Ready')
    await openServer(page, 'Plain', 'Metrics')
    const region = page.getByRole('region', { name: 'Metrics' })
    await expect(region).toContainText(/Ready for .+ of the last hour\. No restarts\./u)
    await expect(figure(page, 'stderr lines')).toHaveText('3')
    await expect(figure(page, 'Current processes')).toHaveText(/^[1-9]/u)
    await expect(figure(page, 'Current memory')).toHaveText(/ MB$/u)
    await expect(figure(page, 'Received')).not.toHaveText('0 bytes')
    const steps = page.getByRole('table', { name: 'Startup time by step' })
    await expect(steps.getByRole('row', { name: /^Handshake 1 /u })).toBeVisible()

    await page.getByRole('button', { name: 'Restart', exact: true }).click()
    await expect(figure(page, 'stderr lines')).toHaveText('6')
    await expect(steps.getByRole('row', { name: /^Handshake 2 /u })).toBeVisible()
    // A start that a person asked for is none by itself.
    await expect(figure(page, 'Restarts')).toHaveText('0')

    const text = await downloaded(page, page.getByRole('button', { name: 'Export metrics' }))
    expect(ServerMetrics.parse(JSON.parse(text)).totals.stderrLines).toBe(6)
    await openSettings(page, 'Advanced')
    const all = await downloaded(page, page.getByRole('button', { name: 'Export metrics' }))
    expect(JSON.stringify(JSON.parse(all))).toContain('"Plain"')
  })

  test('have charts with words and values, in every theme and at every width', async ({
    app: { page },
  }) => {
    const refused: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy/iu.test(message.text())) refused.push(message.text())
    })
    await install(page, fixtureServer('plain.mjs'), 'Plain')
    await expectStatus(page, 'Plain', 'Ready')
    await openServer(page, 'Plain', 'Metrics')
    const lines = page.getByRole('figure', { name: /^Lines/u })
    // The second, once another minute has begun.
    const words = /stderr: (?:constant at 3|0 to 3, last 0)\./u
    await expect(lines).toContainText(words)
    await expect(lines.getByRole('img', { name: words })).toBeVisible()
    const values = lines.getByRole('button', { name: 'Values of lines' })
    await values.press('Enter')
    await expect(lines.getByRole('row', { name: /^\d+:\d\d\s[AP]M 3 0$/u })).toBeVisible()

    const canvas = lines.locator('canvas')
    for (const theme of ['Dark', 'Light', 'High contrast dark', 'High contrast light'] as const) {
      await chooseTheme(page, theme)
      await openServer(page, 'Plain', 'Metrics')
      await expect.poll(() => isDrawn(page, 'Lines')).toBe(true)
      expect.soft(await faultsOf(page, theme), theme).toEqual([])
    }
    await page.setViewportSize({ width: 900, height: 600 })
    const width = async (of: Locator): Promise<number> => (await of.boundingBox())?.width ?? 0
    await expect
      .poll(async () => Math.abs((await width(canvas)) - (await width(lines))))
      .toBeLessThan(2)
    for (const time of ['6 h', '24 h'] as const) {
      await page.getByRole('radio', { name: time }).click()
      await expect(page.getByRole('region', { name: 'Metrics' })).toContainText(
        `of the last ${time}.`,
      )
    }
    expect(refused).toEqual([])
  })

  test('say so while nothing was counted', async ({ app: { page } }) => {
    await paste(page, fixtureServer('plain.mjs'))
    await page.getByRole('button', { name: 'Save for later' }).click()
    await openServer(page, 'plain', 'Metrics')
    await expect(page.getByRole('heading', { name: 'No metrics yet' })).toBeVisible()
    await page.getByRole('radio', { name: '24 h' }).click()
    await expect(page.getByText('Start the server to collect metrics.')).toBeVisible()
  })
})

test.describe('B11: the errors of a server', () => {
  test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

  test('are counted by their code, and the latency of its answers is shown', async ({
    app: { page },
    settings,
  }) => {
    await install(page, fixtureServer('works.mjs'), 'Works')
    await expectStatus(page, 'Works', 'Ready')
    const key = await addApp(page, 'Codex')
    const client = new Client({ name: 'codex', version: '1' })
    const url = new URL(`http://127.0.0.1:${String(settings.gatewayPort)}/mcp`)
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
    for (let asked = 0; asked < 2; asked += 1)
      await expect(client.callTool({ name: 'Works__fail' })).rejects.toThrow('No such thing')
    const answered = (ms: number) => client.callTool({ name: 'Works__slow', arguments: { ms } })
    await Promise.all([0, 0, 0, 0, 0, 0, 1_200, 1_200].map(answered))
    await client.close()

    await openServer(page, 'Works', 'Metrics')
    const errors = page.getByRole('table', { name: 'Errors by code' })
    await expect(errors.getByRole('row', { name: /^-32002 2$/u })).toBeVisible()
    await expect(errors.getByRole('row')).toHaveCount(2)
    await expect(figure(page, 'Errors')).toHaveText(/^2\d[\d.]*%$/u)
    // Two of eight took as long at their server; the machine may have added to all.
    await expect(figure(page, 'Latency (p95)')).toHaveText(/^\d+(?:\.\d)? s$/u)
    const [median, most] = ['median', 'p95'].map(async (part) =>
      milliseconds(await figure(page, `Latency (${part})`).innerText()),
    )
    expect(await most).toBeGreaterThanOrEqual(1_200)
    expect(await median).toBeLessThan((await most) ?? 0)
  })
})

test.describe('B11: a collector of figures', () => {
  test('is an address, and a way that others can read is told', async ({ app: { page } }) => {
    await openSettings(page, 'Advanced')
    const section = page.getByRole('region', { name: 'Metrics' })
    const field = section.getByRole('textbox', { name: 'OpenTelemetry collector' })
    await field.fill('collector')
    await field.press('Enter')
    await expect(section.getByRole('alert')).toContainText('Enter an address that starts with')
    await field.fill('http://collector.invalid:4318/')
    await field.press('Enter')
    await expect(section.getByRole('alert')).toHaveCount(0)
    await expect(field).toHaveValue('http://collector.invalid:4318')
    await expect(section.getByRole('status')).toContainText(
      'The connection to collector.invalid is not encrypted',
    )
    await section.getByRole('button', { name: 'Reset OpenTelemetry collector' }).click()
    await expect(field).toHaveValue('')
    await expect(section.getByRole('status')).toHaveText('')
  })
})
