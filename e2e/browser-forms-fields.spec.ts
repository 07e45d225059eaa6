import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { approve, argvOf, configure, expectStatus, paste } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { EVERY_KIND, MANY_FIELDS } from './fixtures/form-servers'
import { expect, test } from './fixtures/patchbay-test'

test.describe('A3: the fields of a form', () => {
  test("show their default, say if it isn't used, and reset to it by keyboard", async ({
    app: { page },
  }) => {
    await paste(page, EVERY_KIND)
    const port = page.getByLabel('Port', { exact: true })
    const field = page.locator('[data-field="arg_port"]')
    await expect(port).toHaveValue('8080')
    await expect(port).toHaveAttribute('inputmode', 'decimal')
    await port.fill('')
    await expect(field).toContainText('Empty. The default is not used.')
    await expect(field).toContainText('Default: 8080')
    await expect(argvOf(page)).not.toContainText(['--port'])
    await port.fill('many')
    await port.press('Tab')
    await expect(field.getByRole('alert')).toHaveText('Enter a number.')
    await field.getByRole('button', { name: 'Reset to default' }).press('Enter')
    await expect(port).toHaveValue('8080')
    await expect(port).toBeFocused()
    await expect(argvOf(page)).toContainText(['--port', '8080'])
    await expect(field.getByRole('button', { name: 'Reset to default' })).toBeHidden()
  })
  test('can refer to a variable of this computer, read at each start (A4)', async ({ openApp }) => {
    const { page } = await openApp({ env: { MY_REGION: 'north' } })
    const environmentVariables = [{ name: 'REGION', default: 'south' }]
    await paste(page, fixtureServer('plain.mjs', { environmentVariables }))
    const field = page.locator('[data-field="env_REGION"]')
    const environment = page.getByRole('list', { name: 'Environment' })
    await field.hover()
    await field.getByRole('button', { name: 'Use environment variable' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('MY_REGION')
    await dialog.getByRole('button', { name: 'Use', exact: true }).click()
    await expect(field.getByRole('group', { name: 'Region' })).toBeFocused()
    await expect(environment).toContainText('$MY_REGION')
    await approve(page)
    await expectStatus(page, 'plain', 'Ready')
    await configure(page, 'plain')
    await expect(field).toContainText('$MY_REGION from your environment')
    await field.getByRole('button', { name: "Don't use" }).click()
    await expect(field.getByRole('textbox')).toHaveValue('south')
    await expect(environment).toContainText('south')
  })
  test('can set an optional variable to an empty value', async ({ app: { page } }) => {
    const environmentVariables = [{ name: 'HTTPS_PROXY', default: 'http://proxy:1' }]
    await paste(page, fixtureServer('plain.mjs', { environmentVariables }))
    const field = page.locator('[data-field="env_HTTPS_PROXY"]')
    const environment = page.getByRole('list', { name: 'Environment' })
    await expect(environment).toContainText('proxy:1')
    await field.getByRole('textbox').fill('')
    await expect(environment).toBeHidden()
    await field.getByRole('button', { name: 'Set to empty' }).click()
    await expect(field).toContainText('set, empty')
    await expect(environment).toContainText('HTTPS_PROXY')
    await field.getByRole('button', { name: 'Clear variable' }).click()
    await expect(environment).toBeHidden()
  })
  test('warn of a path that is missing, of the wrong type, or meant for a shell', async ({
    app: { page, profileDir },
  }) => {
    const file = join(profileDir, 'a file')
    writeFileSync(file, '')
    await paste(page, EVERY_KIND)
    const root = page.getByRole('textbox', { name: 'Root 1' })
    const field = page.locator('[data-field="arg_root"]')
    await root.fill(join(profileDir, 'nothing'))
    await expect(field).toContainText('Path not found.')
    await root.fill(file)
    await expect(field).toContainText('Choose a folder, not a file.')
    await root.fill(profileDir)
    await expect(field).not.toContainText('Choose a folder')
    await expect(field).not.toContainText('Path not found')
    await page.getByLabel('Config', { exact: true }).fill('~/config.json')
    await expect(page.locator('[data-field="arg_config"]')).toContainText(
      'The ~ for your home folder is not expanded.',
    )
  })

  test("take several values, and announce an entry's position to screen readers", async ({
    app: { page },
  }) => {
    await paste(page, EVERY_KIND)
    const field = page.locator('[data-field="arg_root"]')
    await page.getByRole('textbox', { name: 'Root 1' }).fill('/a')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Root 2' })).toBeFocused()
    await page.keyboard.type('/b')
    await field.getByRole('button', { name: 'Move entry 2 up' }).press('Enter')
    await expect(field.getByText('Moved to position 1 of 2.')).toBeAttached()
    await expect(field.getByRole('button', { name: 'Move entry 1 up' })).toBeFocused()
    await expect(argvOf(page)).toContainText(['--root', '/b', '--root', '/a'])

    const filter = page.locator('[data-field="arg_filter"]')
    await page.getByLabel('Filter', { exact: true }).fill('one, two')
    await expect(argvOf(page)).toContainText(['--filter', 'one, two'])
    await filter.getByRole('button', { name: 'Several values' }).click()
    await expect(page.getByRole('textbox', { name: 'Filter 3' })).toBeFocused()
    await page.keyboard.type('three,four')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('textbox', { name: 'Filter 4' })).toHaveValue('four')
    const each = ['one', 'two', 'three', 'four'].flatMap((text) => ['--filter', text])
    await expect(argvOf(page)).toContainText(each)
  })
})

test.describe('A3: many fields', () => {
  test('are collapsed, searched, and shown if one has a problem', async ({ app: { page } }) => {
    await paste(page, MANY_FIELDS)
    const advanced = page.getByRole('button', { name: 'Advanced' })
    await expect(advanced).toHaveAttribute('aria-expanded', 'false')
    await expect(page.getByText('55 fields')).toBeVisible()
    await expect(page.getByLabel('Setting 40', { exact: true })).toBeHidden()

    await page.getByRole('searchbox', { name: 'Search fields' }).fill('number 40')
    await expect(page.getByText('1 of 60', { exact: true })).toBeVisible()
    await page.getByLabel('Setting 40', { exact: true }).fill('forty')
    await page.getByRole('searchbox').fill('')
    await expect(page.getByText('55 fields, 1 changed')).toBeVisible()

    await page.getByRole('button', { name: 'Save for later' }).click()
    await expect(advanced).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByLabel('Setting 40', { exact: true })).toBeFocused()
    await expect(page.locator('[data-field="env_SETTING_40"]')).toContainText('Enter a number.')
  })
})
