import type { Page } from '@playwright/test'

import { expectStatus, goTo, install, installReady, openSettings } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

function palette(page: Page) {
  return page.getByRole('dialog', { name: 'Command palette' })
}

async function ask(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.type(words)
}

/** Both keys before a timer of the page can run, as on a busy computer. */
const closeAndOpen = `(async () => {
  const press = (init) =>
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...init }))
  press({ key: 'Escape' })
  await Promise.resolve()
  press({ key: 'k', code: 'KeyK', ctrlKey: true })
})()`

function selected(page: Page) {
  return palette(page).getByRole('option', { selected: true })
}

test.describe('D4: the command palette', () => {
  test('finds servers, their commands, tools and places by keyboard alone', async ({
    app: { page },
  }) => {
    await installReady(page, fixtureServer('plain.mjs'), 'Plain one')
    await goTo(page, 'Home')

    await test.step('a place', async () => {
      await ask(page, 'go set')
      await expect(selected(page)).toContainText('Go to Settings')
      await page.keyboard.press('Enter')
      await expect(palette(page)).toHaveCount(0)
      await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
    })
    await test.step('a command of a server', async () => {
      await ask(page, 'stop plain')
      await expect(selected(page)).toContainText('Stop Plain one')
      await page.keyboard.press('Enter')
      await expectStatus(page, 'Plain one', 'Stopped')
    })
    await test.step('a server’s own commands, and the way back', async () => {
      await page.keyboard.press('Control+k')
      // The last command comes first; stopping is no longer possible.
      await expect(palette(page).getByRole('option').first()).toContainText('Go to Settings')
      await page.keyboard.type('identifier-of-nothing')
      await expect(palette(page)).toContainText('No results for “identifier-of-nothing”.')
      await page.keyboard.press('Control+a')
      await page.keyboard.type('plain one')
      const server = palette(page).getByRole('group', { name: 'Servers' }).getByRole('option')
      await expect(server).toHaveCount(1)
      // A name alone leads to its page; Enter runs no action.
      await expect(server).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('Tab')
      await expect(palette(page).getByRole('combobox')).toHaveValue('')
      await expect(selected(page)).toHaveText(/^Start/u)
      await expect(palette(page)).toContainText('Plain one ›')
      await page.keyboard.press('Backspace')
      await expect(palette(page)).not.toContainText('Plain one ›')
      await page.keyboard.press('Escape')
      await expect(palette(page)).toHaveCount(0)
    })
    await test.step('what removes it asks first', async () => {
      await ask(page, 'remove plain')
      await expect(selected(page)).toContainText('Remove Plain one…')
      await page.keyboard.press('Enter')
      const question = page.getByRole('alertdialog', { name: 'Remove Plain one?' })
      await expect(question).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(question).toHaveCount(0)
    })
    await test.step('has the focus when closed and reopened quickly', async () => {
      await ask(page, 'x')
      await page.evaluate(closeAndOpen)
      await expect(palette(page).getByRole('combobox')).toHaveValue('')
      await page.keyboard.type('go set')
      await expect(selected(page)).toContainText('Go to Settings')
    })
  })

  test('leads to a settings section and to a new agent, and hides a tool with undo', async ({
    app: { page },
  }) => {
    await installReady(page, fixtureServer('plain.mjs'), 'Plain one')
    await ask(page, 'keep logs')
    await expect(selected(page)).toContainText('Settings: Keep logs for')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Keep logs for (days)' })).toBeFocused()
    await ask(page, 'settings')
    await expect(selected(page)).toContainText('Go to Settings')
    await page.keyboard.type(' network')
    await expect(selected(page)).toContainText('Settings: Network')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Network', level: 2 })).toBeFocused()

    await ask(page, 'connect app')
    await expect(selected(page)).toContainText('Connect app')
    await page.keyboard.press('Enter')
    const adding = page.getByRole('dialog', { name: 'Connect app' })
    await expect(adding).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(adding).toHaveCount(0)
    await page.keyboard.press('Alt+ArrowLeft')
    await page.keyboard.press('Alt+ArrowRight')
    await expect(page.getByRole('heading', { name: 'Apps', level: 1 })).toBeVisible()
    await expect(adding).toHaveCount(0)

    const switchTool = async (words: string): Promise<void> => {
      await ask(page, 'plain one')
      await expect(selected(page)).toContainText('Plain one')
      await page.keyboard.press('Tab')
      await expect(palette(page)).toContainText('Plain one ›')
      await page.keyboard.type(words)
      await expect(selected(page)).toContainText(words)
      await page.keyboard.press('Enter')
    }
    await switchTool('Hide echo from agents')
    await expect(
      page.getByText('echo no longer available to agents.', { exact: true }),
    ).toBeVisible()
    await switchTool('Show echo to agents')
    await expect(page.getByText('echo available to agents.', { exact: true })).toBeVisible()
  })

  test('shows hostile text as text, and axe finds nothing', async ({ app: { page } }) => {
    const title = '<img src=x onerror=alert(1)>'
    await install(page, fixtureServer('plain.mjs', { title }), title)
    await ask(page, 'onerror')
    await expect(palette(page).getByRole('option').first()).toContainText(title)
    expect(await palette(page).locator('img').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Search or run a command' }).click()
    await expect(palette(page)).toBeVisible()
  })
})

test.describe('D4: keyboard shortcuts', () => {
  test('lead to every place, back and forward, and to their list', async ({ app: { page } }) => {
    const at = async (name: string): Promise<void> =>
      expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
    await at('Home')
    for (const [key, name] of [
      ['c', 'Catalog'],
      ['s', 'Servers'],
      ['t', 'Tools'],
      ['a', 'Apps'],
      ['y', 'Activity'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await at(name)
    }
    await page.keyboard.press('Control+,')
    await at('Settings')
    await page.keyboard.press('Alt+ArrowLeft')
    await at('Activity')
    const forward = page.getByRole('button', { name: 'Forward', exact: true })
    await expect(forward).toHaveAttribute('aria-disabled', 'false')
    await forward.click()
    await at('Settings')
    await expect(forward).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(sheet).toContainText('Search or run a command')
    await expect(sheet).toContainText('Go to newest notification')
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await expect(sheet).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
    await at('Settings')
  })

  test('with single keys can be turned off', async ({ app: { page } }) => {
    await openSettings(page, 'Advanced')
    const single = page.getByRole('switch', { name: 'Single-key shortcuts' })
    await single.click()
    await expect(single).not.toBeChecked()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).click()
    await page.keyboard.press('?')
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('show keyboard shortcuts')
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(sheet).toContainText('turned off in Settings')
    await expect(sheet).toContainText('Search or run a command')
    await expect(sheet).not.toContainText('Search this page')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
    await page.getByRole('button', { name: 'Reset Single-key shortcuts' }).click()
    await expect(single).toBeChecked()
  })

  test("don't fire while typing, and work on a checkbox", async ({ app: { page } }) => {
    await goTo(page, 'Catalog')
    const search = page.getByRole('searchbox', { name: 'Search catalog' })
    await expect(search).toBeVisible()
    await page.keyboard.press('/')
    await expect(search).toBeFocused()
    await page.keyboard.type('gh?')
    await expect(search).toHaveValue('gh?')
    await expect(page.getByRole('heading', { name: 'Catalog', level: 1 })).toBeVisible()

    await page.getByRole('complementary', { name: 'Filters' }).getByLabel('Favorites').focus()
    await page.keyboard.press('/')
    await expect(search).toBeFocused()
  })
})
