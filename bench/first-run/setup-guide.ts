import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { chromium, type Page } from '@playwright/test'

import { freePort } from '../../e2e/fixtures/free-port'
import { HostHome, serverFile } from '../../e2e/fixtures/host-files'
import { launchServe } from '../../e2e/ways-in/browser'
import { documentFile } from '../../src-main/core/installation/store/document-over-conf'
import { CHROMIUM } from '../forms/served-page'
import type { BenchPart } from '../measure/bench'
import { median } from '../measure/median'
import { type Bar, type Measurement, toRow } from '../measure/row'

const CLICKS: Bar = { metric: 'first-run-clicks', unit: 'count', op: '<=', bar: 3 }
const SECONDS: Bar = { metric: 'first-run-s', unit: 's', op: '<=', bar: 60 }
const STEP_LIMIT_MS = 60_000
const MOST_ROUNDS = 3
const COUNT_CLICKS = `window.clicks = 0
addEventListener('click', (event) => { if (event.isTrusted) window.clicks += 1 }, true)`

/** From an empty profile and the servers of one app to Ready servers and a connected app, as a user clicks through it. */
export const setupGuide: BenchPart = async ({ rounds }) => {
  const clicks: number[] = []
  const seconds: number[] = []
  for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round += 1) {
    const result = await firstRun()
    clicks.push(result.clicks)
    seconds.push(result.seconds)
  }
  const measured = (bar: Bar, values: readonly number[], value: number): Measurement => ({
    row: toRow(bar, value),
    rounds: { guide: values },
    roundUnit: bar.unit,
  })
  return [
    measured(CLICKS, clicks, Math.max(...clicks)),
    measured(SECONDS, seconds, median(seconds)),
  ]
}

async function firstRun(): Promise<{ readonly clicks: number; readonly seconds: number }> {
  await using opened = new AsyncDisposableStack()
  const home = opened.use(new HostHome())
  const servers = Object.fromEntries(
    ['plain', 'keyed', 'demo'].map((name) => [
      name,
      { command: process.execPath, args: [serverFile(name)], env: { API_KEY: 'a-made-up-key' } },
    ]),
  )
  home.write('cursor', `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`)
  const profileDir = mkdtempSync(join(tmpdir(), 'patchbay-bench-'))
  opened.defer(() => rmSync(profileDir, { recursive: true, force: true }))
  // No bench asks the real registry.
  const settings = { catalogUpkeep: false, gatewayPort: await freePort() }
  const document = { version: 1, settings, installations: [] }
  writeFileSync(documentFile(profileDir), JSON.stringify(document))
  const served = await launchServe({ profileDir, env: home.env })
  opened.defer(async () => {
    await served.close()
  })
  const browser = await chromium.launch({ executablePath: CHROMIUM })
  opened.defer(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 } })
  page.setDefaultTimeout(STEP_LIMIT_MS)
  await page.addInitScript(COUNT_CLICKS)
  const begun = performance.now()
  await page.goto(served.link)
  await clickThrough(page)
  const seconds = (performance.now() - begun) / 1000
  return { clicks: await page.evaluate<number>('window.clicks'), seconds }
}

async function clickThrough(page: Page): Promise<void> {
  const main = page.getByRole('main')
  await main.getByRole('link', { name: /^Import \d+ servers/u }).click()
  await main.getByRole('button', { name: /^Approve \d+ servers/u }).click()
  await main.getByRole('button', { name: 'Connect Cursor' }).click()
  await main.getByRole('heading', { name: /^Cursor sees \d+ tools/u }).waitFor()
}
