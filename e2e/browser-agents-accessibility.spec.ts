import { addAgent, preview, save } from './fixtures/agents-page'
import { faultsOf } from './fixtures/axe-faults'
import { goTo } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import { installTools } from './fixtures/listed-tools'
import { expect, test } from './fixtures/patchbay-test'

test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

const FILES = ['read', 'write', 'list'].map((name) => ({ name, description: `Does ${name}.` }))

test('agents, their pages and dialogs are free of axe’s faults in all four themes', async ({
  app: { page },
  profileDir,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await installTools(page, profileDir, 'Files', FILES)
  await goTo(page, 'Agents')
  expect.soft(await faultsOf(page), 'no agents').toEqual([])
  await addAgent(page, 'Cursor')
  await page.getByRole('radio', { name: 'Chosen servers' }).click()
  await page.getByRole('textbox', { name: 'Tools that the app takes' }).fill('2')
  await expect(preview(page)).toContainText('Cursor takes 2 tools; 3 are shown.')
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  const check = async (what: string): Promise<void> => {
    for (const theme of ['light', 'dark', 'contrast', 'contrast-light']) {
      await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`)
      expect.soft(await faultsOf(page, theme), `${what}, ${theme}`).toEqual([])
    }
  }
  await check('agent')
  await page.getByRole('button', { name: 'Choose tools of Files' }).click()
  await check('choice of tools')
  await close()
  await page.getByRole('button', { name: 'Connect' }).click()
  await check('connect')
  await close()
  await save(page)
  await goTo(page, 'Agents')
  await check('list')
  await page.getByRole('button', { name: 'Add agent' }).click()
  await check('add agent')
})
