import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { answerPickers } from './fixtures/desktop-record'
import { expect, snapshot, test } from './fixtures/desktop-test'
import { setUp } from './fixtures/drive'
import { startSecretService } from './fixtures/secret-service'
import { launchServe } from './ways-in/browser'

test.describe('D1: the life of the desktop app', () => {
  test(
    'quits in order: by menu, by signal, and with its window',
    { tag: '@gate' },
    async ({ desktop }) => {
      const app = await desktop.launch()
      const windows = await app.evaluate(({ app, BrowserWindow }) => {
        app.quit()
        return BrowserWindow.getAllWindows().length
      })
      expect(windows, 'windows while the servers are being stopped').toBe(1)
      expect(await app.exited()).toBe(0)

      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
        const desktopApp = await desktop.launch()
        process.kill(desktopApp.pid, signal)
        expect(await desktopApp.exited(), signal).toBe(0)
      }
      const left = await desktop.launch()
      await left.page.close()
      expect(await left.exited()).toBe(0)
    },
  )

  test(
    'runs once: a second start shows the first window and exits',
    { tag: '@gate' },
    async ({ desktop }) => {
      const first = await desktop.launch()
      await first.evaluate(({ BrowserWindow }) => {
        BrowserWindow.getAllWindows()[0]?.on('focus', () =>
          Object.assign(globalThis, { focused: true }),
        )
      })
      expect(await desktop.runToEnd()).toMatchObject({ exit: 0 })
      await expect.poll(() => first.evaluate(() => 'focused' in globalThis)).toBe(true)
      expect(await first.close()).toBe(0)
    },
  )

  test("doesn't show its window for a hidden second start by the system", async ({ desktop }) => {
    const first = await desktop.launch()
    const isVisible = (): Promise<boolean | undefined> =>
      first.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible())
    await expect.poll(isVisible).toBe(true)
    await first.evaluate(({ app, BrowserWindow }) => {
      app.on('second-instance', () => Object.assign(globalThis, { started: true }))
      BrowserWindow.getAllWindows()[0]?.minimize()
    })
    const isMinimized = (): Promise<boolean | undefined> =>
      first.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized())
    await expect.poll(isMinimized).toBe(true)
    expect(await desktop.runToEnd(['--hidden'])).toMatchObject({ exit: 0 })
    await expect.poll(() => first.evaluate(() => 'started' in globalThis)).toBe(true)
    expect(await isMinimized()).toBe(true)
    expect(await desktop.runToEnd()).toMatchObject({ exit: 0 })
    await expect.poll(isMinimized).toBe(false)
  })

  test('goes to a place requested while its page loads', async ({ desktop }) => {
    const app = await desktop.launch()
    await app.evaluate(({ BrowserWindow, Menu }) => {
      const [window] = BrowserWindow.getAllWindows()
      window?.webContents.reload()
      const [first] = Menu.getApplicationMenu()?.items ?? []
      first?.submenu?.items.find(({ label }) => label === 'Settings…')?.click()
    })
    await expect(app.page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  })

  test(
    'takes over the profile from Patchbay in the browser, which quits in order',
    { tag: '@gate' },
    async ({ desktop }) => {
      const served = await launchServe({ profileDir: desktop.profileDir })
      const app = await desktop.launch()
      expect(await served.close()).toBe(0)
      expect(served.log()).toContain('Stopping the servers')
      await expect(app.page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
      expect(app.calls()).toEqual([])
      expect(await app.close()).toBe(0)
    },
  )

  test('reloads a crashed page, and asks if it keeps crashing', async ({ desktop }) => {
    const app = await desktop.launch()
    const { page } = app
    const endPage = async (reason: string): Promise<void> => {
      await page.evaluate(() => Object.assign(globalThis, { isOld: true }))
      await app.evaluate(({ BrowserWindow }, given) => {
        const details = { reason: given, exitCode: 5 }
        BrowserWindow.getAllWindows()[0]?.webContents.emit('render-process-gone', {}, details)
      }, reason)
    }
    // A loading page can't answer.
    const isOld = (): Promise<boolean> =>
      page.evaluate(() => 'isOld' in globalThis).catch(() => true)
    for (const reason of ['oom', 'crashed']) {
      await endPage(reason)
      await expect.poll(isOld).toBe(false)
      await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
    }
    expect(app.calls()).toEqual([])
    // The first button reloads it.
    await endPage('crashed')
    await expect.poll(isOld).toBe(false)
    const [{ api, args } = { api: '', args: [] }] = app.calls()
    expect([api, JSON.stringify(args)]).toEqual([
      'dialog.showMessageBox',
      expect.stringContaining('crashed 3 times within a minute'),
    ])
    expect(await app.close()).toBe(0)
  })

  test("says why it can't start, and exits", { tag: '@gate' }, async ({ desktop }) => {
    mkdirSync(join(desktop.profileDir, 'settings.json'))
    const { exit, log } = await desktop.runToEnd()
    expect(exit).toBe(1)
    expect(log).toMatch(/Patchbay couldn’t start: The settings file .* couldn’t be read/)
  })

  test('uses the keychain if there is one', { tag: '@gate' }, async ({ desktop }) => {
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

  test('fills in a path from the system dialog, and keeps it if that is canceled', async ({
    desktop,
  }) => {
    const app = await desktop.launch()
    await setUp(app.page, 'Filesystem')
    const folder = app.page.getByRole('textbox', { name: 'Allowed folders 1' })
    const browse = app.page.getByRole('button', { name: /^Browse/u })
    for (const filePaths of [[desktop.profileDir], []]) {
      await answerPickers(app, filePaths)
      await browse.click()
      await expect(folder).toHaveValue(desktop.profileDir)
    }
  })
})
