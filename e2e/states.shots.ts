import type { Page } from '@playwright/test'

import { expectStatus, install } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { holdRequests, refuseRequests } from './fixtures/hold-requests'
import { HostHome } from './fixtures/host-files'
import { expect, test } from './fixtures/patchbay-test'
import { shoot, WIDE } from './fixtures/shoot'

/** What screens ask when they open. */
const READS = [
  ...['catalog.query', 'catalog.detail', 'catalog.versions', 'metrics.read', 'history.read'],
  ...['history.failures', 'server.capabilities', 'log.rows', 'log.usage', 'tools.list'],
  ...['tools.read', 'tools.history', 'messages.read', 'activity.query', 'activity.counts'],
  ...['hosts.servers', 'removal.read', 'installation.read', 'launch.preview', 'network.read'],
  ...['runner.list', 'agent.tools', 'toolRun.history'],
]
const PLACES = {
  ...{ home: '/', servers: '/servers', tools: '/tools', apps: '/apps', activity: '/activity' },
  ...{ logs: '/logs', catalog: '/catalog', import: '/import', settings: '/settings' },
  removal: '/settings/remove-everything',
}

async function open(page: Page, place: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
}

async function shootAll(
  page: Page,
  state: string,
  places: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, place] of Object.entries(places)) {
    await open(page, place)
    await page.waitForTimeout(700)
    await shoot(page, `${state}-${name}`)
  }
}

/** The address of the server that was set up last. */
async function serverPlaces(page: Page): Promise<Record<string, string>> {
  await open(page, '/servers')
  const link = page.getByRole('link', { name: 'Quiet', exact: true }).first()
  const href = (await link.getAttribute('href'))?.replace('#', '') ?? ''
  const tabs = ['overview', 'tools', 'log', 'messages', 'history', 'settings', 'configure']
  return Object.fromEntries(tabs.map((tab) => [`server-${tab}`, `${href}/${tab}`]))
}

test('empty states of every screen', async ({ openApp }) => {
  using home = new HostHome()
  const { page } = await openApp({ env: home.env })
  await page.setViewportSize(WIDE)
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
  await shootAll(page, 'empty', PLACES)
  await open(page, '/catalog')
  await page.getByRole('searchbox', { name: 'Search catalog' }).fill('zzzzqq')
  await page.waitForTimeout(700)
  await shoot(page, 'empty-catalog-search')
  await install(page, fixtureServer('plain.mjs', { title: 'Quiet' }), 'Quiet')
  await expectStatus(page, 'Quiet', 'Ready')
  await shootAll(page, 'first', { ...PLACES, ...(await serverPlaces(page)) })
  await shootAll(page, 'gone', {
    ...{ server: '/servers/none', app: '/apps/none', entry: '/setup/none/package-0' },
    ...{ page: '/nowhere', toolRun: '/servers/none/try/tool/none' },
  })
})

test('loading states of every screen', async ({ openApp }) => {
  const { page } = await openApp()
  await page.setViewportSize(WIDE)
  await install(page, fixtureServer('plain.mjs', { title: 'Quiet' }), 'Quiet')
  await expectStatus(page, 'Quiet', 'Ready')
  const places = { ...PLACES, ...(await serverPlaces(page)) }
  await holdRequests(page, ...READS)
  await shootAll(page, 'loading', places)
})

test('error states of every screen', async ({ openApp }) => {
  const { page } = await openApp()
  await page.setViewportSize(WIDE)
  await install(page, fixtureServer('plain.mjs', { title: 'Quiet' }), 'Quiet')
  await expectStatus(page, 'Quiet', 'Ready')
  const places = { ...PLACES, ...(await serverPlaces(page)) }
  await refuseRequests(page, ...READS)
  await shootAll(page, 'error', places)
})
