import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { FrameLocator, Page } from '@playwright/test'

import { expectStatus, install } from './fixtures/drive'
import { expect, test } from './fixtures/patchbay-test'
import { openViewTab, viewFrame, viewOf } from './fixtures/view-page'

/** Time for a first download over a slow connection, in ms. */
const DOWNLOAD_LIMIT_MS = 240_000
/** Time from the click until the view reported its size, in ms. */
const SHOWN_LIMIT_MS = 1_000
const VERSION = '2.0.3'
const PICTURES = 'test-results/views'

type Published = {
  readonly name: string
  readonly tool: string
  readonly isDrawn: (view: FrameLocator) => Promise<void>
}

const NOTHING = 'It loads nothing from the internet and can call this server’s tools.'
/** Without the map view, which shows nothing without hosts that a test can’t reach. */
const SERVERS: readonly Published[] = [
  {
    ...{ name: 'basic-react', tool: 'get-time' },
    isDrawn: async (view) => {
      await view.getByRole('button', { name: 'Get Server Time' }).click()
      await expect(view.getByText(/\d{4}-\d\d-\d\dT/u).first()).toBeVisible()
    },
  },
  {
    ...{ name: 'budget-allocator', tool: 'get-budget-data' },
    isDrawn: async (view) => {
      await expect(view.getByText('Marketing').first()).toBeVisible()
      await expect(view.locator('canvas').first()).toBeVisible()
    },
  },
  {
    ...{ name: 'system-monitor', tool: 'get-system-info' },
    isDrawn: (view) => expect(view.getByText('CPU').first()).toBeVisible(),
  },
  {
    ...{ name: 'threejs', tool: 'show_threejs_scene' },
    isDrawn: (view) => expect(view.locator('canvas').first()).toBeVisible(),
  },
  {
    ...{ name: 'cohort-heatmap', tool: 'get-cohort-data' },
    isDrawn: (view) => expect(view.getByText('Cohort').first()).toBeVisible(),
  },
]

function published(name: string): object {
  return {
    name: `io.github.modelcontextprotocol/server-${name}`,
    title: name,
    description: `The example ${name}.`,
    version: VERSION,
    packages: [
      {
        ...{ registryType: 'npm', identifier: `@modelcontextprotocol/server-${name}` },
        ...{ version: VERSION, transport: { type: 'stdio' } },
        packageArguments: [{ type: 'positional', value: '--stdio' }],
      },
    ],
  }
}

/** Hosts beyond this computer that the page and its frames request. */
function foreignHosts(page: Page): readonly string[] {
  const hosts: string[] = []
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    const isOwn = hostname === '127.0.0.1' || hostname.endsWith('.localhost')
    if (/^(?:http|ws)s?:$/u.test(protocol) && !isOwn) hosts.push(hostname)
  })
  return hosts
}

/** Times from a click on Show view until the view started and until it reported its size, in ms. */
function timesOf(page: Page): Promise<{ readonly started: number; readonly shown: number }> {
  return page.evaluate(`new Promise((done) => {
    const times = {}
    let clicked
    addEventListener('click', () => (clicked ??= performance.now()), true)
    addEventListener('message', ({ data }) => {
      if (data?.method === 'ui/notifications/initialized') times.started ??= performance.now() - clicked
      if (data?.method === 'ui/notifications/size-changed') times.shown ??= performance.now() - clicked
      if (times.started !== undefined && times.shown !== undefined) done(times)
    })
    // One without a size is shown as soon as it started.
    addEventListener('message', ({ data }) => {
      if (data?.method === 'ui/notifications/initialized')
        setTimeout(() => done({ shown: times.started, ...times }), 5000)
    })
  })`)
}

test.describe('E13: views of published servers', () => {
  test.describe.configure({ timeout: DOWNLOAD_LIMIT_MS, mode: 'default' })

  for (const { name, tool, isDrawn } of SERVERS)
    test(`${name} is shown without requests to other hosts`, async ({ app: { page } }) => {
      mkdirSync(PICTURES, { recursive: true })
      const foreign = foreignHosts(page)
      const allow = page.getByRole('button', { name: 'Allow for this view' })
      await page.addLocatorHandler(allow, () => allow.click())
      await install(page, published(name), name)
      await expectStatus(page, name, 'Ready', DOWNLOAD_LIMIT_MS)
      await openViewTab(page, name, tool)
      await expect(page.getByRole('region', { name: 'Show the view?' })).toContainText(NOTHING)
      const times = timesOf(page)
      await page.getByRole('button', { name: 'Show view' }).click()
      const { started, shown } = await times
      await isDrawn(viewOf(page))
      await viewFrame(page).scrollIntoViewIfNeeded()
      await page.screenshot({ path: join(PICTURES, `${name}-light.png`) })
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.screenshot({ path: join(PICTURES, `${name}-dark.png`) })
      const line = { name, started: Math.round(started), shown: Math.round(shown) }
      writeFileSync(join(PICTURES, `${name}.json`), JSON.stringify(line))
      process.stdout.write(`${JSON.stringify(line)}\n`)
      // Reliable because this part runs one test at a time.
      expect(line.shown).toBeLessThan(SHOWN_LIMIT_MS)
      expect(foreign).toEqual([])
      await page.getByRole('button', { name: 'Close view' }).click()
      await expect(page.locator('iframe')).toHaveCount(0)
    })

  test('the map view names its hosts before any request', async ({ app: { page } }) => {
    const foreign = foreignHosts(page)
    await install(page, published('map'), 'map')
    await expectStatus(page, 'map', 'Ready', DOWNLOAD_LIMIT_MS)
    await openViewTab(page, 'map', 'show-map')
    await expect(page.getByRole('region', { name: 'Show the view?' })).toContainText(
      'It can load from *.cesium.com, *.openstreetmap.org, and cesium.com and call this server’s tools.',
    )
    expect(foreign).toEqual([])
  })
})
