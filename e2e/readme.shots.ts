import { join } from 'node:path'

import { addAgent } from './fixtures/agents-page'
import { approve, expectStatus, goTo, paste } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'
import { startSecretService } from './fixtures/secret-service'

const OUT = join(import.meta.dirname, '..', 'docs', 'screenshots')
const SERVERS = [
  ['GitHub', 'github'],
  ['Linear', 'linear'],
  ['Postgres', 'postgres'],
  ['Filesystem', 'filesystem'],
  ['Playwright', 'playwright'],
] as const
const AGENTS = ['Claude Desktop', 'Cursor', 'VS Code']

test('the picture of the README', async ({ openApp }) => {
  const service = await startSecretService()
  const keychain = 'unavailable' in service ? undefined : service
  const { page } = await openApp({
    env: { ...keychain?.env, PATCHBAY_KEYCHAIN_SERVICE: 'Patchbay pictures' },
  })
  await page.setViewportSize({ width: 1280, height: 720 })
  for (const [name, set] of SERVERS) {
    await paste(page, fixtureServer('demo.mjs', { title: name, args: [set] }))
    await page.getByRole('textbox', { name: 'Server name' }).fill(name)
    await approve(page)
    await expectStatus(page, name, 'Ready')
  }
  const keys: string[] = []
  for (const name of AGENTS) keys.push(await addAgent(page, name))
  await goTo(page, 'Home')
  const address = await page.getByText(/^127\.0\.0\.1:\d+\/mcp$/u).textContent()
  for (const [index, key] of keys.entries()) await work(`http://${address}`, key, 40 + 23 * index)
  await expect(page.getByRole('main')).toContainText('3 connected')
  await page.mouse.move(0, 0)
  await expect(page.getByRole('button', { name: 'Close message' })).toHaveCount(0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForTimeout(250)
    await page.screenshot({ path: join(OUT, `readme-${colorScheme}.png`) })
  }
})

/** Lists and calls as an app does while it is used. */
async function work(url: string, key: string, calls: number): Promise<void> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const ask = (message: object): Promise<Response> =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
  const clientInfo = { name: 'picture', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const begun = await ask({ id: 0, method: 'initialize', params })
  headers['mcp-session-id'] = begun.headers.get('mcp-session-id') ?? ''
  await begun.text()
  await (await ask({ method: 'notifications/initialized' })).text()
  const listed = await (await ask({ id: 1, method: 'tools/list' })).text()
  const names = [...listed.matchAll(/"name":"([^"]+__(?:list_issues|query|get_issue))"/gu)]
  for (let id = 2; id < calls + 2; id += 1) {
    const name = names[id % names.length]?.[1]
    await (await ask({ id, method: 'tools/call', params: { name, arguments: {} } })).text()
  }
}
