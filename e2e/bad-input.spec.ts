import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import {
  approve,
  expectStatus,
  goTo,
  install,
  logOf,
  nameIt,
  openPaste,
  openServer,
  paste,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { startLocalRegistry } from './fixtures/local-registry'
import { expect, test } from './fixtures/patchbay-test'

test.describe('bad input loses nothing and explains itself', () => {
  test('a corrupt settings file is kept aside, and the app starts and says so', async ({
    openApp,
    profileDir,
  }) => {
    const broken = '{"installations": [{"name": "Files"'
    writeFileSync(join(profileDir, 'settings.json'), broken)
    const { page } = await openApp()
    await expect(page.getByText('Patchbay started with empty settings').first()).toBeVisible()
    const kept = readdirSync(profileDir).find((name) => name.startsWith('settings.corrupt-'))
    expect(readFileSync(join(profileDir, kept ?? ''), 'utf8')).toBe(broken)
  })

  test('a server.json with unknown fields and odd elements is read, and what was set aside is told', async ({
    app: { page },
  }) => {
    const server = fixtureServer('plain.mjs', {
      environmentVariables: [
        { name: '', value: 'x' },
        { name: 'MODE', default: 'a', surprise: 1 },
      ],
    })
    const dialog = await openPaste(page)
    await dialog.getByRole('textbox').fill(JSON.stringify({ ...server, unheardOf: { of: true } }))
    await dialog.getByRole('button', { name: /^Read/u }).click()
    await expect(dialog).toContainText('environmentVariables[0]')
    await dialog.getByRole('button', { name: /^Set up/u }).click()
    await expect(page.getByLabel('Mode')).toBeVisible()
    await approve(page)
    await expectStatus(page, 'plain', 'Ready')
  })

  test('text that is no JSON is refused with the place of the mistake', async ({
    app: { page },
  }) => {
    const dialog = await openPaste(page)
    await dialog.getByRole('textbox').fill('{"name": ')
    await dialog.getByRole('button', { name: /^Read/u }).click()
    await expect(dialog.getByRole('alert')).toContainText('Line 1, column 10')
    await expect(dialog.getByRole('textbox')).toHaveValue('{"name": ')
  })

  test('a value with quotes, newlines, $(…) and other scripts reaches the server unchanged', async ({
    app: { page },
    profileDir,
  }) => {
    const trap = join(profileDir, 'trap')
    const odd = `"double" 'single' $(touch ${trap}) \`touch ${trap}\`; | & \\ %PATH% zażółć 日本 🙂\nsecond line\n\tthird`
    await paste(
      page,
      fixtureServer('plain.mjs', {
        packageArguments: [{ type: 'named', name: '--text', description: 'Any text' }],
      }),
    )
    await page.getByLabel('Text', { exact: true }).fill(odd)
    await nameIt(page, 'Odd')
    await approve(page)
    await expectStatus(page, 'Odd', 'Ready')
    await openServer(page, 'Odd', 'Log')
    await expect(logOf(page, 'Odd')).toContainText(`argv ${JSON.stringify(['--text', odd])}`)
    expect(existsSync(trap)).toBe(false)
  })

  test('a command that does not exist is named with what to do', async ({ app: { page } }) => {
    const server = fixtureServer('plain.mjs') as { packages: { identifier: string }[] }
    Object.assign(server.packages[0] ?? {}, { identifier: 'no-such-command-here' })
    await install(page, server, 'Nowhere')
    await expectStatus(page, 'Nowhere', 'Error')
    const main = page.getByRole('main')
    await expect(main).toContainText('no-such-command-here was not found on this computer.')
    await expect(main).toContainText('Install no-such-command-here')
  })

  test('an older configuration that lacks a value starts nothing and leads to the field', async ({
    app: { page },
  }) => {
    await paste(
      page,
      fixtureServer('plain.mjs', {
        packageArguments: [
          { type: 'named', name: '--mode', description: 'A mode' },
          {
            type: 'named',
            name: '--root',
            description: 'Folders',
            isRequired: true,
            isRepeated: true,
          },
        ],
      }),
    )
    await page.getByRole('button', { name: 'Paste values' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('{"package_args": {"mode": "a,b"}}')
    await dialog.getByRole('button', { name: /^Add as it is/u }).click()
    await expectStatus(page, 'plain', 'Error')
    await expect(page.getByText('CONFIG_INCOMPLETE').first()).toBeVisible()
    await page
      .getByRole('button', { name: 'Fill in Root' })
      .or(page.getByRole('link', { name: 'Fill in Root' }))
      .first()
      .click()
    const root = page.getByRole('textbox', { name: 'Root 1' })
    await expect(root).toBeFocused()
    await expect(page.getByLabel('Mode', { exact: true })).toHaveValue('a,b')
    await root.fill('/tmp')
    await approve(page)
    await expectStatus(page, 'plain', 'Ready')
  })
})

test.describe('D2: the live search of the registry', () => {
  test('finds a server to set up', async ({ app: { page } }) => {
    const registry = await startLocalRegistry([fixtureServer('plain.mjs', { title: 'Found me' })])
    await searchAt(page, registry.url)
    const found = page.getByRole('region', { name: 'From the registry' })
    await expect(found.getByRole('button', { name: 'Found me' })).toBeVisible()
    await registry.close()
  })

  test('says in words when it gets a web page instead of an answer', async ({ app: { page } }) => {
    const portal = await startLocalRegistry('html')
    await searchAt(page, portal.url)
    const found = page.getByRole('region', { name: 'From the registry' })
    await expect(found).toContainText(/web page|HTML/u)
    await expect(found.getByRole('button', { name: 'Try again' })).toBeVisible()
    await portal.close()
  })
})

/** Searches for the fixture in the registry at `url`. */
async function searchAt(page: Page, url: string): Promise<void> {
  await goTo(page, 'Settings')
  await page
    .getByLabel(/registry/iu)
    .first()
    .fill(url)
  await page.keyboard.press('Tab')
  await goTo(page, 'Catalog')
  await page.getByRole('searchbox').fill('plain')
}
