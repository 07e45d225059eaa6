import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { expect, snapshot, test as base } from '../fixtures/desktop-test'
import { expectStatus, installReady, setUp } from '../fixtures/drive'
import { fixtureServer } from '../fixtures/fixture-server'
import { tellingBundle } from '../fixtures/make-bundle'
import { descendantsOf, isAlive } from '../fixtures/patchbay-test'
import { RequestingServer } from '../fixtures/requesting-server'
import type { DesktopApp } from '../ways-in/desktop-app'
import { electronBinary, launchElectron } from '../ways-in/electron'
import { DesktopServices } from './desktop-services'
import { areaOf, movePointer, newWindow, press, shoot, type, windowsNamed } from './screen'

/** `services` are the desktop's: tray, notifications, and a keychain that never answers. */
const test = base.extend<object, { services: DesktopServices }>({
  services: [
    async ({}, use) => {
      const services = await DesktopServices.open()
      await use(services)
      services.close()
    },
    { scope: 'worker', auto: true },
  ],
})

/** Expects the window to be visible, as after its first paint. */
async function expectVisible(app: DesktopApp): Promise<void> {
  const isFocused = (): Promise<boolean | undefined> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isFocused())
  await expect.poll(isFocused).toBe(true)
}

function heading(page: Page, name: string) {
  return page.getByRole('heading', { name, level: 1 })
}

/** The window's reported bounds. */
function boundsOf(app: DesktopApp) {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds())
}

async function typeSomething({ page }: DesktopApp) {
  await setUp(page, 'Filesystem')
  const field = page.getByRole('textbox', { name: 'Allowed folders 1' })
  await field.fill('/typed')
  return field
}

