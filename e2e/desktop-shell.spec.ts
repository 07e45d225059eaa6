import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

type Launch = (launch: Omit<DesktopLaunch, 'profileDir'>) => Promise<DesktopApp>

const binary = electronBinary()
const runtimes = [
  { runtime: 'the electron double', start: launchDouble },
  ...(binary === undefined
    ? []
    : [{ runtime: 'Electron', start: (launch: DesktopLaunch) => launchElectron(launch, binary) }]),
]

/** `launch` starts the app on this test's profile; what is still running at the end is closed. */
const test = base.extend<{ profileDir: string; start: typeof launchDouble; launch: Launch }>({
  start: [launchDouble, { option: true }],
  profileDir: async ({}, use) => {
    const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-profile-'))
    await use(profileDir)
    rmSync(profileDir, { recursive: true, force: true, maxRetries: 5 })
  },
  launch: async ({ profileDir, start }, use) => {
    const running: DesktopApp[] = []
    await use(async (launch) => {
      const desktop = await start({ ...launch, profileDir })
      running.push(desktop)
      return desktop
    })
    for (const desktop of running) await desktop.exited(0).catch(() => undefined)
  },
})

const snapshot = async (desktop: DesktopApp): Promise<AppState> => {
  const reply = await desktop.page.evaluate(() => bridge.requests['app.snapshot']({}))
  if (!reply.ok) throw new Error(reply.error.message)
  return reply.value
}

