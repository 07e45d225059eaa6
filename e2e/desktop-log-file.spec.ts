import { expect, test } from './fixtures/desktop-test'
import { installReady, logOf, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'

test("D4: a server's log file is shown in the system’s file manager", async ({ desktop }) => {
  const app = await desktop.launch()
  const { page } = app
  await installReady(page, fixtureServer('colours.mjs'), 'Painter')
  await app.evaluate(({ shell }) => {
    shell.showItemInFolder = (path: string) => void Object.assign(globalThis, { shown: path })
  })
  await openServer(page, 'Painter', 'Log')
  await expect(logOf(page, 'Painter')).toContainText('last of them')
  await page.getByRole('button', { name: 'Log actions' }).click()
  await page.getByRole('menuitem', { name: 'Show log file' }).click()
  await expect
    .poll(() => app.evaluate(() => Reflect.get(globalThis, 'shown') as unknown))
    .toMatch(/[/\\]logs[/\\][\w-]+[/\\]server\.log$/u)
})
