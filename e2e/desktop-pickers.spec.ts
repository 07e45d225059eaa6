import { join } from 'node:path'

import { answerPickers, callsOf } from './fixtures/desktop-record'
import { expect, test } from './fixtures/desktop-test'
import { argvOf, paste } from './fixtures/drive'
import { EVERY_KIND } from './fixtures/form-servers'
import type { DesktopApp } from './ways-in/desktop-app'

/** The system's file dialogs so far, oldest first. */
function dialogs(app: DesktopApp): unknown[] {
  return callsOf(app, 'dialog.showOpenDialog')
}

/** A dialog of the window. */
const dialogFor = (property: string) => [
  'window',
  expect.objectContaining({ properties: [property, 'showHiddenFiles'] }),
]
const FILE = dialogFor('openFile')
const FOLDER = dialogFor('openDirectory')

test.describe('A3: Browse on the desktop', () => {
  test('asks for a file in a file field, and fills it in', async ({ desktop }) => {
    const app = await desktop.launch()
    await paste(app.page, EVERY_KIND)
    const field = app.page.locator('[data-field="arg_config"]')
    const config = app.page.getByLabel('Config', { exact: true })
    const chosen = join(desktop.profileDir, 'a, b.json')
    await config.fill('/typed')

    await answerPickers(app, [])
    await field.getByRole('button', { name: 'Browse' }).click()
    await expect.poll(() => dialogs(app)).toEqual([FILE])
    await answerPickers(app, [chosen])
    await expect(config).toHaveValue('/typed')
    await field.getByRole('button', { name: 'Browse' }).click()
    await expect(config).toHaveValue(chosen)
    expect(dialogs(app)).toEqual([FILE, FILE])
    await expect(argvOf(app.page)).toContainText(['--config', chosen])
  })

  test('asks for a folder for each list entry, and keeps the others', async ({ desktop }) => {
    const app = await desktop.launch()
    await paste(app.page, EVERY_KIND)
    const field = app.page.locator('[data-field="arg_root"]')
    const entry = (place: number) => app.page.getByRole('textbox', { name: `Root ${place}` })
    const browse = (place: number) =>
      field.getByRole('button', { name: `Browse for entry ${place}` }).click()

    await answerPickers(app, ['/first'])
    await browse(1)
    await expect(entry(1)).toHaveValue('/first')
    expect(dialogs(app)).toEqual([FOLDER])
    await field.getByRole('button', { name: 'Add folder' }).click()
    await answerPickers(app, ['/second, with comma'])
    await browse(2)
    await expect(entry(2)).toHaveValue('/second, with comma')

    await answerPickers(app, [])
    await browse(1)
    await expect.poll(() => dialogs(app)).toEqual([FOLDER, FOLDER, FOLDER])
    await expect(field.getByRole('textbox')).toHaveCount(2)
    await expect(entry(1)).toHaveValue('/first')
    await expect(argvOf(app.page)).toContainText([
      ...['--root', '/first', '--root', '/second, with comma'],
    ])
  })
})
