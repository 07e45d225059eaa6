import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test as base } from '@playwright/test'

import type { AppState } from '../src-shared/domain/app-state'
import { EVENT_CHANNELS, REQUEST_CHANNELS } from '../src-shared/ipc/channels'
import type { Bridge } from '../src-shared/ipc/contract'
import { startSecretService } from './fixtures/secret-service'
import type { DesktopApp, DesktopLaunch } from './ways-in/desktop-app'
import { DEFAULT_OUT_DIR } from './ways-in/desktop-app'
import { launchDouble } from './ways-in/double'
import { electronBinary, launchElectron } from './ways-in/electron'

declare global {
  var bridge: Bridge
}

const binary = electronBinary()
const runtimes = new Map([['the electron double', launchDouble]])
if (binary !== undefined) {
  runtimes.set('Electron', (launch: DesktopLaunch) => launchElectron(launch, binary))
}

type Desktop = {
  readonly profileDir: string
  launch(env?: DesktopLaunch['env']): Promise<DesktopApp>
}

/** `desktop` starts the app on a fresh profile of this test; what is still running at the end is closed. */
const test = base.extend<{ runtime: string; desktop: Desktop }>({
  runtime: ['', { option: true }],
  desktop: async ({ runtime }, use) => {
    const start = runtimes.get(runtime) ?? launchDouble
    const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-profile-'))
    const running: DesktopApp[] = []
    await use({
      profileDir,
      launch: async (env) => {
        const app = await start({ profileDir, env })
        running.push(app)
        return app
      },
    })
    for (const app of running) await app.close()
    rmSync(profileDir, { recursive: true, force: true, maxRetries: 5 })
  },
})

const snapshot = async (app: DesktopApp): Promise<AppState> => {
  const reply = await app.page.evaluate(() => bridge.requests['app.snapshot']({}))
  if (!reply.ok) throw new Error(reply.error.message)
  return reply.value
}

