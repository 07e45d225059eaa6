import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { Page } from '@playwright/test'

import { installReady, openServer } from './fixtures/drive'
import { requestShown } from './fixtures/made-up-requests'
import { expect, test } from './fixtures/patchbay-test'
import { RequestingServer } from './fixtures/requesting-server'

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

async function open(page: Page, profileDir: string): Promise<RequestingServer> {
  const asking = new RequestingServer(join(profileDir, 'asks.jsonl'))
  await installReady(page, asking.entry, NAME)
  return asking
}

test.describe('E1: requests of a real server', () => {
  test('a filled-in form reaches the server', async ({ app: { page, profileDir } }) => {
    const asking = await open(page, profileDir)
    asking.ask('elicitation/create', FORM)
    const dialog = await requestShown(page, `${NAME} asks for details`)
    await expect(dialog.getByRole('radio', { name: 'blue' })).toBeChecked()
    await dialog.getByRole('textbox', { name: 'Your name' }).fill('Ann')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await expect(dialog).toBeHidden()
    await expect
      .poll(() => asking.received)
      .toMatchObject([
        { id: 'ask-0', result: { action: 'accept', content: { name: 'Ann', colour: 'blue' } } },
      ])
  })
  test('the server gets the selected folders immediately, and the earlier failed request is shown', async ({
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
      .poll(() => asking.received.map(({ method }) => method))
      .toContain('notifications/roots/list_changed')
    asking.ask('roots/list')
    await expect
      .poll(() => asking.received.filter(({ id }) => id !== undefined).map(({ result }) => result))
      .toEqual([{ roots: [] }, { roots: [{ uri: pathToFileURL(folder).href, name: 'a folder' }] }])
  })
})
