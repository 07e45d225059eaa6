import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, snapshot, test } from './fixtures/desktop-test'
import { approve, expectStatus, goTo, nameIt, openEditor } from './fixtures/drive'
import { dropFile } from './fixtures/drop-file'
import { tellingBundle } from './fixtures/make-bundle'

test.describe('A1: a bundle dropped on the window', () => {
  test("opens, and a newer one is offered as its server's update", async ({ desktop }) => {
    const { page } = await desktop.launch()
    const path = join(desktop.profileDir, 'telling.mcpb')
    writeFileSync(path, await tellingBundle())
    await dropFile(page, path)
    await page.getByRole('link', { name: 'Set up', exact: true }).click()
    await nameIt(page, 'Telling')
    await page.getByLabel('Access key').fill('s3cret-key')
    const folders = page.getByRole('textbox', { name: /^Folders to use/u })
    await folders.first().fill('/tmp')
    await approve(page)
    await expectStatus(page, 'Telling', 'Ready')

    const newer = join(desktop.profileDir, 'telling-1.3.0.mcpb')
    writeFileSync(newer, await tellingBundle({ version: '1.3.0' }))
    await goTo(page, 'Home')
    await dropFile(page, newer)
    const installed = page.getByRole('region', { name: 'Already installed' })
    await expect(installed).toContainText('Telling uses version 1.2.0.')
    // Dropped again on the first one's page.
    await dropFile(page, path)
    await expect(installed).toContainText('Telling uses exactly this file.')
  })

  test('is distinguished from other files, and leaves no form without a question', async ({
    desktop,
  }) => {
    const { page } = await desktop.launch()
    const other = join(desktop.profileDir, 'notes.txt')
    writeFileSync(other, 'notes')
    await openEditor(page)
    await nameIt(page, 'Mine')
    await dropFile(page, other)
    await expect(page.getByText('Drop a .mcpb or .dxt bundle.').first()).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Server name' })).toHaveValue('Mine')

    const path = join(desktop.profileDir, 'telling.mcpb')
    writeFileSync(path, await tellingBundle())
    await dropFile(page, path)
    const question = page.getByRole('alertdialog')
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expect(page.getByRole('heading', { name: 'Telling bundle' })).toBeVisible()
  })
})

test.describe('D8: a bundle opened from the system', () => {
  test('is shown for review, and nothing of it runs', async ({ desktop }) => {
    const path = join(desktop.profileDir, 'telling.mcpb')
    writeFileSync(path, await tellingBundle())
    const app = await desktop.launch({}, [path])
    const { page } = app
    const review = page.getByRole('heading', { name: 'Telling bundle' })
    await expect(review).toBeVisible()
    await goTo(page, 'Home')
    for (const name of ['telling.mcpb', pathToFileURL(path).href]) {
      await app.evaluate(
        ({ app: electron }, { argv, folder }) => {
          electron.emit('second-instance', {}, argv, folder, null)
        },
        { argv: ['patchbay', name], folder: desktop.profileDir },
      )
      await expect(review).toBeVisible()
      await goTo(page, 'Home')
    }
    const isTaken = await app.evaluate(({ app: electron }, given) => {
      let isPrevented = false
      electron.emit('open-file', { preventDefault: () => (isPrevented = true) }, given)
      return isPrevented
    }, path)
    expect(isTaken).toBe(true)
    await expect(review).toBeVisible()
    expect((await snapshot(app)).servers).toEqual([])
  })
})
