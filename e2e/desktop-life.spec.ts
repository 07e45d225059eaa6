import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect, snapshot, test } from './fixtures/desktop-test'
import { setUp } from './fixtures/drive'
import { startSecretService } from './fixtures/secret-service'
import { launchServe } from './ways-in/browser'

test.describe('D1 the life of the desktop app', () => {
  test(
    'quits in order: asked, by signal, and with its window',
    { tag: '@gate' },
    async ({ desktop }) => {
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
    },
  )

  test(
    'runs once: a second start brings the first window to the front and ends',
    { tag: '@gate' },
    async ({ desktop }) => {
      const first = await desktop.launch()
      await first.evaluate(({ BrowserWindow }) => {
        BrowserWindow.getAllWindows()[0]?.on('focus', () =>
          Object.assign(globalThis, { focused: true }),
        )
      })
      await expect(desktop.launch()).rejects.toThrow()
      await expect.poll(() => first.evaluate(() => 'focused' in globalThis)).toBe(true)
      expect(await first.close()).toBe(0)
    },
  )

  test('stays as it is at a second start of the system’s, which wants no window', async ({
    desktop,
  }) => {
    const first = await desktop.launch()
    await first.evaluate(({ app, BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.on('focus', () =>
        Object.assign(globalThis, { focused: true }),
      )
      app.on('second-instance', () => Object.assign(globalThis, { started: true }))
    })
    const did = (what: string): Promise<boolean> =>
      first.evaluate((_electron, name) => name in globalThis, what)
    await expect(desktop.launch({}, ['--hidden'])).rejects.toThrow()
    await expect.poll(() => did('started')).toBe(true)
    expect(await did('focused')).toBe(false)
    await expect(desktop.launch()).rejects.toThrow()
    await expect.poll(() => did('focused')).toBe(true)
  })

  test('goes to a place that is asked for while its page loads', async ({ desktop }) => {
    const app = await desktop.launch()
    await app.evaluate(({ BrowserWindow, Menu }) => {
      const [window] = BrowserWindow.getAllWindows()
      window?.webContents.reload()
      const [first] = Menu.getApplicationMenu()?.items ?? []
      first?.submenu?.items.find(({ label }) => label === 'Settings…')?.click()
    })
    await expect(app.page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  })

  test('saves what its page made by a dialog that names the file, and nothing else', async ({
    desktop,
  }) => {
    const app = await desktop.launch()
    const asked = await app.evaluate(({ session }) => {
      const downloads = Reflect.get(session.defaultSession, 'downloads') as NodeJS.EventEmitter
      const addresses = [
        'blob:app://patchbay/1',
        'blob:https://elsewhere.test/1',
        'https://a.test/x',
      ]
      return addresses.map((address) => {
        const seen: unknown[] = []
        const event = { preventDefault: () => seen.push('refused') }
        const setSaveDialogOptions = (options: unknown): number => seen.push(options)
        downloads.emit('will-download', event, {
          getURL: () => address,
          getFilename: () => 'github-log.txt',
          setSaveDialogOptions,
        })
        return seen
      })
    })
    const dialog = { title: 'Save github-log.txt', defaultPath: 'github-log.txt' }
    expect(asked).toEqual([[dialog], ['refused'], ['refused']])
  })

  test(
    'takes the profile over from Patchbay in the browser, which ends in order',
    { tag: '@gate' },
    async ({ desktop }) => {
      const served = await launchServe({ profileDir: desktop.profileDir })
      const app = await desktop.launch()
      expect(await served.close()).toBe(0)
      expect(served.log()).toContain('Stopping the servers')
      await expect(app.page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
      expect(await app.calls()).toEqual([])
      expect(await app.close()).toBe(0)
    },
  )

  test(
    'reloads a page that crashed, and asks once it keeps crashing',
    { tag: '@gate' },
    async ({ desktop }) => {
      const app = await desktop.launch()
      const { page } = app
      const endPage = async (reason: string): Promise<void> => {
        await page.evaluate(() => Object.assign(globalThis, { isOld: true }))
        await app.evaluate(({ BrowserWindow }, given) => {
          const details = { reason: given, exitCode: 5 }
          BrowserWindow.getAllWindows()[0]?.webContents.emit('render-process-gone', {}, details)
        }, reason)
      }
      // A page that is being loaded cannot say.
      const isOld = (): Promise<boolean> =>
        page.evaluate(() => 'isOld' in globalThis).catch(() => true)
      for (const reason of ['oom', 'crashed']) {
        await endPage(reason)
        await expect.poll(isOld).toBe(false)
        await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
      }
      expect(await app.calls()).toEqual([])
      // The double answers with the first button, as one who loads it again.
      await endPage('crashed')
      await expect.poll(isOld).toBe(false)
      const [{ api, args } = { api: '', args: [] }] = await app.calls()
      expect([api, JSON.stringify(args)]).toEqual([
        'dialog.showMessageBox',
        expect.stringContaining('crashed 3 times within a minute'),
      ])
      expect(await app.close()).toBe(0)
    },
  )

  test('says why it cannot start, and ends', { tag: '@gate' }, async ({ desktop }) => {
    mkdirSync(join(desktop.profileDir, 'settings.json'))
    await expect(desktop.launch()).rejects.toThrow(
      /exited with 1[^]*Patchbay couldn’t start: The settings file .* couldn’t be read/,
    )
  })

  test('uses the keychain where there is one', { tag: '@gate' }, async ({ desktop }) => {
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

  test('fills a path from the system dialog, and leaves it when that is cancelled', async ({
    desktop,
  }) => {
    const app = await desktop.launch()
    await setUp(app.page, 'Filesystem')
    const folder = app.page.getByRole('textbox', { name: 'Allowed folders 1' })
    const browse = app.page.getByRole('button', { name: /^Browse/u })
    for (const filePaths of [[desktop.profileDir], []]) {
      await app.evaluate(({ dialog }, chosen) => {
        dialog.showOpenDialog = () =>
          Promise.resolve({ canceled: chosen.length === 0, filePaths: chosen })
      }, filePaths)
      await browse.click()
      await expect(folder).toHaveValue(desktop.profileDir)
    }
  })
})