for (const { runtime, start } of runtimes) {
  test.describe(`D7 the desktop shell on ${runtime}`, () => {
    test.use({ start })

    test('gives the page the bridge of the contract, frozen, and no more', async ({ launch }) => {
      const { page } = await launch({})
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

    test('answers requests and sends events', async ({ launch }) => {
      const desktop = await launch({})
      expect((await snapshot(desktop)).info).toMatchObject({ wayIn: 'desktop', canPickPath: true })
      const theme = await desktop.page.evaluate(
        () =>
          new Promise((heard) => {
            bridge.events['settings.changed'](({ settings }) => heard(settings.theme))
            void bridge.requests['settings.update']({ theme: 'dark' })
          }),
      )
      expect(theme).toBe('dark')
      const refused = await desktop.page.evaluate(() =>
        bridge.requests['server.start']({ installationId: 7 as unknown as string }),
      )
      expect(refused).toMatchObject({ ok: false, error: { code: 'INVALID_REQUEST' } })
    })

    test('runs no script but its own files', async ({ launch }) => {
      const { page } = await launch({})
      const violated = await page.evaluate(
        () =>
          new Promise<string>((told) => {
            document.addEventListener('securitypolicyviolation', (event) =>
              told(`${event.effectiveDirective} ${event.blockedURI}`),
            )
            const script = document.createElement('script')
            script.textContent = 'globalThis.injected = true'
            document.body.append(script)
          }),
      )
      expect(violated).toBe('script-src-elem inline')
      expect(await page.evaluate(() => 'injected' in globalThis)).toBe(false)
    })

    test('talks to no address, and shows no frame', async ({ launch }) => {
      const { page } = await launch({})
      const outcome = await page.evaluate(async () => {
        const fetched = await fetch('https://example.com/').then(
          () => 'fetched',
          () => 'refused',
        )
        const violated = new Promise<string>((told) => {
          document.addEventListener('securitypolicyviolation', (event) =>
            told(event.effectiveDirective),
          )
        })
        const frame = document.createElement('iframe')
        frame.src = 'https://example.com/'
        document.body.append(frame)
        return [fetched, await violated]
      })
      expect(outcome).toEqual(['refused', 'frame-src'])
    })

    test('answers no other window, even on the same page with the same preload', async ({
      launch,
    }) => {
      const { evaluate } = await launch({})
      const preload = join(DEFAULT_OUT_DIR, 'preload/index.cjs')
      const said = await evaluate(async ({ BrowserWindow }, path) => {
        const window = new BrowserWindow({ show: false, webPreferences: { preload: path } })
        await window.loadURL('app://patchbay/index.html')
        const code = `bridge.requests['app.snapshot']({}).then(() => 'answered', (error) => error.message)`
        return (await window.webContents.executeJavaScript(code)) as string
      }, preload)
      expect(said).toContain('Refused app.snapshot')
    })

    test('answers its window no more once that shows another page', async ({ launch }) => {
      const { evaluate } = await launch({})
      const said = await evaluate(async ({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows()
        if (!window) return 'no window'
        await window.loadURL('data:text/html,elsewhere')
        const code = `bridge.requests['app.snapshot']({}).then(() => 'answered', (error) => error.message)`
        return (await window.webContents.executeJavaScript(code)) as string
      })
      expect(said).toContain('Refused app.snapshot')
    })

    test('opens https addresses in the browser of the person, and others nowhere', async ({
      launch,
    }) => {
      const desktop = await launch({})
      const { page } = desktop
      const start = page.url()
      const opened = await page.evaluate(() =>
        [
          'file:///etc/passwd',
          'javascript:alert(1)',
          'http://example.com/',
          'smb://host/share',
          'https://user:word@example.com/',
          'https://example.com/opened',
        ].map((address) => window.open(address)),
      )
      expect(opened).toEqual([null, null, null, null, null, null])
      await page.evaluate(() => {
        const link = document.createElement('a')
        Object.assign(link, {
          href: 'https://example.com/linked',
          target: '_blank',
          rel: 'noopener',
        })
        document.body.append(link)
        link.click()
      })
      await page.evaluate(() => window.location.assign('file:///etc/passwd')).catch(() => undefined)
      await page.evaluate(() => window.location.assign('https://example.com/left'))
      await expect
        .poll(async () => (await desktop.calls()).map(({ args }) => args[0]))
        .toEqual([
          'https://example.com/opened',
          'https://example.com/linked',
          'https://example.com/left',
        ])
      expect(page.url()).toBe(start)
      expect((await snapshot(desktop)).info.wayIn).toBe('desktop')
      expect(
        await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length),
      ).toBe(1)
    })
  })

  test.describe(`D1 the life of the desktop app on ${runtime}`, () => {
    test.use({ start })

    test('quits in order: asked, by signal, and with its window', async ({ launch }) => {
      const asked = await launch({})
      const windows = await asked.evaluate(({ app, BrowserWindow }) => {
        app.quit()
        return BrowserWindow.getAllWindows().length
      })
      expect(windows, 'windows while the servers are being stopped').toBe(1)
      expect(await asked.exited()).toBe(0)

      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
        const told = await launch({})
        process.kill(told.pid, signal)
        expect(await told.exited(), signal).toBe(0)
      }
      const left = await launch({})
      await left.page.close()
      expect(await left.exited()).toBe(0)
    })

    test('runs once: a second start brings the first window to the front and ends', async ({
      launch,
    }) => {
      const first = await launch({})
      await first.evaluate(({ BrowserWindow }) => {
        BrowserWindow.getAllWindows()[0]?.on('focus', () =>
          Object.assign(globalThis, { focused: true }),
        )
      })
      await expect(launch({})).rejects.toThrow()
      await expect.poll(() => first.evaluate(() => 'focused' in globalThis)).toBe(true)
      expect(await first.close()).toBe(0)
    })

    test('keeps a damaged settings file aside, starts, and says so', async ({
      launch,
      profileDir,
    }) => {
      writeFileSync(join(profileDir, 'settings.json'), '{"half')
      const desktop = await launch({})
      const { notices } = await snapshot(desktop)
      expect(notices).toMatchObject([{ title: 'Patchbay started with empty settings' }])
      const aside = readdirSync(profileDir).find((name) => name.startsWith('settings.corrupt-'))
      expect(readFileSync(join(profileDir, aside ?? ''), 'utf8')).toBe('{"half')
    })

    test('uses the keychain where there is one', async ({ launch }) => {
      const service = await startSecretService()
      if ('unavailable' in service) {
        test.skip(true, service.unavailable)
        return
      }
      try {
        const desktop = await launch({
          env: { ...service.env, PATCHBAY_KEYCHAIN_SERVICE: 'Patchbay test' },
        })
        await expect.poll(async () => (await snapshot(desktop)).secretStore.kind).toBe('keychain')
        expect(await desktop.close()).toBe(0)
      } finally {
        await service.stop()
      }
    })
  })
}
