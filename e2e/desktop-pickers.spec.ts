import { join } from 'node:path'

import { expect, test } from './fixtures/desktop-test'
import { argvOf, paste } from './fixtures/drive'
import { EVERY_KIND } from './fixtures/form-servers'
import type { DesktopApp } from './ways-in/desktop-app'

/** What the system was asked to open since the last answer was prepared. */
type Asked = { readonly isModal: boolean; readonly properties: readonly string[] }

/** Answers the dialogs from now on with these paths; with none, they are cancelled. */
async function answerDialogs(app: DesktopApp, filePaths: readonly string[]): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    const asked: Asked[] = []
    Object.assign(globalThis, { asked })
    dialog.showOpenDialog = (...args: unknown[]) => {
      const { properties } = args.at(-1) as { properties: string[] }
      asked.push({ isModal: args.length === 2, properties })
      return Promise.resolve({ canceled: chosen.length === 0, filePaths: [...chosen] })
    }
  }, filePaths)
}

function askedOf(app: DesktopApp): Promise<readonly Asked[]> {
  return app.evaluate(() => Reflect.get(globalThis, 'asked') as Asked[])
}

const FILE: Asked = { isModal: true, properties: ['openFile', 'showHiddenFiles'] }
const FOLDER: Asked = { isModal: true, properties: ['openDirectory', 'showHiddenFiles'] }

test.describe('A3: Browse on the desktop', () => {
  test(
    'asks for a file where one is meant, and fills in what is chosen',
    { tag: '@gate' },
    async ({ desktop }) => {
      const app = await desktop.launch()
      await paste(app.page, EVERY_KIND)
      const field = app.page.locator('[data-field="arg_config"]')
      const config = app.page.getByLabel('Config', { exact: true })
      const chosen = join(desktop.profileDir, 'a, b.json')
      await config.fill('/typed')

      await answerDialogs(app, [])
      await field.getByRole('button', { name: 'Browse' }).click()
      await expect.poll(() => askedOf(app)).toEqual([FILE])
      await answerDialogs(app, [chosen])
      await expect(config).toHaveValue('/typed')
      await field.getByRole('button', { name: 'Browse' }).click()
      await expect(config).toHaveValue(chosen)
      expect(await askedOf(app)).toEqual([FILE])
      await expect(argvOf(app.page)).toContainText(['--config', chosen])
    },
  )

  test('asks for a folder for each entry of a list, and leaves the others as they are', async ({
    desktop,
  }) => {
    const app = await desktop.launch()
    await paste(app.page, EVERY_KIND)
    const field = app.page.locator('[data-field="arg_root"]')
    const entry = (place: number) => app.page.getByRole('textbox', { name: `Root ${place}` })
    const browse = (place: number) =>
      field.getByRole('button', { name: `Browse for entry ${place}` }).click()

    await answerDialogs(app, ['/first'])
    await browse(1)
    await expect(entry(1)).toHaveValue('/first')
    expect(await askedOf(app)).toEqual([FOLDER])
    await field.getByRole('button', { name: 'Add folder' }).click()
    await answerDialogs(app, ['/second, with comma'])
    await browse(2)
    await expect(entry(2)).toHaveValue('/second, with comma')

    await answerDialogs(app, [])
    await browse(1)
    await expect.poll(() => askedOf(app)).toEqual([FOLDER])
    await expect(field.getByRole('textbox')).toHaveCount(2)
    await expect(entry(1)).toHaveValue('/first')
    await expect(argvOf(app.page)).toContainText([
      ...['--root', '/first', '--root', '/second, with comma'],
    ])
  })
})
