import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Locator, Page } from '@playwright/test'

import { faultsOf } from './fixtures/axe-faults'
import { copiedBy } from './fixtures/clipboard'
import { arrowTo, goTo, install, serverLink } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

const OLDER = [
  '# Mine',
  '',
  '## MCP servers, resources and prompts',
  '',
  'Server Notes | alias notes',
  '- resource: memo://gone | gone',
  '',
  'Be brief.',
  '',
].join('\n')

/** A server with a resource, and the dialog of the agent context, opened by key. */
async function openContext(page: Page, profileDir: string): Promise<Locator> {
  const file = join(profileDir, 'offers.json')
  writeFileSync(file, JSON.stringify({ tools: ['read'], resources: ['plans'] }))
  await install(page, fixtureServer('offers.mjs', { args: [file] }), 'Notes')
  await expect(serverLink(page, 'Notes', 'Ready')).toBeVisible()
  await goTo(page, 'Tools')
  await page.getByRole('button', { name: 'Agent context' }).press('Enter')
  return page.getByRole('dialog', { name: 'Agent context' })
}

test.describe('C6: the agent context', () => {
  test('is shown as text and copied as it is', async ({ app: { page }, profileDir }) => {
    const dialog = await openContext(page, profileDir)
    const block = dialog.getByRole('region', { name: 'Agent context' })
    await expect(block).toContainText('memo://plans')
    const copy = dialog.getByRole('button', { name: 'Copy' })
    const text = await copiedBy(page, () => copy.click())
    await expect(page.getByText('Context block copied.', { exact: true }).first()).toBeVisible()
    expect(text.trim()).toBe((await block.textContent())?.trim())
  })

  test('takes the place of an older block in a person’s own text, by keyboard alone', async ({
    app: { page },
    profileDir,
  }) => {
    const dialog = await openContext(page, profileDir)
    const shown = dialog.getByRole('region', { name: 'Agent context' })
    await expect(shown).toContainText('memo://plans')
    const block = await shown.textContent()
    await expect(dialog.getByRole('radio', { name: 'Context block' })).toBeFocused()
    await arrowTo('ArrowRight', dialog.getByRole('radio', { name: 'Instructions file' }))
    await page.keyboard.press('Tab')
    const own = dialog.getByRole('textbox', { name: 'Your instructions file' })
    await expect(own).toBeFocused()
    const copy = dialog.getByRole('button', { name: 'Copy text' })
    await expect(copy).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.insertText(OLDER)
    const said = dialog.getByRole('status')
    await expect(said).toHaveText('The old block is replaced.')
    const changes = dialog.getByRole('list', { name: 'Changes to your text' })
    await expect(changes).toContainText('removed: - resource: memo://gone | gone')
    await expect(changes).toContainText('added: - resource: memo://plans')
    for (const theme of ['light', 'dark', 'contrast', 'contrast-light']) {
      await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`)
      expect.soft(await faultsOf(page, theme), theme).toEqual([])
    }
    // Past the copy of the changes, the changes and Close.
    for (let tabs = 0; tabs < 4; tabs += 1) await page.keyboard.press('Tab')
    await expect(copy).toBeFocused()
    const text = await copiedBy(page, () => page.keyboard.press('Enter'))
    await expect(page.getByText('Text copied.', { exact: true }).first()).toBeVisible()
    expect(text).toBe(`# Mine\n\n${block ?? ''}\n\nBe brief.\n`)

    await own.focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(text)
    await expect(said).toHaveText('The block in your text is up to date.')
    await expect(changes).toHaveCount(0)
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText('# Mine')
    await expect(said).toHaveText('The block is added at the end of your text.')
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText('x'.repeat(500_001))
    await expect(own).toHaveAccessibleDescription(/The text has 500,001 characters\./u)
    await expect(copy).toHaveAttribute('aria-disabled', 'true')
    // Esc would close the message of the copy first, while that stands.
    await dialog.getByRole('button', { name: 'Close', exact: true }).press('Enter')
    await expect(page.getByRole('button', { name: 'Agent context' })).toBeFocused()
  })
})
