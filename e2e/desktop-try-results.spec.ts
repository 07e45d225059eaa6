import { installReady } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'
import { blockOf, callTool } from './fixtures/tool-run-page'

test("D5: on the desktop results are shown, and audio plays from the page's bytes", async ({
  app: { page },
}) => {
  await installReady(page, fixtureServer('hostile-results.mjs'), 'Hostile')
  await callTool(page, 'Hostile', 'hostile')
  const sound = blockOf(page, 'Audio 8').getByLabel('Audio 8')
  await expect(sound).toHaveJSProperty('duration', 0.1)
  await expect(sound).toHaveAttribute('src', /^blob:/u)
  const text = blockOf(page, 'Text 2')
  await text.getByRole('radio', { name: 'Markdown' }).click()
  await expect(text.getByRole('heading', { name: 'Hello' })).toBeVisible()
})
