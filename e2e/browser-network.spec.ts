import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { documentFile } from '../src-main/core/installation/store/document-over-conf'
import { Company, COMPANY_HOSTS, PROXY_PASSWORD, PROXY_USER } from './fixtures/company'
import { expectStatus, goTo, installReady, openSettings } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { listedServer } from './fixtures/listed-servers'
import { expect, test } from './fixtures/patchbay-test'
import { answerFrom } from './fixtures/registry-answers'

const KEPT = /Saved in keychain|Saved in memory/u

test.describe('E8: the network settings', () => {
  test('connect a registry through an authenticating proxy to a peer with its own certificate authority', async ({
    app: { page, profileDir },
  }) => {
    await using company = await Company.open()
    company.answers.registry = (request, response) =>
      answerFrom([listedServer({ name: 'com.acme/inside' })], request, response)
    await installReady(page, fixtureServer('plain.mjs'), 'Plain')
    await openSettings(page, 'Network')
    const section = page.getByRole('region', { name: 'Network' })
    const type = async (label: string, text: string): Promise<void> => {
      await section.getByRole('textbox', { name: label }).fill(text)
      await section.getByRole('textbox', { name: label }).press('Enter')
    }

    await expect(section).toContainText(/HTTPS_PROXY|The desktop chooses|No system proxy/u)
    await section.getByRole('radio', { name: 'Manual' }).click()
    await expect(section).toContainText('Patchbay stays offline until you enter a proxy address.')
    await type('Proxy address', company.proxy.url.replace('://', '://ann:s3cret@'))
    await expect(section).toContainText('Enter the address without user name and password')
    await type('Proxy address', 'no address')
    await expect(section).toContainText('Enter an address such as http://proxy.example:8080.')
    await type('Proxy address', new URL(company.proxy.url).host)
    await expect(section.getByRole('textbox', { name: 'Proxy address' })).toHaveValue(
      company.proxy.url,
    )
    await type('User name', PROXY_USER)
    await section.getByRole('button', { name: 'Add password' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password', { exact: true }).fill(PROXY_PASSWORD)
    await dialog.getByRole('button', { name: 'Add password' }).click()
    await expect(section).toContainText(KEPT)
    await section.getByRole('switch', { name: 'Share proxy password with servers' }).click()

    const file = join(profileDir, 'acme.pem')
    await type('Extra certificates', file)
    const row = section.getByRole('list', { name: 'Certificate files' }).getByRole('listitem')
    await expect(row).toContainText(
      `File not found: ${file}. No certificate in this file is trusted.`,
    )
    writeFileSync(file, company.authority.authority)
    await section.getByRole('button', { name: 'Refresh' }).click()
    await expect(row).toContainText('1 certificate trusted')

    await openSettings(page, 'Catalog')
    const catalog = page.getByRole('region', { name: 'Catalog', exact: true })
    await catalog
      .getByRole('textbox', { name: 'Registry address' })
      .fill(`https://${COMPANY_HOSTS.registry}`)
    await catalog.getByRole('textbox', { name: 'Registry address' }).press('Enter')
    await goTo(page, 'Catalog')
    await page.getByRole('searchbox', { name: 'Search catalog' }).fill('acme')
    await expect(page.getByRole('region', { name: 'About com.acme/inside' })).toBeVisible()
    expect(company.passed('registry')).toBeGreaterThan(0)

    await openSettings(page, 'Network')
    const settings = readFileSync(documentFile(profileDir), 'utf8')
    expect(settings).toContain('"proxyPasswordForServers": false')
    for (const text of [settings, await page.content()])
      expect(text).not.toContain(PROXY_PASSWORD.slice(0, 8))
    await section.getByRole('button', { name: `Remove ${file}` }).click()
    await expect(row).toHaveCount(0)
    await section.getByRole('button', { name: 'Remove password' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove password' }).click()
    await expect(section.getByRole('button', { name: 'Add password' })).toBeFocused()

    // A child keeps the variables it was started with.
    await expect(section).toContainText('Restart to apply changes')
    await section.getByRole('button', { name: 'Restart Plain' }).click()
    await expect(section.getByText('Restart to apply changes')).toHaveCount(0)
    await expectStatus(page, 'Plain', 'Ready')
  })
})
