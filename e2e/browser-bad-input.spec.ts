import { approve, expectStatus, goTo, install, openPaste, paste } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { startLocalRegistry } from './fixtures/local-registry'
import { expect, test } from './fixtures/patchbay-test'

test.describe('bad input loses nothing and explains itself', () => {
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

  test('a command that does not exist is named with what to do', async ({ app: { page } }) => {
    const server = fixtureServer('plain.mjs') as { packages: { identifier: string }[] }
    Object.assign(server.packages[0] ?? {}, { identifier: 'no-such-command-here' })
    await install(page, server, 'Nowhere')
    await expectStatus(page, 'Nowhere', 'Error')
    const main = page.getByRole('main')
    await expect(main).toContainText('no-such-command-here was not found on this computer.')
    await expect(main).toContainText('Install no-such-command-here')
  })

  test(
    'an older configuration that lacks a value starts nothing and leads to the field',
    { tag: '@gate' },
    async ({ app: { page } }) => {
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
    },
  )
})

test.describe('D2: a registry that misbehaves', () => {
  test('is told in words when it sends a web page, and the starter servers stay', async ({
    app: { page },
  }) => {
    const portal = await startLocalRegistry('html')
    await goTo(page, 'Settings')
    await page.getByLabel('Registry address').fill(portal.url)
    await page.keyboard.press('Tab')
    await goTo(page, 'Catalog')
    await expect(page.getByText(/answered with a web page/u)).toBeVisible()
    await expect(page.getByText('Showing 14 starter servers.')).toBeVisible()
    await portal.close()

    const mended = await startLocalRegistry([fixtureServer('plain.mjs', { title: 'Found me' })])
    await goTo(page, 'Settings')
    await page.getByLabel('Registry address').fill(mended.url)
    await page.keyboard.press('Tab')
    await goTo(page, 'Catalog')
    await page.getByRole('searchbox', { name: 'Search the catalog' }).fill('plain')
    await expect(page.getByRole('button', { name: 'Found me', exact: true })).toBeVisible()
    await mended.close()
  })
})
