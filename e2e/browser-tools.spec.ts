import type { Locator, Page } from '@playwright/test'

import { addApp } from './fixtures/apps-page'
import { serverLink } from './fixtures/drive'
import { installTools, type ListedTool, writeTools } from './fixtures/listed-tools'
import { expect, test } from './fixtures/patchbay-test'

const FILES: readonly ListedTool[] = [
  { name: 'read', description: 'Reads a file.', annotations: { readOnlyHint: true } },
  { name: 'write', description: 'Writes a file.', annotations: { destructiveHint: true } },
  { name: 'list', description: 'Lists a folder.', annotations: { readOnlyHint: true } },
]

function numbered(count: number): ListedTool[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: `Does thing ${index}.`,
  }))
}

async function openTools(page: Page): Promise<void> {
  const main = page.getByRole('navigation', { name: 'Main' })
  await main.getByRole('link', { name: /^Tools,/u }).click()
  await expect(page.getByRole('heading', { name: 'Tools', level: 1 })).toBeVisible()
}

function headline(page: Page): Locator {
  return page.getByRole('main').getByRole('heading', { name: /available to agents/u })
}

function row(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
}

function hit(page: Page, name: string): Locator {
  return row(page, name).locator('[data-index]')
}

function switchOf(page: Page, name: string): Locator {
  return page.getByRole('switch', { name: `Show ${name} to agents` })
}

test.describe('C7: the tools available to agents', () => {
  test(
    'are selected by switch, key and menu; counts follow, the selection survives a restart, and can be reset',
    { tag: '@gate' },
    async ({ openApp, profileDir }) => {
      const app = await openApp()
      const { page } = app
      await installTools(page, profileDir, 'Files', FILES)
      await openTools(page)
      await expect(headline(page)).toHaveText('3 tools available to agents')
      await switchOf(page, 'write').click()
      await expect(headline(page)).toHaveText('2 tools available to agents')
      await hit(page, 'list').focus()
      await page.keyboard.press('Space')
      await expect(headline(page)).toHaveText('1 tool available to agents')
      await expect(switchOf(page, 'list')).not.toBeChecked()
      await expect(page.getByRole('dialog')).toBeHidden()
      await app.close()

      const again = await openApp()
      await expect(serverLink(again.page, 'Files', 'Ready')).toBeVisible()
      await openTools(again.page)
      await expect(headline(again.page)).toHaveText('1 tool available to agents')
      await expect(switchOf(again.page, 'read')).toBeChecked()
      const choice = again.page.getByRole('button', { name: /^Tools of Files for agents: / })
      await expect(choice).toHaveText('1 selected')
      await switchOf(again.page, 'write').click()
      await switchOf(again.page, 'list').click()
      await expect(choice).toHaveText('All')
      await choice.click()
      await again.page.getByRole('menuitem', { name: 'Only read-only (2)' }).click()
      await expect(headline(again.page)).toHaveText('2 tools available to agents')
      await expect(switchOf(again.page, 'write')).not.toBeChecked()
      await again.page.getByRole('button', { name: 'Undo' }).click()
      await expect(headline(again.page)).toHaveText('3 tools available to agents')
    },
  )

  test('are selected for a whole search result, with one undo for all servers', async ({
    app: { page },
    profileDir,
  }) => {
    await installTools(page, profileDir, 'Files', FILES)
    await installTools(page, profileDir, 'Other', [{ name: 'write_more' }, { name: 'stay' }])
    await openTools(page)
    await expect(headline(page)).toHaveText('5 tools available to agents')
    await page.keyboard.press('/')
    await page.keyboard.type('write')
    await expect(page.getByText('2 of 5 tools')).toBeVisible()
    await page.getByRole('checkbox', { name: 'Select all shown tools' }).check()
    const selected = page.getByRole('group', { name: 'Selected tools' })
    await expect(selected).toContainText('2 selected')
    await selected.getByRole('button', { name: 'Turn off' }).click()
    await expect(headline(page)).toHaveText('3 tools available to agents')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(headline(page)).toHaveText('5 tools available to agents')
  })
})

test.describe('new and changed tools', () => {
  test('need review, come first, are counted in the sidebar, and lead to their review', async ({
    openApp,
    profileDir,
  }) => {
    const app = await openApp()
    await installTools(app.page, profileDir, 'Files', FILES)
    await openTools(app.page)
    await expect(headline(app.page)).toHaveText('3 tools available to agents')
    await app.close()
    const others = FILES.filter(({ name }) => name !== 'read')
    const changed = { name: 'read', description: 'Reads any file at all.' }
    writeTools(profileDir, 'Files', [changed, ...others, { name: 'move' }])

    const { page } = await openApp()
    await expect(page.getByRole('link', { name: 'Tools, 2 to review' })).toBeVisible()
    await openTools(page)
    await expect(headline(page)).toHaveText('2 tools available to agents, 2 need review')
    const held = page.getByRole('region', { name: 'Needs review' })
    await expect(held.getByRole('listitem')).toHaveCount(2)
    await expect(held.getByRole('listitem').first()).toContainText('Changed')
    await expect(held.getByRole('listitem').last()).toContainText('New')
    await expect(held.getByRole('switch')).toHaveCount(0)
    await held.getByRole('link', { name: 'Review read' }).click()
    await expect(page).toHaveURL(/\/review\?tool=read$/u)
  })
})

