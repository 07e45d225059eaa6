import { readFileSync } from 'node:fs'

import type { Locator, Page } from '@playwright/test'

import { documentFile } from '../src-main/core/installation/store/document-over-conf'
import { OFFICIAL_REGISTRY } from '../src-shared/domain/catalog/official-registry'
import { RunnerName } from '../src-shared/domain/runner-name'
import { Settings } from '../src-shared/domain/state/settings'
import { goTo } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import { expect, test } from './fixtures/patchbay-test'

/** The control of a setting: what it shows in a fresh profile, and to what it is changed. */
type Control =
  | {
      readonly kind: 'typed'
      readonly label: string
      readonly standard: string
      readonly other: string
      /** How the other one is kept. */
      readonly kept: unknown
    }
  | { readonly kind: 'switch'; readonly label: string; readonly standard: boolean }
  | {
      readonly kind: 'choice'
      readonly label: string
      readonly standard: string
      readonly other: string
      readonly kept: string
    }

const text = (label: string, standard: string, other: string, kept: unknown = other): Control => {
  return { kind: 'typed', label, standard, other, kept }
}
const whole = (label: string, standard: string, other: string): Control =>
  text(label, standard, other, Number(other))
const seconds = (label: string, standard: string, other: string): Control =>
  text(`${label} (seconds)`, standard, other, Number(other) * 1_000)
const onOff = (label: string, standard: boolean): Control => ({ kind: 'switch', label, standard })

/** What has no control of this kind, and where it is shown to work. */
const ELSEWHERE: { readonly [K in keyof Settings]?: string } = {
  // Not shown in the browser.
  checksForUpdates: 'src-main/core/app-updates/app-updates.test.ts',
  setup: 'browser-setup.spec.ts',
  registries: 'browser-catalog-registries.spec.ts',
  proxyUrl: 'browser-network.spec.ts',
  proxyUser: 'browser-network.spec.ts',
  proxyPasswordId: 'browser-network.spec.ts',
  proxyPasswordForServers: 'browser-network.spec.ts',
  certificateFiles: 'browser-network.spec.ts',
  keepRunning: 'desktop-shell.spec.ts',
  startAtLogin: 'desktop-shell.spec.ts',
  notifyApprovals: 'desktop-state.test.ts',
  notifyRequests: 'desktop-state.test.ts',
  notifyFailures: 'desktop-state.test.ts',
}

const CONTROLS: { readonly [K in keyof Settings]?: Control } = {
  theme: { kind: 'choice', label: 'Theme', standard: 'System', other: 'Dark', kept: 'dark' },
  density: {
    ...{ kind: 'choice', label: 'Density', standard: 'Comfortable' },
    ...{ other: 'Compact', kept: 'compact' },
  },
  singleKeys: onOff('Single-key shortcuts', true),
  registryUrl: text('Registry address', OFFICIAL_REGISTRY, 'http://127.0.0.1:9'),
  registryEnabled: onOff('Sync this registry', true),
  registryPages: whole('Page limit per registry', '2000', '300'),
  catalogUpkeep: onOff('Refresh automatically', true),
  catalogIcons: onOff('Show server icons', true),
  installSlots: whole('Concurrent downloads', '2', '3'),
  spawnSlots: whole('Concurrent starts', '4', '5'),
  installMs: seconds('Download limit', '600', '610'),
  handshakeMs: seconds('Handshake limit', '30', '45.5'),
  discoverMs: seconds('Listing limit', '30', '46'),
  requestMs: seconds('Request limit', '30', '47'),
  callMs: seconds('Call limit', '1800', '1820'),
  maxMessageMb: whole('Message size limit (MB)', '256', '100'),
  logFileMb: whole('Log size per server (MB)', '10', '11'),
  logDays: whole('Keep logs for (days)', '14', '15'),
  startsAgain: onOff('Restart automatically', true),
  startTries: whole('Pause after failed starts', '5', '6'),
  firstWaitMs: seconds('First delay', '1', '2.5'),
  longestWaitMs: seconds('Longest delay', '60', '70'),
  breakerLosses: whole('Disconnects before cool-down', '5', '7'),
  breakerWindowMs: seconds('Disconnect window', '120', '130'),
  breakerRestMs: seconds('Cool-down', '60', '80'),
  versionsKept: whole('Previous versions to keep', '3', '1'),
  healthChecks: onOff('Check idle servers', true),
  healthMs: seconds('Idle time before a check', '30', '90'),
  toolCap: whole('Tool limit for new apps', '128', '40'),
  clientMetadataUrl: text('Client metadata document', '', 'https://client.invalid/patchbay.json'),
  proxyMode: {
    ...{ kind: 'choice', label: 'Proxy', standard: 'Use system settings' },
    ...{ other: 'None', kept: 'none' },
  },
  withoutProxy: text('Bypass proxy for', '', 'acme.example'),
  gatewayPort: whole('Gateway port', '7319', String(await freePort())),
  gatewayHosts: text('Host names', '', 'host.docker.internal'),
  agentCalls: whole('Concurrent calls per app', '64', '65'),
  agentRate: whole('Requests per minute per app', '60000', '50000'),
  activityDays: whole('Keep activity for (days)', '30', '31'),
  questionMs: seconds('Request timeout', '300', '310'),
  otlpEndpoint: text('OpenTelemetry collector', '', 'http://127.0.0.1:9'),
  runnerPaths: text('npx', '', '/nowhere/npx', { npx: '/nowhere/npx' }),
}

