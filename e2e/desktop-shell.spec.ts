import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { callsOf, chooseInTray, trayLabels } from './fixtures/desktop-record'
import { expect, snapshot, test } from './fixtures/desktop-test'
import { approve, expectStatus, installReady, nameIt, openServer, paste } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { serveHttp } from './fixtures/loopback'
import { rowOf } from './fixtures/messages-page'
import { isAlive } from './fixtures/patchbay-test'
import { RequestingServer } from './fixtures/requesting-server'
import type { DesktopApp } from './ways-in/desktop-app'

const keyed = fixtureServer('keyed.mjs', {
  environmentVariables: [{ name: 'API_KEY', isSecret: true, isRequired: true }],
})

function windowCount(app: DesktopApp): Promise<number> {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
}

test.describe("D8: the desktop app's shell", () => {
  test('shows a window whose page fails or stays empty, with a reason and a reload', async ({
    desktop,
  }) => {
    const answers = [
      [404, ''],
      [200, '<!doctype html><title>Patchbay</title>'],
      [200, '<!doctype html><title>Patchbay</title><h1>It is here</h1>'],
    ] as const
    let requests = 0
    await using server = await serveHttp((request, response) => {
      if (request.url !== '/index.html') {
        response.writeHead(404).end()
        return
      }
      const [status, text] = answers[requests] ?? answers[2]
      requests += 1
      response.writeHead(status, { 'content-type': 'text/html' }).end(text)
    })
    const app = await desktop.launch({ ELECTRON_RENDERER_URL: server.address })
    await expect(app.page.getByRole('heading')).toHaveText('It is here')
    const isVisible = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.isVisible(),
    )
    expect(isVisible).toBe(true)
    const dialogs = callsOf(app, 'dialog.showMessageBox').map((args) => JSON.stringify(args))
    expect(dialogs).toEqual([
      expect.stringContaining('did not load'),
      expect.stringContaining('is empty'),
    ])
  })

  test(
    'shows an empty window before explaining it, and names a failed preload script',
    { tag: '@gate' },
    async ({ desktop }) => {
      await using server = await serveHttp((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Patchbay</title>')
      })
      const app = await desktop.launch({ ELECTRON_RENDERER_URL: server.address })
      const explanations = await app.evaluate(
        ({ BrowserWindow, dialog }) =>
          new Promise<number>((done) => {
            let count = 0
            dialog.showMessageBox = () => {
              count += 1
              return Promise.resolve({ response: 2, checkboxChecked: false })
            }
            const timer = setInterval(() => {
              if (!BrowserWindow.getAllWindows()[0]?.isVisible()) return
              clearInterval(timer)
              done(count)
            }, 20)
          }),
      )
      expect(explanations, 'explanations before the window was there').toBe(0)
      await app.evaluate(({ BrowserWindow }) => {
        const error = new Error('no bridge')
        BrowserWindow.getAllWindows()[0]?.webContents.emit('preload-error', {}, 'x.cjs', error)
      })
      await expect.poll(() => app.log()).toContain('couldn’t be prepared: no bridge')
    },
  )

  test('checks its servers after sleep, and quits in order at a shutdown', async ({ desktop }) => {
    const app = await desktop.launch()
    const { page } = app
    await page.evaluate(() => bridge.requests['settings.update']({ healthMs: 3_600_000 }))
    await installReady(page, fixtureServer('plain.mjs'), 'Plain')
    await openServer(page, 'Plain', 'Messages')
    const pings = rowOf(page, /^ping, request/u)
    await expect(rowOf(page, /^initialize, request/u)).toBeVisible()
    await expect(pings).toHaveCount(0)
    await app.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'))
    await expect(pings.first()).toBeVisible()
    const isHeldUp = await app.evaluate(
      ({ powerMonitor }) =>
        new Promise((done) => {
          powerMonitor.emit('shutdown', { preventDefault: () => done(true) })
        }),
    )
    expect(isHeldUp, 'whether the system waits').toBe(true)
    expect(await app.exited()).toBe(0)
    expect(callsOf(app, 'dialog.showMessageBox')).toEqual([])
  })

  test(
    'stops its servers, reports once and exits after an unhandled error',
    { tag: '@gate' },
    async ({ desktop }) => {
      const app = await desktop.launch()
      await paste(app.page, keyed)
      await nameIt(app.page, 'Keyed')
      await app.page.getByLabel('API key', { exact: true }).fill('correct-horse-battery')
      await approve(app.page)
      await expectStatus(app.page, 'Keyed', 'Ready')
      const pid = (await snapshot(app)).servers[0]?.pid ?? 0
      expect(isAlive(pid)).toBe(true)
      await app.evaluate(() => {
        // A closed terminal is no such error.
        process.stderr.emit('error', new Error('write EPIPE'))
        void Promise.reject(new Error('first fault: correct-horse-battery'))
        setImmediate(() => {
          throw new Error('second fault')
        })
      })
      expect(await app.exited()).toBe(1)
      expect(isAlive(pid)).toBe(false)
      expect(app.calls()).toMatchObject([{ api: 'dialog.showMessageBox' }])
      const log = readFileSync(join(desktop.profileDir, 'logs/patchbay.log'), 'utf8')
      for (const text of ['first fault', 'second fault']) expect(log).toContain(text)
      for (const text of ['EPIPE', 'correct-horse-battery']) expect(log).not.toContain(text)
    },
  )

  test(
    'continues in the tray while a server runs, starts at login, and quits with the session',
    { tag: '@gate' },
    async ({ desktop }) => {
      const config = join(desktop.profileDir, 'config')
      const starting = desktop.launch({ XDG_CONFIG_HOME: config }, ['--hidden'])
      starting.catch(() => undefined)
      await expect.poll(() => existsSync(join(desktop.profileDir, 'window'))).toBe(true)
      // Started at login it has no window: the second start opens it.
      expect(await desktop.runToEnd()).toMatchObject({ exit: 0 })
      const app = await starting
      await installReady(app.page, fixtureServer('plain.mjs'), 'Plain & co')
      await expect
        .poll(() => trayLabels(app))
        .toEqual([
          '1 of 1 server running',
          ...['Plain && co: Ready', '  Stop', '  Restart', '  Open'],
          ...['Open Patchbay', 'Settings…', 'Quit Patchbay'],
        ])
      const changed = await app.page.evaluate(() =>
        bridge.requests['settings.update']({ startAtLogin: true, theme: 'contrast' }),
      )
      expect(changed.ok).toBe(true)
      const entry = join(config, 'autostart/patchbay.desktop')
      await expect.poll(() => existsSync(entry)).toBe(true)
      expect(readFileSync(entry, 'utf8')).toMatch(/^Exec=".+" "--hidden"$/mu)
      expect(await app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark')

      await app.page.close()
      await expect.poll(() => callsOf(app, 'notification.show')).toHaveLength(1)
      expect(await windowCount(app)).toBe(0)
      await chooseInTray(app, ['Plain && co: Ready', 'Stop'])
      await expect.poll(() => trayLabels(app)).toContain('Plain && co: Stopped')
      await chooseInTray(app, ['Settings…'])
      await expect.poll(() => windowCount(app)).toBe(1)
      await app.evaluate(({ BrowserWindow }) => {
        // After the response, which the app's exit would cut off.
        setImmediate(() => BrowserWindow.getAllWindows()[0]?.emit('session-end'))
      })
      expect(await app.exited()).toBe(0)
      expect(callsOf(app, 'dialog.showMessageBox')).toEqual([])
    },
  )

  test('notifies about a request while the window is in the background, and leads to it', async ({
    desktop,
  }) => {
    const asking = new RequestingServer(test.info().outputPath('asks.jsonl'))
    const app = await desktop.launch()
    const { page } = app
    await installReady(page, asking.entry, 'Asker')
    await app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.blur()
    })
    const requestedSchema = { type: 'object', properties: { city: { type: 'string' } } }
    asking.ask('elicitation/create', { message: 'Where?', requestedSchema })
    await expect
      .poll(() => callsOf(app, 'notification.show'))
      .toEqual([['Asker asks for details', 'Open Patchbay to answer.']])
    const signs = (): Promise<unknown[]> =>
      app.evaluate(({ BrowserWindow }) => {
        const isFocused = BrowserWindow.getAllWindows()[0]?.isFocused()
        return [desktopRecord.badgeCount, desktopRecord.isFlashing, isFocused]
      })
    await expect.poll(signs).toEqual([1, true, false])
    await app.evaluate(() => desktopRecord.notifications[0]?.emit('click'))
    await expect.poll(signs).toEqual([1, false, true])
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
    await expect.poll(signs).toEqual([0, false, true])
    expect(await app.evaluate(() => desktopRecord.notifications.length)).toBe(0)

    // The menus.
    await app.evaluate(({ BrowserWindow, Menu }) => {
      const [first] = Menu.getApplicationMenu()?.items ?? []
      const settings = first?.submenu?.items.find(({ label }) => label === 'Settings…')
      settings?.click()
      const editFlags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true }
      const clicked = { isEditable: true, selectionText: '', editFlags }
      BrowserWindow.getAllWindows()[0]?.webContents.emit('context-menu', {}, clicked)
    })
    await expect(page.getByRole('heading', { name: 'General', level: 2 })).toBeVisible()
    await expect(page.getByRole('switch', { name: 'Keep running' })).toBeChecked()
    expect(callsOf(app, 'menu.popup')).toEqual([[expect.arrayContaining(['paste'])]])

    // A page without its own search is searched with the browser's usual keys.
    await openServer(page, 'Asker')
    await page.keyboard.press('Control+f')
    await page.keyboard.type('asker')
    const bar = page.getByRole('search', { name: 'Find on the page' })
    await expect(bar.getByRole('status')).toHaveText(/^1 of \d+$/u)
    await page.keyboard.press('Shift+Enter')
    await expect(bar.getByRole('status')).toHaveText(/^(\d+) of \1$/u)
    await page.keyboard.press('Escape')
    await expect(bar).toHaveCount(0)
    expect(await page.evaluate<number>('CSS.highlights.size')).toBe(0)

    // Patchbay's own error leads to its log.
    await app.evaluate((electron) => {
      const error = { code: 'INTERNAL', message: 'An unexpected error occurred.' }
      const ipcMain = Reflect.get(electron, 'ipcMain') as {
        removeHandler(channel: string): void
        handle(channel: string, handler: () => object): void
      }
      ipcMain.removeHandler('server.stop')
      ipcMain.handle('server.stop', () => ({ ok: false, error }))
    })
    await page.getByRole('main').getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Show log' }).click()
    await expect
      .poll(() => callsOf(app, 'shell.showItemInFolder'))
      .toEqual([[expect.stringMatching(/logs.patchbay\.log/u)]])

    // An update is installed after a quit; an ordinary quit ends the process directly.
    await app.evaluate((electron) => {
      const updater = Reflect.get(electron, 'autoUpdater') as { emit(name: string): void }
      electron.app.on('will-quit', () => process.stderr.write('The quit goes on\n'))
      updater.emit('before-quit-for-update')
      setImmediate(() => electron.app.quit())
    })
    expect(await app.exited()).toBe(0)
    expect(app.log()).toContain('The quit goes on')
  })
})
