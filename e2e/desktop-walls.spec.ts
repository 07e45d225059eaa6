import { join } from 'node:path'

import { EVENT_CHANNELS, REQUEST_CHANNELS } from '../src-shared/ipc/channels'
import { expect, snapshot, test } from './fixtures/desktop-test'
import type { DesktopApp } from './ways-in/desktop-app'
import { DEFAULT_OUT_DIR } from './ways-in/desktop-app'

/** Addresses opened in the system's browser, oldest first. */
const addresses = (app: DesktopApp) => app.calls().map(({ args }) => args[0])

test.describe('D7: the desktop shell', () => {
  test(
    'gives its page only the bridge, lets it run only its own files and connect to nobody',
    { tag: '@gate' },
    async ({ desktop }) => {
      const app = await desktop.launch()
      const { page } = app
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await test.step('provides only the frozen bridge of the contract', async () => {
        const exposed = await page.evaluate(() => ({
          keys: Object.keys(bridge),
          requests: Object.keys(bridge.requests),
          events: Object.keys(bridge.events),
          frozen: Object.isFrozen(bridge) && Object.isFrozen(bridge.requests),
          node: ['require', 'process', 'module', 'Buffer', 'ipcRenderer'].filter(
            (name) => name in globalThis,
          ),
        }))
        expect(exposed).toEqual({
          keys: ['requests', 'events', 'pathOfFile'],
          requests: [...REQUEST_CHANNELS],
          events: [...EVENT_CHANNELS],
          frozen: true,
          node: [],
        })
      })
      await test.step('answers requests and sends events', async () => {
        expect((await snapshot(app)).info).toMatchObject({ wayIn: 'desktop', canPickPath: true })
        const theme = await page.evaluate(
          () =>
            new Promise((resolve) => {
              bridge.events['settings.changed'](({ settings }) => resolve(settings.theme))
              void bridge.requests['settings.update']({ theme: 'dark' })
            }),
        )
        expect(theme).toBe('dark')
        const rejected = await page.evaluate(() =>
          bridge.requests['server.start']({ installationId: 7 as unknown as string }),
        )
        expect(rejected).toMatchObject({ ok: false, error: { code: 'INVALID_REQUEST' } })
      })
      await test.step('runs no script but its own files', async () => {
        const violated = await page.evaluate<string>(`new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) =>
          resolve(event.effectiveDirective + ' ' + event.blockedURI),
        )
        const script = document.createElement('script')
        script.textContent = 'globalThis.injected = true'
        document.body.append(script)
      })`)
        expect(violated).toBe('script-src-elem inline')
        expect(await page.evaluate(() => 'injected' in globalThis)).toBe(false)
      })
      await test.step('needs nothing that its policy blocks', async () => {
        await page.addInitScript(`globalThis.refused = []
        document.addEventListener('securitypolicyviolation', (event) =>
          refused.push(event.effectiveDirective + ' ' + event.blockedURI),
        )`)
        await page.reload()
        await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
        expect(await page.evaluate('refused')).toEqual([])
      })
      await test.step('connects to no address, and shows no frame', async () => {
        const fetched = await page.evaluate(() =>
          fetch('https://example.com/').then(
            () => 'answered',
            () => 'refused',
          ),
        )
        expect(fetched).toBe('refused')
        const violated = await page.evaluate<string>(`new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) =>
          resolve(event.effectiveDirective),
        )
        const frame = document.createElement('iframe')
        frame.src = 'https://example.com/'
        document.body.append(frame)
      })`)
        expect(violated).toBe('frame-src')
      })
    },
  )

  test('requests a page without privileges from Electron', async ({ desktop }) => {
    const app = await desktop.launch()
    const states = await app.page.evaluate<Record<string, string>>(`(async () => {
      const names = ['clipboard-write', 'clipboard-read', 'geolocation', 'notifications', 'camera', 'microphone']
      const states = {}
      for (const name of names) states[name] = (await navigator.permissions.query({ name })).state
      return states
    })()`)
    const { 'clipboard-write': copy, ...others } = states
    expect(copy).toBe('granted')
    expect(new Set(Object.values(others))).toEqual(new Set(['denied']))
    const preferences = await app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows()
      // Electron's own method; its types omit it.
      const contents = window?.webContents as unknown as { getLastWebPreferences(): object }
      return contents.getLastWebPreferences()
    })
    expect(preferences).toMatchObject({
      ...{ sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false },
    })
  })

  test(
    'answers no other window, even with the same page and preload, nor its own once it shows another page',
    { tag: '@gate' },
    async ({ desktop }) => {
      const app = await desktop.launch()
      await expect(app.page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
      const preload = join(DEFAULT_OUT_DIR, 'preload/index.cjs')
      const said = await app.evaluate(async ({ BrowserWindow }, path) => {
        const [own] = BrowserWindow.getAllWindows()
        if (!own) return ['no window']
        const code = `bridge.requests['app.snapshot']({}).then(() => 'answered', (error) => error.message)`
        const other = new BrowserWindow({ show: false, webPreferences: { preload: path } })
        await other.loadURL('app://patchbay/index.html')
        const toOther: unknown = await other.webContents.executeJavaScript(code)
        await own.loadURL('data:text/html,elsewhere')
        return [toOther, (await own.webContents.executeJavaScript(code)) as unknown]
      }, preload)
      const rejected: unknown = expect.stringContaining('Refused app.snapshot')
      expect(said).toEqual([rejected, rejected])
    },
  )

  test(
    'navigates to no address, and opens https only in the system’s browser',
    { tag: '@gate' },
    async ({ desktop }) => {
      const app = await desktop.launch()
      const { page } = app
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const start = page.url()
      const opened = await page.evaluate<unknown[]>(`[
      'file:///etc/passwd',
      'javascript:alert(1)',
      'http://example.com/',
      'smb://host/share',
      'https://user:word@example.com/',
      'https://example.com/opened',
    ].map((address) => window.open(address))`)
      expect(opened).toEqual([null, null, null, null, null, null])
      await page.evaluate(`{
      const link = document.createElement('a')
      link.href = 'https://example.com/linked'
      link.target = '_blank'
      document.body.append(link)
      link.click()
    }`)
      const first = ['https://example.com/opened', 'https://example.com/linked']
      await expect.poll(() => addresses(app)).toEqual(first)
      await page.evaluate("window.location.assign('https://example.com/left')")
      await expect.poll(() => addresses(app)).toEqual([...first, 'https://example.com/left'])
      await page.evaluate("window.location.assign('file:///etc/passwd')").catch(() => undefined)
      await page.evaluate("window.location.assign('http://example.com/')")
      // A later request of the page shows that these were decided.
      await page.evaluate("window.open('https://example.com/after')")
      await expect
        .poll(() => addresses(app))
        .toEqual([...first, 'https://example.com/left', 'https://example.com/after'])
      expect(page.url()).toBe(start)
      expect((await snapshot(app)).info.wayIn).toBe('desktop')
      expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(
        1,
      )
    },
  )
})
