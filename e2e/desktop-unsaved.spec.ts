import { answerMessageBoxes, callsOf } from './fixtures/desktop-record'
import { expect, test } from './fixtures/desktop-test'
import { setUp } from './fixtures/drive'
import type { DesktopApp, ElectronModule } from './ways-in/desktop-app'

function timesAsked(app: DesktopApp): number {
  return callsOf(app, 'dialog.showMessageBox').length
}

async function typeSomething({ page }: DesktopApp): Promise<void> {
  await setUp(page, 'Filesystem')
  await page.getByRole('textbox', { name: 'Allowed folders 1' }).fill('/typed')
}

test.describe('D3: unsaved text in the desktop window', () => {
  for (const [way, leave] of [
    [
      'closing the window',
      ({ BrowserWindow }: ElectronModule) => BrowserWindow.getAllWindows()[0]?.close(),
    ],
    ['quitting', ({ app }: ElectronModule) => app.quit()],
  ] as const) {
    test(`is not lost by ${way} without a question`, async ({ desktop }) => {
      const app = await desktop.launch()
      const run = (): Promise<void> => app.evaluate(leave)
      await typeSomething(app)
      await answerMessageBoxes(app, 1)
      await run()
      await expect.poll(() => timesAsked(app)).toBe(1)
      await expect(app.page.getByRole('textbox', { name: 'Allowed folders 1' })).toHaveValue(
        '/typed',
      )
      await answerMessageBoxes(app, 0)
      await run()
      expect(await app.exited()).toBe(0)
    })
  }

  test('is not lost by reloading the window without a question', async ({ desktop }) => {
    const app = await desktop.launch()
    const reload = (): Promise<void> =>
      app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload())
    await typeSomething(app)
    await answerMessageBoxes(app, 1)
    await reload()
    await expect.poll(() => timesAsked(app)).toBe(1)
    const field = app.page.getByRole('textbox', { name: 'Allowed folders 1' })
    await expect(field).toHaveValue('/typed')
    await answerMessageBoxes(app, 0)
    await reload()
    await expect(field).toHaveValue('')
    expect(await app.close()).toBe(0)
  })

  test('is asked about once if the answer is to quit, however long that takes', async ({
    desktop,
  }) => {
    const app = await desktop.launch()
    await typeSomething(app)
    // Like an updater: it asks before it installs, then quits.
    await app.evaluate(({ app: electron, autoUpdater }) => {
      autoUpdater.emit('before-quit-for-update')
      electron.quit()
    })
    expect(await app.exited()).toBe(0)
    // The first button leaves.
    expect(timesAsked(app)).toBe(1)
  })

  test('blocks neither a user who typed nothing, nor a signal', async ({ desktop }) => {
    const idle = await desktop.launch()
    await answerMessageBoxes(idle, 1)
    await idle.evaluate(({ app }) => app.quit())
    expect(await idle.exited()).toBe(0)
    const desktopApp = await desktop.launch()
    await typeSomething(desktopApp)
    await answerMessageBoxes(desktopApp, 1)
    process.kill(desktopApp.pid, 'SIGTERM')
    expect(await desktopApp.exited()).toBe(0)
  })
})
