import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { Locator, Page } from '@playwright/test'

import { AskingServer } from './fixtures/asking-server'
import { expectStatus, goTo, install, openServer, openSettings } from './fixtures/drive'
import { expect, test } from './fixtures/patchbay-test'

const NAME = 'Asker'
const FORM = {
  message: 'Who are you?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name', maxLength: 20 },
      colour: { type: 'string', enum: ['red', 'blue'], default: 'blue' },
      sure: { type: 'boolean' },
    },
    required: ['name'],
  },
}

async function open(page: Page, profileDir: string): Promise<AskingServer> {
  const asking = new AskingServer(join(profileDir, 'asks.jsonl'))
  await install(page, asking.entry, NAME)
  await expectStatus(page, NAME, 'Ready')
  return asking
}

async function shown(page: Page, title: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Answer later' })).toBeEnabled()
  return dialog
}

test.describe('Questions of servers: with a server that asks', () => {
  test('a form that is filled in reaches it', async ({ app: { page, profileDir } }) => {
    const asking = await open(page, profileDir)
    asking.ask('elicitation/create', FORM)
    const dialog = await shown(page, `${NAME} asks for details`)
    await expect(dialog.getByRole('radio', { name: 'blue' })).toBeChecked()
    await dialog.getByRole('textbox', { name: 'Your name' }).fill('Ann')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await expect(dialog).toBeHidden()
    await expect
      .poll(() => asking.heard)
      .toMatchObject([
        { id: 'ask-0', result: { action: 'accept', content: { name: 'Ann', colour: 'blue' } } },
      ])
  })

  test('it is told that its questions were declined, closed or not answered in time', async ({
    app: { page, profileDir },
  }) => {
    const asking = await open(page, profileDir)
    for (const button of ['Decline', 'Dismiss without answering']) {
      asking.ask('elicitation/create', FORM)
      const dialog = await shown(page, `${NAME} asks for details`)
      await dialog.getByRole('button', { name: button }).click()
      await expect(dialog).toBeHidden()
    }
    await openSettings(page, 'Apps and gateway')
    await page.getByRole('textbox', { name: 'Approval time limit (seconds)' }).fill('10')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Reset Approval time limit' })).toBeVisible()
    await goTo(page, 'Home')
    asking.ask('elicitation/create', FORM)
    const last = await shown(page, `${NAME} asks for details`)
    await expect(last.getByRole('timer')).toContainText('s left')
    await expect(last).toBeHidden()
    await expect(page.getByText(`The request from ${NAME} timed out`).first()).toBeVisible()
    await expect
      .poll(() => asking.heard.map(({ result }) => result))
      .toEqual([{ action: 'decline' }, { action: 'cancel' }, { action: 'cancel' }])
  })

  test('one that stops takes its question back', async ({ app: { page, profileDir } }) => {
    const asking = await open(page, profileDir)
    asking.ask('elicitation/create', FORM)
    const dialog = await shown(page, `${NAME} asks for details`)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    const banner = page.getByRole('region', { name: 'Requests' })
    await expect(banner).toBeVisible()
    await openServer(page, NAME)
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect(banner).toBeHidden()
  })

  test('a page opens in a tab of its own, and it is told so', async ({
    app: { page, profileDir },
  }) => {
    const asking = await open(page, profileDir)
    const url = new URL('#asked', page.url()).href
    asking.ask('elicitation/create', { mode: 'url', message: 'Look.', url, elicitationId: 'e' })
    const dialog = await shown(page, `${NAME} asks you to open a page`)
    const opened = page.context().waitForEvent('page')
    await dialog.getByRole('link', { name: 'Open page' }).click()
    await (await opened).close()
    expect(asking.heard).toEqual([])
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(dialog).toBeHidden()
    await expect.poll(() => asking.heard).toMatchObject([{ result: { action: 'accept' } }])
  })

  test('it is told the folders that were chosen, at once, and says that it asked in vain before', async ({
    app: { page, profileDir },
  }) => {
    const asking = await open(page, profileDir)
    await openServer(page, NAME)
    asking.ask('roots/list')
    await expect(page.getByText('asked for folders, but none are shared')).toBeVisible()
    await page.getByRole('button', { name: 'Choose folders' }).click()
    const dialog = page.getByRole('dialog', { name: `Folders of ${NAME}` })
    const folder = join(profileDir, 'a folder')
    await dialog.getByRole('textbox', { name: 'Folder 1' }).fill(folder)
    await dialog.getByRole('button', { name: 'Save folders' }).click()
    await expect(dialog.getByRole('alert')).toContainText(folder)
    mkdirSync(folder)
    await dialog.getByRole('button', { name: 'Save folders' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('list', { name: 'Folders' })).toHaveText(folder)
    await expect(page.getByText('asked for folders, but none are shared')).toBeHidden()
    await expect
      .poll(() => asking.heard.map(({ method }) => method))
      .toContain('notifications/roots/list_changed')
    asking.ask('roots/list')
    await expect
      .poll(() => asking.heard.filter(({ id }) => id !== undefined).map(({ result }) => result))
      .toEqual([{ roots: [] }, { roots: [{ uri: pathToFileURL(folder).href, name: 'a folder' }] }])
  })

  test('that asks for a model is refused, and its page says so', async ({
    app: { page, profileDir },
  }) => {
    const asking = await open(page, profileDir)
    await openServer(page, NAME)
    asking.ask('sampling/createMessage', { messages: [], maxTokens: 1 })
    asking.ask('sampling/createMessage', { messages: [], maxTokens: 1 })
    await expect(page.getByText('Sampling, 2 times.')).toBeVisible()
    await expect
      .poll(() => asking.heard.filter(({ id }) => id !== undefined).map(({ error }) => error?.code))
      .toEqual([expect.any(Number), expect.any(Number)])
  })
})
