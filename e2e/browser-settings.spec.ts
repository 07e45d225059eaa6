import { readFileSync } from 'node:fs'

import type { Locator, Page } from '@playwright/test'

import { documentFile } from '../src-main/core/installation/store/document-over-conf'
import { SETTING_SECTIONS } from '../src-renderer/components/settings/setting-sections'
import { type SettingEntry, SETTINGS } from '../src-renderer/components/settings/settings-table'
import { Settings } from '../src-shared/domain/state/settings'
import { goTo, openSettings } from './fixtures/drive'
import { holdRequests } from './fixtures/hold-requests'
import { expect, test } from './fixtures/patchbay-test'

/** Settings without their own row, and the test that covers each. */
const ELSEWHERE: { readonly [K in keyof Settings]?: string } = {
  setup: 'browser-setup.spec.ts',
  registries: 'browser-catalog-registries.spec.ts',
  proxyUrl: 'browser-network.spec.ts',
  proxyUser: 'browser-network.spec.ts',
  proxyPasswordId: 'browser-network.spec.ts',
  proxyPasswordForServers: 'browser-network.spec.ts',
  withoutProxy: 'browser-network.spec.ts',
  certificateFiles: 'browser-network.spec.ts',
  runnerPaths: 'browser-runners.spec.ts',
}
const STANDARD = Settings.parse({})
const TYPED: { readonly [K in keyof Settings]?: string } = {
  registryUrl: 'http://127.0.0.1:9',
  gatewayHosts: 'host.docker.internal',
  clientMetadataUrl: 'https://client.invalid/patchbay.json',
  otlpEndpoint: 'http://127.0.0.1:9',
}

/** Another value of a setting, as stored. */
function otherOf(of: SettingEntry): unknown {
  switch (of.kind) {
    case 'switch':
      return !STANDARD[of.key]
    case 'choice':
      return of.options.find(({ value }) => value !== STANDARD[of.key])?.value
    case 'number':
      return STANDARD[of.key] + (of.key.endsWith('Ms') ? 1_500 : 1)
    case 'text':
      return TYPED[of.key]
  }
}

const shownNumber = (key: string, value: unknown): string =>
  String(key.endsWith('Ms') ? Number(value) / 1_000 : value)

function controlOf(page: Page, { key }: SettingEntry): Locator {
  return page.locator(`#${key}`)
}

async function change(page: Page, of: SettingEntry): Promise<void> {
  const control = controlOf(page, of)
  const other = otherOf(of)
  if (of.kind === 'switch') return control.click()
  if (of.kind !== 'choice') {
    await control.fill(of.kind === 'number' ? shownNumber(of.key, other) : String(other))
    return control.press('Enter')
  }
  const { label } = of.options.find(({ value }) => value === other) ?? { label: '' }
  const radio = control.getByRole('radio', { name: label, exact: true })
  if ((await radio.count()) > 0) return radio.click()
  await control.selectOption(label)
}

async function expectShown(page: Page, of: SettingEntry, value: unknown): Promise<void> {
  const control = controlOf(page, of)
  const isStandard = value === STANDARD[of.key]
  if (of.kind === 'switch') await expect(control).toBeChecked({ checked: value === true })
  if (of.kind === 'number') await expect(control).toHaveValue(shownNumber(of.key, value))
  if (of.kind === 'text') await expect(control).toHaveValue(String(value))
  await expect(page.getByRole('button', { name: `Reset ${of.label}`, exact: true })).toHaveCount(
    isStandard ? 0 : 1,
  )
}

function kept(profileDir: string): unknown {
  const document = JSON.parse(readFileSync(documentFile(profileDir), 'utf8')) as object
  return Reflect.get(document, 'settings')
}

test.describe('A8, B11: the settings', () => {
  test("have one row each, and only sixteen plus the desktop's are outside Advanced", () => {
    const lines = new Set<string>(SETTINGS.map(({ key }) => key))
    const keys = Settings.keyof().options
    expect(keys.filter((key) => !lines.has(key) && !(key in ELSEWHERE))).toEqual([])
    expect(lines.size).toBe(SETTINGS.length)
    expect(SETTINGS.filter(({ section }) => section !== 'advanced')).toHaveLength(16)
  })

  test.describe('of a fresh profile', () => {
    test.use({ settings: { catalogUpkeep: true } })

    test('show their defaults, are stored when changed, and can be reset', async ({
      openApp,
      profileDir,
    }) => {
      // The official registry is turned on here, but must not be asked.
      const proxy = 'http://127.0.0.1:9'
      const { page } = await openApp({ env: { HTTPS_PROXY: proxy, https_proxy: proxy } })
      const shown = SETTINGS.filter((of) => of.isDesktop !== true && of.key !== 'checksForUpdates')
      const inSections = async (visit: (of: SettingEntry) => Promise<void>): Promise<void> => {
        for (const { id, title } of SETTING_SECTIONS) {
          await openSettings(page, title)
          for (const of of shown.filter(({ section }) => section === id)) await visit(of)
        }
      }
      await inSections(async (of) => {
        await expectShown(page, of, STANDARD[of.key])
        await change(page, of)
        await expectShown(page, of, otherOf(of))
      })
      const expected = Object.fromEntries(shown.map((of) => [of.key, otherOf(of)]))
      await expect.poll(() => kept(profileDir)).toMatchObject(expected)

      await page.reload()
      await inSections(async (of) => {
        await expectShown(page, of, otherOf(of))
        await page.getByRole('button', { name: `Reset ${of.label}`, exact: true }).click()
        await expectShown(page, of, STANDARD[of.key])
      })
      const standard = Settings.parse({ setup: 'closed' })
      await expect.poll(() => Settings.parse(kept(profileDir))).toEqual(standard)
    })
  })

  test('are saved once, although Enter and blur both save', async ({ app: { page } }) => {
    const updates = await holdRequests(page, 'settings.update')
    await openSettings(page, 'Apps and gateway')
    const port = page.getByRole('textbox', { name: 'Gateway port' })
    await port.fill('7400')
    await port.press('Enter')
    await port.press('Tab')
    await expect.poll(updates.count).toBe(1)
    updates.goOn()
    await expect(page.getByRole('button', { name: 'Reset Gateway port' })).toBeVisible()
    expect(updates.count()).toBe(1)
  })

  test(
    'are searched across sections, with their range shown before an error',
    { tag: '@gate' },
    async ({ app: { page } }) => {
      await goTo(page, 'Settings')
      const search = page.getByRole('searchbox', { name: 'Search settings' })
      await expect(search).toBeVisible()
      await page.keyboard.press('/')
      await expect(search).toBeFocused()
      await search.fill('handshake')
      const limit = page.getByRole('textbox', { name: 'Handshake limit (seconds)' })
      await expect(limit).toHaveAccessibleDescription(/0\.5 to 600 seconds\.$/u)
      await limit.fill('0.1')
      await limit.press('Enter')
      await expect(page.getByRole('alert')).toHaveText('Enter seconds from 0.5 to 600.')
      await limit.press('Escape')
      await search.fill('uninstall')
      await page.getByRole('link', { name: /^Remove Patchbay/u }).click()
      await expect(page.getByRole('heading', { name: 'Advanced', level: 2 })).toBeVisible()
      await search.fill('no such setting')
      await expect(page.getByRole('status').first()).toHaveText(
        'No setting matches “no such setting”',
      )
    },
  )
})