for (const runtime of runtimes.keys()) {
  test.describe(`D7 the desktop shell on ${runtime}`, () => {
    test.use({ runtime })

    test('gives the page the bridge of the contract, frozen, and no more', async ({ desktop }) => {
      const { page } = await desktop.launch()
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
        keys: ['requests', 'events'],
        requests: [...REQUEST_CHANNELS],
        events: [...EVENT_CHANNELS],
        frozen: true,
        node: [],
      })
    })

    test('answers requests and sends events', async ({ desktop }) => {
      const app = await desktop.launch()
      expect((await snapshot(app)).info).toMatchObject({ wayIn: 'desktop', canPickPath: true })
      const theme = await app.page.evaluate(
        () =>
          new Promise((heard) => {
            bridge.events['settings.changed'](({ settings }) => heard(settings.theme))
            void bridge.requests['settings.update']({ theme: 'dark' })
          }),
      )
      expect(theme).toBe('dark')
      const refused = await app.page.evaluate(() =>
        bridge.requests['server.start']({ installationId: 7 as unknown as string }),
      )
      expect(refused).toMatchObject({ ok: false, error: { code: 'INVALID_REQUEST' } })
    })

    test('runs no script but its own files', async ({ desktop }) => {
      const { page } = await desktop.launch()
      const violated = await page.evaluate<string>(`new Promise((told) => {
        document.addEventListener('securitypolicyviolation', (event) =>
          told(event.effectiveDirective + ' ' + event.blockedURI),
        )
        const script = document.createElement('script')
        script.textContent = 'globalThis.injected = true'
        document.body.append(script)
      })`)
      expect(violated).toBe('script-src-elem inline')
      expect(await page.evaluate(() => 'injected' in globalThis)).toBe(false)
    })

    test('talks to no address, and shows no frame', async ({ desktop }) => {
      const { page } = await desktop.launch()
      const fetched = await page.evaluate(() =>
        fetch('https://example.com/').then(
          () => 'answered',
          () => 'refused',
        ),
      )
      expect(fetched).toBe('refused')
      const violated = await page.evaluate<string>(`new Promise((told) => {
        document.addEventListener('securitypolicyviolation', (event) =>
          told(event.effectiveDirective),
        )
        const frame = document.createElement('iframe')
        frame.src = 'https://example.com/'
        document.body.append(frame)
      })`)
      expect(violated).toBe('frame-src')
    })

    test('answers no other window, even on the same page with the same preload', async ({
      desktop,
    }) => {
      const app = await desktop.launch()
      const preload = join(DEFAULT_OUT_DIR, 'preload/index.cjs')
      const said = await app.evaluate(async ({ BrowserWindow }, path) => {
        const window = new BrowserWindow({ show: false, webPreferences: { preload: path } })
        await window.loadURL('app://patchbay/index.html')
        const code = `bridge.requests['app.snapshot']({}).then(() => 'answered', (error) => error.message)`
        return (await window.webContents.executeJavaScript(code)) as string
      }, preload)
      expect(said).toContain('Refused app.snapshot')
    })

    test('answers its window no more once that shows another page', async ({ desktop }) => {
      const app = await desktop.launch()
      const said = await app.evaluate(async ({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows()
        if (!window) return 'no window'
        await window.loadURL('data:text/html,elsewhere')
        const code = `bridge.requests['app.snapshot']({}).then(() => 'answered', (error) => error.message)`
        return (await window.webContents.executeJavaScript(code)) as string
      })
      expect(said).toContain('Refused app.snapshot')
    })

    test('opens https addresses in the browser of the person, and others nowhere', async ({
      desktop,
    }) => {
      const app = await desktop.launch()
      const { page } = app
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
      await expect.poll(async () => (await app.calls()).length).toBe(2)
      await page.evaluate("window.location.assign('file:///etc/passwd')").catch(() => undefined)
      await page.evaluate("window.location.assign('https://example.com/left')")
      await expect
        .poll(async () => (await app.calls()).map(({ args }) => args[0]))
        .toEqual([
          'https://example.com/opened',
          'https://example.com/linked',
          'https://example.com/left',
        ])
      expect(page.url()).toBe(start)
      expect((await snapshot(app)).info.wayIn).toBe('desktop')
      expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(
        1,
      )
    })
  })

  test.describe(`D1 the life of the desktop app on ${runtime}`, () => {
    test.use({ runtime })

    test('quits in order: asked, by signal, and with its window', async ({ desktop }) => {
      const asked = await desktop.launch()
      const windows = await asked.evaluate(({ app, BrowserWindow }) => {
        app.quit()
        return BrowserWindow.getAllWindows().length
      })
      expect(windows, 'windows while the servers are being stopped').toBe(1)
      expect(await asked.exited()).toBe(0)

      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
        const told = await desktop.launch()
        process.kill(told.pid, signal)
        expect(await told.exited(), signal).toBe(0)
      }
      const left = await desktop.launch()
      await left.page.close()
      expect(await left.exited()).toBe(0)
    })

    test('runs once: a second start brings the first window to the front and ends', async ({
      desktop,
    }) => {
      const first = await desktop.launch()
      await first.evaluate(({ BrowserWindow }) => {
        BrowserWindow.getAllWindows()[0]?.on('focus', () =>
          Object.assign(globalThis, { focused: true }),
        )
      })
      await expect(desktop.launch()).rejects.toThrow()
      await expect.poll(() => first.evaluate(() => 'focused' in globalThis)).toBe(true)
      expect(await first.close()).toBe(0)
    })

    test('keeps a damaged settings file aside, starts, and says so', async ({ desktop }) => {
      writeFileSync(join(desktop.profileDir, 'settings.json'), '{"half')
      const app = await desktop.launch()
      const { notices } = await snapshot(app)
      expect(notices).toMatchObject([{ title: 'Patchbay started with empty settings' }])
      const aside = readdirSync(desktop.profileDir).find((name) =>
        name.startsWith('settings.corrupt-'),
      )
      expect(readFileSync(join(desktop.profileDir, aside ?? ''), 'utf8')).toBe('{"half')
    })

    test('says why it cannot start, and ends', async ({ desktop }) => {
      mkdirSync(join(desktop.profileDir, 'settings.json'))
      await expect(desktop.launch()).rejects.toThrow(
        /exited with 1[^]*Patchbay could not start: The settings file .* could not be read/,
      )
    })

    test('uses the keychain where there is one', async ({ desktop }) => {
      const service = await startSecretService()
      if ('unavailable' in service) {
        test.skip(true, service.unavailable)
        return
      }
      try {
        const app = await desktop.launch({
          ...service.env,
          PATCHBAY_KEYCHAIN_SERVICE: 'Patchbay test',
        })
        await expect.poll(async () => (await snapshot(app)).secretStore.kind).toBe('keychain')
        expect(await app.close()).toBe(0)
      } finally {
        await service.stop()
      }
    })
  })
}