function elementOf(page: Page, { kind, label }: Control): Locator {
  if (kind === 'switch') return page.getByRole('switch', { name: label, exact: true })
  if (kind === 'choice') return page.getByRole('radiogroup', { name: label, exact: true })
  return page.getByRole('textbox', { name: label, exact: true })
}

function radioOf(group: Locator, name: string): Locator {
  return group.getByRole('radio', { name, exact: true })
}

/** The way back to the default, which says whose it is. */
async function resetOf(page: Page, control: Control): Promise<Locator> {
  const id = (await elementOf(page, control).getAttribute('id')) ?? ''
  return page.locator(`button[aria-describedby="${id}-label"]`)
}

async function openSettings(page: Page): Promise<void> {
  for (const name of ['More limits', 'Retry timing'])
    await page.getByRole('button', { name, exact: true }).click()
}

async function expectShown(page: Page, control: Control, isStandard: boolean): Promise<void> {
  const element = elementOf(page, control)
  switch (control.kind) {
    case 'switch':
      await expect(element).toBeChecked({ checked: control.standard === isStandard })
      break
    case 'choice':
      await expect(radioOf(element, isStandard ? control.standard : control.other)).toBeChecked()
      break
    case 'typed':
      await expect(element).toHaveValue(isStandard ? control.standard : control.other)
  }
  await expect(await resetOf(page, control)).toHaveCount(isStandard ? 0 : 1)
}

async function change(page: Page, control: Control): Promise<void> {
  const element = elementOf(page, control)
  switch (control.kind) {
    case 'switch':
      return element.click()
    case 'choice':
      return radioOf(element, control.other).click()
    case 'typed':
      await element.fill(control.other)
      return element.press('Enter')
  }
}

async function reset(page: Page, control: Control): Promise<void> {
  const button = await resetOf(page, control)
  const isNumber = control.kind === 'typed' && /^\d+$/u.test(control.standard)
  const standard = control.kind === 'switch' ? (control.standard ? 'on' : 'off') : control.standard
  await expect(button).toHaveText(
    control.kind !== 'typed' || isNumber ? `Reset to ${standard}` : 'Reset',
  )
  return button.click()
}

function kept(profileDir: string): unknown {
  const document = JSON.parse(readFileSync(documentFile(profileDir), 'utf8')) as object
  return Reflect.get(document, 'settings')
}

test.describe('A8, B11: the settings', () => {
  test('have a control each, whose label names the unit', () => {
    const keys = Settings.keyof().options
    expect(keys.filter((key) => !(key in CONTROLS) && !(key in ELSEWHERE))).toEqual([])
    for (const key of keys) {
      const { label = '' } = CONTROLS[key] ?? {}
      if (key.endsWith('Ms')) expect(label, key).toMatch(/ \(seconds\)$/u)
      if (key.endsWith('Mb')) expect(label, key).toMatch(/ \(MB\)$/u)
      if (key.endsWith('Days')) expect(label, key).toMatch(/ \(days\)$/u)
    }
  })

  test.describe('of a fresh profile', () => {
    test.use({ settings: { catalogUpkeep: true } })

    test('show their defaults, are kept when changed, and find their way back', async ({
      openApp,
      profileDir,
    }) => {
      // The official registry is switched on here, and is not to be asked.
      const proxy = 'http://127.0.0.1:9'
      const { page } = await openApp({ env: { HTTPS_PROXY: proxy, https_proxy: proxy } })
      const controls = Object.values(CONTROLS)
      await goTo(page, 'Settings')
      await openSettings(page)
      for (const runner of RunnerName.options)
        await expect(page.getByRole('textbox', { name: runner, exact: true })).toBeVisible()
      for (const control of controls) await expectShown(page, control, true)

      for (const control of controls) {
        await change(page, control)
        await expectShown(page, control, false)
      }
      const expected: Record<string, unknown> = {}
      for (const [key, control] of Object.entries(CONTROLS))
        expected[key] = control.kind === 'switch' ? !control.standard : control.kept
      await expect.poll(() => kept(profileDir)).toMatchObject(expected)

      await page.reload()
      await openSettings(page)
      for (const control of controls) await expectShown(page, control, false)

      for (const control of controls) {
        await reset(page, control)
        await expectShown(page, control, true)
      }
      // A runner without a path is looked up, as one that was never set.
      const standard = { ...Settings.parse({ setup: 'closed' }), runnerPaths: { npx: '' } }
      await expect.poll(() => Settings.parse(kept(profileDir))).toEqual(standard)
    })
  })
})
