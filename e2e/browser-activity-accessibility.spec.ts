import { CallOutcome } from '../src-shared/domain/agents/activity'
import { faultsOf } from './fixtures/axe-faults'
import { goTo } from './fixtures/drive'
import { keepCalls } from './fixtures/kept-calls'
import { expect, test } from './fixtures/patchbay-test'
import { testCall } from './fixtures/test-calls'

const CALLS = Array.from({ length: 100 }, (_, index) =>
  testCall({
    target: `tool_${index}`,
    outcome: CallOutcome.options[index % CallOutcome.options.length] ?? 'ok',
    message: 'The file is not there.',
    arguments: '{"path":"/tmp"}',
  }),
)

test('the activity, a call in full and the question before clearing are free of axe’s faults in all four themes', async ({
  openApp,
  profileDir,
}) => {
  keepCalls(profileDir, CALLS)
  const { page } = await openApp()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await goTo(page, 'Activity')
  await expect(page.getByText('100 calls')).toBeVisible()
  for (const theme of ['light', 'dark', 'contrast', 'contrast-light']) {
    await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`)
    const check = async (what: string): Promise<void> =>
      expect.soft(await faultsOf(page, theme), `${what}, ${theme}`).toEqual([])
    await check('list')
    await page.locator('[data-index="1"]').click()
    await expect(page.getByRole('region', { name: /^tool_/u })).toBeVisible()
    await check('one call')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('region', { name: /^tool_/u })).toBeHidden()
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await check('clearing')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toBeHidden()
  }
})

test('the least window at 200 % zoom still opens a call', async ({ openApp, profileDir }) => {
  keepCalls(profileDir, CALLS)
  const { page } = await openApp()
  await goTo(page, 'Activity')
  await page.setViewportSize({ width: 450, height: 300 })
  const row = page.locator('[data-index="2"]')
  await row.click()
  await expect(page.getByRole('region', { name: /^tool_/u })).toContainText(
    'The file is not there.',
  )
})
