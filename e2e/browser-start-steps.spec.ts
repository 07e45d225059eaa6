import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import type { Page } from '@playwright/test'

import {
  approve,
  argvOf,
  expectStatus,
  limitHandshake,
  nameIt,
  openEditor,
  openServer,
} from './fixtures/drive'
import { expect, test } from './fixtures/patchbay-test'

/** Writes and starts a custom server; `limit` is its handshake limit, in seconds. */
async function start(page: Page, command: string, args: readonly string[], limit?: string) {
  await openEditor(page)
  await nameIt(page, 'Mine')
  await page.getByRole('textbox', { name: 'Command' }).fill(command)
  for (const [index, arg] of args.entries()) {
    await page.getByRole('button', { name: 'Add argument' }).click()
    await page.getByRole('textbox', { name: `Argument ${String(index + 1)}` }).fill(arg)
  }
  if (limit !== undefined) await limitHandshake(page, limit)
  await expect(argvOf(page)).toHaveText([command, ...args])
  await approve(page)
  await expectStatus(page, 'Mine', 'Error')
  await openServer(page, 'Mine')
}

test.describe('the failed step of a start', () => {
  test('F13: runs the server in the folder where its variable is set', async ({
    app: { page },
  }, testInfo) => {
    const folder = testInfo.outputPath('notes')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{}')
    writeFileSync(join(folder, '.env'), 'NOTES_KEY=x\n')
    writeFileSync(join(folder, 'main.js'), 'console.error("NOTES_KEY is not set"); process.exit(1)')
    await start(page, 'node', [join(folder, 'main.js')])
    await expect(page.getByRole('main')).toContainText(`.env is in ${folder}, but the server runs`)
    await page.getByRole('link', { name: 'Run in this folder' }).press('Enter')
    const field = page.getByRole('textbox', { name: 'Working folder' })
    await expect(field).toHaveValue(folder)
    await expect(field).toBeFocused()
  })

  test('F13: uses the program in the folder of the installed version', async ({
    app: { page },
  }, testInfo) => {
    const [gone, there] = ['v20.11.0', 'v22.3.0'].map((name) => testInfo.outputPath(name, 'node'))
    mkdirSync(dirname(there ?? ''), { recursive: true })
    symlinkSync(process.execPath, there ?? '')
    await start(page, gone ?? '', ['-v'])
    await page.getByRole('link', { name: `Use ${there ?? ''}` }).press('Enter')
    await expect(argvOf(page)).toHaveText([there ?? '', '-v'])
  })

  test('F14: adds a server that listens for HTTP by its address', async ({ app: { page } }) => {
    const code =
      "require('node:http').createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')"
    await start(page, 'node', ['-e', code], '2')
    await expect(page.getByRole('main')).toContainText('instead of stdin')
    await page.getByRole('link', { name: 'Add as HTTP server' }).press('Enter')
    const address = page.getByRole('textbox', { name: 'Address' })
    await expect(address).toHaveValue(/^http:\/\/127\.0\.0\.1:\d+$/u)
  })

  test('F14: leads from a prompt to the command to run in a terminal', async ({
    app: { page },
  }) => {
    const code = "process.stderr.write('API key: '); process.stdin.resume()"
    await start(page, 'node', ['-e', code], '2')
    await expect(page.getByRole('main')).toContainText('“API key:”')
    await page.getByRole('link', { name: 'Set it up in a terminal' }).press('Enter')
    await expect(page.getByRole('tab', { name: 'Settings' })).toHaveAttribute(
      'aria-selected',
      'true',
    )
  })
})