test.describe('C3: an app over its tool limit', () => {
  test.use({ settings: { toolCap: 3 } })

  test('is named with suggestions, and the selection makes room', async ({
    app: { page },
    profileDir,
  }) => {
    await installTools(page, profileDir, 'Many', numbered(5))
    await addApp(page, 'Narrow')
    await openTools(page)
    await expect(headline(page)).toHaveText('5 tools available to agents')
    await expect(page.getByText('Narrow is over its limit by 2 tools.')).toBeVisible()
    await page.getByRole('button', { name: 'Suggest tools to turn off' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('checkbox')).toHaveCount(2)
    await dialog.getByRole('checkbox').first().uncheck()
    await dialog.getByRole('button', { name: 'Turn off 1 tool' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Narrow is over its limit by 1 tool.')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Narrow is over its limit by 2 tools.')).toBeVisible()
  })
})

test.describe('the list of all tools', () => {
  test('is navigated by keyboard from the search to its end and back, reading a tool on the way', async ({
    app: { page },
    profileDir,
  }) => {
    await installTools(page, profileDir, 'Many', numbered(300))
    await openTools(page)
    // Only visible rows are rendered.
    expect(await page.locator('[data-index]').count()).toBeLessThan(60)
    await expect(page.getByRole('searchbox')).toBeVisible()
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox')).toBeFocused()
    await hit(page, 'tool_0').focus()
    await page.keyboard.press('ArrowDown')
    await expect(hit(page, 'tool_1')).toBeFocused()
    await page.keyboard.press('End')
    await expect(hit(page, 'tool_299')).toBeFocused()
    await expect(hit(page, 'tool_299')).toBeInViewport()
    await expect(page.getByRole('heading', { name: 'Many' })).toBeInViewport()
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'tool_299' })
    await expect(sheet).toContainText('Does thing 299.')
    await expect(sheet).toContainText('Many__tool_299')
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(hit(page, 'tool_299')).toBeFocused()
    await page.keyboard.press('Home')
    await expect(hit(page, 'tool_0')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
  })

  test('is filtered and sorted, with counts per filter and a way out of an empty result', async ({
    app: { page },
    profileDir,
  }) => {
    await installTools(page, profileDir, 'Files', FILES)
    await installTools(page, profileDir, 'Large', [
      { name: 'huge', description: 'A long story. '.repeat(200) },
    ])
    await openTools(page)
    await expect(page.getByText('Counting tokens…')).toBeHidden()
    await page.getByRole('button', { name: /^Sorted by/u }).click()
    await page.getByRole('menuitemradio', { name: 'Most tokens' }).click()
    await expect(page.locator('.tool-hit').first()).toContainText('huge')
    await page.getByRole('button', { name: 'Filters' }).click()
    await expect(page.getByLabel('Read-only 2')).toBeVisible()
    await page.getByLabel('Destructive 1').check()
    await page.keyboard.press('Escape')
    await expect(page.locator('[data-index]')).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Filters' })).toBeFocused()
    await page.keyboard.press('/')
    await page.keyboard.type('nowhere')
    await expect(page.getByRole('heading', { name: 'No matching tools' })).toBeVisible()
    await page.getByRole('button', { name: 'Show all' }).last().click()
    await expect(page.locator('[data-index]')).toHaveCount(4)
  })

  test("shows servers' text as plain text, hidden characters by their code", async ({
    app: { page },
    profileDir,
  }) => {
    const hostile = 'Reads.\u202Esdrow\u200b <img src=x onerror="document.title=1"> **bold**'
    await installTools(page, profileDir, 'Bad', [
      { name: 'fine', description: hostile },
      { name: 'evil\u202Eeman', description: 'x' },
    ])
    await openTools(page)
    await expect(row(page, 'fine')).toContainText('Reads.<U+202E>sdrow<U+200B> <img src=x')
    await expect(row(page, 'evil<U+202E>eman')).toContainText('Quarantined')
    await hit(page, 'fine').click()
    await expect(page.getByRole('dialog')).toContainText('**bold**')
    const text = await page.locator('body').innerText()
    expect(text).not.toMatch(/[\u202e\u200b]/u)
    await expect(page.locator('img[src=x]')).toHaveCount(0)
  })
})
