import type { Client } from '@modelcontextprotocol/client'
import type { Locator, Page } from '@playwright/test'

import { addApp, connectClient, openApp as openSettings } from './fixtures/apps-page'
import { expectStatus, goTo, installReady } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { freePort } from './fixtures/free-port'
import { expect, test } from './fixtures/patchbay-test'

// Each test has its own port.
test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

const SERVER = 'Rich'
const AGENT = 'Codex'

type Progress = { readonly progress: number; readonly message?: string }

/** An agent app: the SDK's client over HTTP. */
class App {
  readonly progress: Progress[] = []

  private constructor(private readonly client: Client) {}

  static async open(port: number, key: string): Promise<App> {
    return new App(await connectClient(port, key))
  }

  /** A tool's answer as text. */
  async call(tool: string, args: Record<string, unknown>): Promise<string> {
    const params = { name: `${SERVER}__${tool}`, arguments: args }
    const onprogress = (progress: Progress): void => void this.progress.push(progress)
    const result = await this.client.callTool(params, { onprogress })
    const [first] = result.content
    const text = first?.type === 'text' ? first.text : ''
    return result.isError === true ? `error: ${text}` : text
  }

  async close(): Promise<void> {
    await this.client.close()
  }
}

/** The approval of a call, once it accepts input. */
async function question(page: Page): Promise<Locator> {
  const dialog = page.getByRole('dialog', {
    name: new RegExp(`^Allow ${AGENT} to run .* on ${SERVER}`, 'u'),
  })
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Deny' })).toBeEnabled()
  return dialog
}

async function chooseScope(page: Page, name: string): Promise<void> {
  await (await question(page)).getByRole('radio', { name, exact: true }).check()
}

async function press(page: Page, name: string): Promise<void> {
  const dialog = await question(page)
  await dialog.getByRole('button', { name }).click()
  await expect(dialog).toBeHidden()
}

/** Sets up a server and an agent whose every call needs approval. */
async function setUp(page: Page): Promise<string> {
  await installReady(page, fixtureServer('rich.mjs'), SERVER)
  const key = await addApp(page, AGENT)
  await page.getByRole('radio', { name: 'Every call' }).click()
  await goTo(page, 'Home')
  return key
}

test.describe("D6: an agent app's call", () => {
  test(
    'follows each answer of its user, even after a restart of the app',
    { tag: '@gate' },
    async ({ openApp, settings }) => {
      const before = await openApp()
      const { page } = before
      const key = await setUp(page)
      const app = await App.open(settings.gatewayPort ?? 0, key)

      // "Once" applies to one call, and so does a denial.
      const once = app.call('echo', { value: 'once' })
      await expect((await question(page)).getByRole('region', { name: 'Arguments' })).toContainText(
        'once',
      )
      await expect.poll(() => app.progress.length).toBeGreaterThan(0)
      expect(app.progress[0]?.message).toBe('Waiting for approval of echo in Patchbay')
      await press(page, 'Allow once')
      expect(await once).toBe('rich: "once"')
      const denied = app.call('echo', { value: 'denied' })
      await press(page, 'Deny')
      expect(await denied).toMatch(/^error: echo was not called: the user denied it\./u)

      // "This session" applies to the tool until the app ends.
      const session = app.call('echo', { value: 'session' })
      await chooseScope(page, 'This session')
      await press(page, 'Allow for this session')
      expect(await session).toBe('rich: "session"')
      expect(await app.call('echo', { value: 'unasked' })).toBe('rich: "unasked"')

      // "Always" is permanent, for this tool only.
      const always = app.call('touch', { uri: 'memo://rich' })
      await chooseScope(page, 'Always')
      await press(page, 'Always allow')
      expect(await always).toBe('touched')
      await app.close()
      await before.close()

      const after = await openApp()
      await expectStatus(after.page, SERVER, 'Ready')
      const again = await App.open(settings.gatewayPort ?? 0, key)
      expect(await again.call('touch', { uri: 'memo://rich' })).toBe('touched')
      const request = again.call('echo', { value: 'later' })
      await press(after.page, 'Deny')
      expect(await request).toMatch(/^error: /u)
      await openSettings(after.page, AGENT)
      await expect(after.page.getByRole('region', { name: 'Always allowed' })).toContainText(
        `touch on ${SERVER}`,
      )
      await after.page.getByRole('button', { name: `Revoke touch on ${SERVER}` }).click()
      await expect(after.page.getByRole('region', { name: 'Always allowed' })).toBeHidden()
      const forgotten = again.call('touch', { uri: 'memo://rich' })
      await press(after.page, 'Allow once')
      expect(await forgotten).toBe('touched')
      await again.close()
    },
  )

  test(
    'is in Activity with its outcome, and leads to its messages, to Try it and to its server',
    { tag: '@gate' },
    async ({ app: { page }, settings }) => {
      await installReady(page, fixtureServer('rich.mjs'), SERVER)
      const key = await addApp(page, AGENT)
      await page.getByRole('switch', { name: 'Log arguments' }).click()
      const app = await App.open(settings.gatewayPort ?? 0, key)
      expect(await app.call('echo', { ms: 1_200, value: 'x'.repeat(3_000) })).toHaveLength(3_008)
      await expect(app.call('refuse', {})).rejects.toMatchObject({ code: 4711 })
      await goTo(page, 'Activity')
      const row = (name: string): Locator =>
        page.locator('.call-row').filter({ has: page.getByRole('button', { name, exact: true }) })
      await expect(row('refuse')).toContainText('Rejected')
      await expect(row('echo')).toContainText('Succeeded')
      await expect(row('echo')).toContainText(AGENT)
      await page.getByRole('button', { name: 'echo', exact: true }).click()
      const detail = page.getByRole('region', { name: 'echo' })
      const took = detail.locator('dt', { hasText: 'Status' }).locator('+ dd')
      // The server took 1.2 s; the machine may have added to that.
      await expect(took).toHaveText(/^Succeededafter (?:[1-9]|\d\d)(?:\.\d+)? s$/u)
      await expect(detail).toContainText(/\d KB request, \d KB response/u)
      await app.close()

      await detail.getByRole('link', { name: 'Open messages' }).click()
      const message = page.getByRole('region', { name: 'Message', exact: true })
      await expect(message.getByRole('heading', { level: 2 })).toHaveText('tools/call echo')
      await expect(page.getByRole('radio', { name: 'Messages' })).toBeChecked()

      await page.goBack()
      await page.getByRole('button', { name: 'echo', exact: true }).click()
      await detail.getByRole('button', { name: 'Run again in Try it' }).click()
      await expect(page.getByRole('textbox', { name: 'ms' })).toHaveValue('1200')

      await page.goBack()
      await page.getByRole('button', { name: 'refuse', exact: true }).click()
      await page
        .getByRole('region', { name: 'refuse' })
        .getByRole('link', { name: 'Open server' })
        .click()
      await expect(page.getByRole('heading', { name: SERVER, level: 1 })).toBeVisible()
    },
  )
})