test.describe('D8: the desktop app on a real desktop', () => {
  test('opens places from its tray and a notification, even while its page loads', async ({
    desktop,
    services,
  }) => {
    const asking = new RequestingServer(test.info().outputPath('asks.jsonl'))
    const app = await desktop.launch()
    const { page } = app
    await installReady(page, asking.entry, 'Asker')
    await expect.poll(() => services.trayLabels()).toContain('1 of 1 server running')
    await services.chooseInTray('Settings…')
    await expect(heading(page, 'Settings')).toBeVisible()
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.reload(),
    )
    await services.chooseInTray('Settings…')
    await expect(heading(page, 'Settings')).toBeVisible()

    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize())
    const requestedSchema = { type: 'object', properties: { city: { type: 'string' } } }
    asking.ask('elicitation/create', { message: 'Where?', requestedSchema })
    const shown = { title: 'Asker asks for details', body: 'Open Patchbay to answer.' }
    await expect.poll(() => services.notifications.at(-1)).toMatchObject(shown)
    services.clickNotification()
    await expectVisible(app)
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  })

  test('is shown by a desktop with its tray menu and notifications', async ({
    desktop,
    services,
  }) => {
    const asking = new RequestingServer(test.info().outputPath('asks.jsonl'))
    const app = await desktop.launch()
    await installReady(app.page, asking.entry, 'Asker')
    await expect.poll(() => services.trayLabels()).toContain('1 of 1 server running')
    const foldTray = await services.drawTrayMenu()
    await newWindow('draw-menu')
    await shoot('tray-menu')
    foldTray()
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize())
    const leave = await services.drawNotifications()
    const requestedSchema = { type: 'object', properties: { city: { type: 'string' } } }
    asking.ask('elicitation/create', { message: 'Where?', requestedSchema })
    await newWindow('Dunst')
    await shoot('notification')
    await leave()
  })

  test("opens the keyboard's context menu at the text, wherever the pointer is", async ({
    desktop,
  }) => {
    const app = await desktop.launch({}, [], { ownDialogs: true })
    await expectVisible(app)
    const field = await typeSomething(app)
    await shoot('window')
    const inMenu = await windowsNamed('.*')
    await press('alt+f')
    await newWindow('.*', inMenu)
    await shoot('menu-bar')
    await press('Escape', 'Escape')
    await field.focus()
    await movePointer(2, 2)
    const before = await windowsNamed('.*')
    await press('Menu')
    const menu = await areaOf(await newWindow('.*', before))
    await shoot('context-menu')
    const window = (await boundsOf(app)) ?? { x: 0, y: 0 }
    const box = await field.boundingBox()
    expect(menu.y).toBeGreaterThan(window.y + (box?.y ?? 0))
    expect(menu.x).toBeGreaterThan(window.x)
    await press('Escape')
  })

  test("saves only its page's files, by a dialog that names the file", async ({ desktop }) => {
    const app = await desktop.launch({}, [], { ownDialogs: true })
    await expectVisible(app)
    const download = (address: string): Promise<void> =>
      app.page.evaluate(`{
        const href = ${address}
        const link = Object.assign(document.createElement('a'), { href, download: 'github-log.txt' })
        link.click()
      }`)
    await app.evaluate(({ session }) => {
      session.defaultSession.on('will-download', (event) =>
        Object.assign(globalThis, { isRefused: (event.defaultPrevented as unknown) === true }),
      )
    })
    const isRefused = (): Promise<unknown> =>
      app.evaluate(() => Reflect.get(globalThis, 'isRefused') as unknown)
    await download("'data:text/plain,elsewhere'")
    await expect.poll(isRefused).toBe(true)
    await download("URL.createObjectURL(new Blob(['what was logged']))")
    await newWindow('Save github-log.txt')
    await shoot('save-dialog')
    const path = join(desktop.profileDir, 'saved.txt')
    await press('ctrl+a')
    await type(path)
    await press('Return')
    const saved = (): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')
    await expect.poll(saved).toBe('what was logged')
    expect(await isRefused()).toBe(false)
  })

  test('takes a link and a bundle from a second start, which exits', async ({ desktop }) => {
    const app = await desktop.launch()
    const { page } = app
    const config = Buffer.from('{"command":"node","args":["x.mjs"]}').toString('base64')
    const link = `patchbay://install?name=Linked&config=${encodeURIComponent(config)}`
    expect(await desktop.runToEnd([link])).toMatchObject({ exit: 0 })
    await expect(page.getByRole('dialog', { name: 'Add server from link' })).toContainText('Linked')
    await page.keyboard.press('Escape')
    const bundle = join(desktop.profileDir, 'telling.mcpb')
    writeFileSync(bundle, await tellingBundle())
    expect(await desktop.runToEnd([bundle])).toMatchObject({ exit: 0 })
    await expect(page.getByRole('heading', { name: 'Telling bundle' })).toBeVisible()
    expect((await snapshot(app)).servers).toEqual([])
  })

  test('quits with its servers if the keychain never answers', async ({ desktop, services }) => {
    const answer = await services.holdKeychain()
    try {
      const app = await desktop.launch()
      await installReady(app.page, fixtureServer('plain.mjs'), 'Plain')
      const pid = (await snapshot(app)).servers[0]?.pid ?? 0
      await app.evaluate(({ app: electron }) => electron.quit())
      // Native calls that delay the exit are ended by a signal.
      expect(await app.exited()).toBe('SIGKILL')
      expect(isAlive(pid)).toBe(false)
      expect(existsSync(join(desktop.profileDir, 'lock.sock'))).toBe(false)
    } finally {
      await answer()
    }
  })

  test("asks before Alt+F4 loses text, and follows the user's answer", async ({ desktop }) => {
    const app = await desktop.launch({}, [], { ownDialogs: true })
    await expectVisible(app)
    const field = await typeSomething(app)
    const before = await windowsNamed('.*')
    const question = async (): Promise<string> => {
      await press('alt+F4')
      return newWindow('.*', before)
    }
    const first = await question()
    await shoot('question')
    await press('Escape')
    await expect.poll(() => windowsNamed('.*')).not.toContain(first)
    await expect(field).toHaveValue('/typed')
    await question()
    // Away from the Stay button, which has the focus.
    await press('Tab', 'Return')
    expect(await app.exited()).toBe(0)
  })

  test('opens in the same place five times', async ({ desktop }) => {
    const places: unknown[] = []
    const keptFile = join(desktop.profileDir, 'window.json')
    for (let start = 0; start < 5; start += 1) {
      const app = await desktop.launch()
      await expectVisible(app)
      await expect.poll(() => existsSync(keptFile)).toBe(true)
      if (start > 0) await expect.poll(() => boundsOf(app)).toEqual(places[0])
      places.push(await boundsOf(app))
      await app.page.close()
      expect(await app.exited()).toBe(0)
    }
    expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(1)
  })

  test('leaves no process if killed, and starts again', async ({ desktop }) => {
    const app = await desktop.launch()
    await installReady(app.page, fixtureServer('plain.mjs'), 'Plain')
    const processes = await app.evaluate(({ app: electron }) =>
      electron.getAppMetrics().map(({ pid }) => pid),
    )
    const servers = descendantsOf(app.pid)
    expect(servers.length).toBeGreaterThan(0)
    process.kill(app.pid, 'SIGKILL')
    expect(await app.exited()).toBe('SIGKILL')
    const left = (): number[] => [...processes, ...servers].filter((pid) => isAlive(pid))
    await expect.poll(left).toEqual([])
    const again = await desktop.launch()
    await expectStatus(again.page, 'Plain', 'Ready')
  })

  test('runs in its sandbox for an ordinary account', async () => {
    test.skip(process.getuid?.() !== 0, 'Every other test runs as an ordinary account here.')
    const as = ['--reuid=65534', '--regid=65534', '--clear-groups', '--']
    const binary = electronBinary() ?? ''
    const canRead = spawnSync('setpriv', [...as, 'test', '-r', binary]).status === 0
    test.skip(!canRead, 'An ordinary account can’t read the folder of the project.')
    const home = mkdtempSync('/tmp/patchbay-account-')
    chownSync(home, 65_534, 65_534)
    const program = join(home, 'electron')
    writeFileSync(program, `#!/bin/sh\nexec setpriv ${as.join(' ')} '${binary}' "$@"\n`, {
      mode: 0o755,
    })
    const env = { HOME: home, XDG_RUNTIME_DIR: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home }
    const launch = { profileDir: join(home, 'profile'), env, hasSandbox: true }
    const app = await launchElectron(launch, program)
    try {
      await expect(heading(app.page, 'Home')).toBeVisible()
      const pages = await app.evaluate(({ app: electron, BrowserWindow }) => ({
        isUnsandboxed: electron.commandLine.hasSwitch('no-sandbox'),
        pid: BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
      }))
      expect(pages.isUnsandboxed).toBe(false)
      const status = readFileSync(`/proc/${String(pages.pid)}/status`, 'utf8')
      // Its system calls are filtered.
      expect(status).toMatch(/^Seccomp:\s+2$/mu)
      expect(await app.close()).toBe(0)
    } finally {
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    }
  })

  test("selects a folder in the system's dialog", async ({ desktop }) => {
    const app = await desktop.launch({}, [], { ownDialogs: true })
    await expectVisible(app)
    await setUp(app.page, 'Filesystem')
    await app.page.getByRole('button', { name: /^Browse/u }).click()
    await newWindow('Choose a folder')
    await shoot('file-picker')
    // The dialog starts at recent files, where no folder can be selected.
    await press('alt+Home', 'ctrl+l', 'ctrl+a')
    await type(desktop.profileDir)
    // The first attempt may accept the dialog's completion.
    const isChosen = async (): Promise<boolean> => {
      if ((await windowsNamed('Choose a folder')).length === 0) return true
      await press('Return')
      return false
    }
    await expect.poll(isChosen).toBe(true)
    const field = app.page.getByRole('textbox', { name: 'Allowed folders 1' })
    await expect(field).toHaveValue(desktop.profileDir)
  })
})
