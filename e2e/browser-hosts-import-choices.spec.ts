import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { approve, expectStatus, logOf, openServer } from './fixtures/drive'
import { HostHome, serverFile } from './fixtures/host-files'
import { addUnapproved, cardsOf, openImport, rowsOf } from './fixtures/import-page'
import { expect, test } from './fixtures/patchbay-test'

const SECRET = 'sk-live-correct-horse-battery-42'
const KEYED = { command: 'node', args: [serverFile('keyed')] }

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** Approves the one server that was imported; its log tells which key it was given. */
async function startImported(page: Page, name: string, key: string): Promise<void> {
  await page.getByRole('link', { name: `Review ${name} first` }).click()
  await approve(page)
  await expectStatus(page, name, 'Ready')
  await openServer(page, name, 'Log')
  await expect(logOf(page, name)).toContainText(`key ${hashOf(key)}`)
}

test.describe('what is decided before an import (D6)', () => {
  test('a file of variables and a variable of the environment are read on consent only', async ({
    openApp,
  }) => {
    using home = new HostHome()
    const envFile = join(home.path, 'keys.env')
    writeFileSync(envFile, `API_KEY=${SECRET}\n`)
    const filed = { ...KEYED, envFile, env: { WORD: '${env:PATCHBAY_TEST_WORD}' } }
    home.write('vsCode', JSON.stringify({ servers: { filed } }))
    const env = { ...home.env, PATCHBAY_TEST_WORD: 'a word of its own' }
    const { page } = await openApp({ env })
    await openImport(page)
    const detail = page.getByRole('region', { name: 'Details of filed' })
    await expect(detail).toContainText(envFile)
    await expect(rowsOf(page)).toContainText('missing value')
    await detail.getByRole('button', { name: 'Read file' }).click()
    await expect(detail).toContainText('1 variable read')
    await detail.getByRole('checkbox', { name: /current value of PATCHBAY_TEST_WORD/u }).check()
    await expect(rowsOf(page)).not.toContainText('missing value')
    await expect(detail.getByRole('list', { name: 'Environment' })).toContainText(
      'a word of its own',
    )
    expect(await page.content()).not.toContain(SECRET)
    await addUnapproved(page, 1)
    await startImported(page, 'filed', SECRET)
  })
  test('an option that needs a terminal is removed in the review with one button (S17)', async ({
    openApp,
  }) => {
    using home = new HostHome()
    const boxed = { command: 'docker', args: ['run', '-it', '--rm', 'example/boxed'] }
    home.write('cursor', JSON.stringify({ mcpServers: { boxed } }))
    const { page } = await openApp({ env: home.env })
    await openImport(page)
    await page.getByRole('button', { name: 'Review 1 server' }).click()
    const card = cardsOf(page)
    await expect(card).toContainText('-it of docker run needs a terminal')
    await card.getByRole('button', { name: 'Replace -it with -i' }).click()
    await expect(card).not.toContainText('terminal')
    await expect(card.getByRole('list', { name: 'Command' })).not.toContainText('-it')
    await page.getByRole('button', { name: 'Add without approval' }).click()
    await page.getByRole('link', { name: 'Review boxed first' }).click()
    const command = page.getByRole('list', { name: 'Command' })
    await expect(command).toContainText('--rm')
    await expect(command).not.toContainText('-it')
  })
})
