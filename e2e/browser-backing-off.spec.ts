import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { expectStatus, goTo, install, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { descendantsOf, expect, test } from './fixtures/patchbay-test'
import { recordStatuses, statusRecord } from './fixtures/status-record'

const OTHERS = Array.from({ length: 10 }, (_, index) => `Other ${String(index + 1)}`)

test.describe('B11: a server that is lost again and again', () => {
  test.use({
    settings: { firstWaitMs: 300, breakerLosses: 3, breakerRestMs: 1_000, startTries: 2 },
  })

  test('backs off, rests, is tried and pauses, each told with its button, and ten others stay ready', async ({
    app: { page, pid },
    profileDir,
  }) => {
    test.setTimeout(240_000)
    for (const name of OTHERS) await install(page, fixtureServer('plain.mjs'), name)
    for (const name of OTHERS) await expectStatus(page, name, 'Ready')
    const resting = descendantsOf(pid).length
    const mended = join(profileDir, 'mended')
    await install(page, fixtureServer('brief.mjs', { args: ['2000', mended] }), 'Brief')
    await openServer(page, 'Brief')
    await recordStatuses(page)

    await expectStatus(page, 'Brief', 'Paused')
    const main = page.getByRole('main')
    await expect(main).toContainText('2 test starts in a row failed.')
    await expect(main).toContainText('The server exited with code 7 while in use.')
    await expect(main.getByRole('region', { name: 'Last lines of stderr' })).toContainText(
      'Out of breath',
    )
    await expect(main.getByRole('link', { name: 'Open log' })).toBeVisible()

    const { sentences, links } = await statusRecord(page)
    const places = [
      /code 7 .*Next try (in \d+ s|now), attempt 1\./u,
      /Next try (in \d+ s|now), attempt 2\./u,
      /Cooling down after 3 disconnects within 2 min\. Test start (in \d+ s|now)\./u,
      /Cooling down again after a failed test start\. Test start (in \d+ s|now), attempt 2 of 2\./u,
      /test starts in a row failed\./u,
    ].map((told) => sentences.findIndex((sentence) => told.test(sentence)))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((one, other) => one - other))
    expect(sentences.join('\n')).not.toMatch(/in -|in 0 s/u)
    expect(links.filter((link) => link.startsWith('Other') && !link.endsWith(', Ready'))).toEqual(
      [],
    )
    expect(descendantsOf(pid).length).toBe(resting)
    await goTo(page, 'Home')
    await expect(page.getByRole('heading', { name: '1 server needs attention' })).toBeVisible()

    writeFileSync(mended, '')
    await page.getByRole('button', { name: 'Start, Brief' }).click()
    await expectStatus(page, 'Brief', 'Ready')
    await expect(page.getByRole('heading', { name: 'All servers are ready' })).toBeVisible()
  })
})

/** No test waits for it. */
const LONG_MS = 600_000
/** Minutes and seconds, as a wait says them. */
const TIME = '(?:(\\d+) min)? ?(?:(\\d+) s)?'

const WAITS = [
  {
    when: 'was lost',
    settings: { firstWaitMs: LONG_MS, longestWaitMs: LONG_MS },
    told: new RegExp(`code 7 .*Next try in ${TIME}, attempt 1\\.`, 'u'),
  },
  {
    when: 'rests',
    settings: { firstWaitMs: 300, breakerLosses: 2, breakerRestMs: LONG_MS },
    told: new RegExp(
      `Cooling down after 2 disconnects within 2 min\\. Test start in ${TIME}\\.`,
      'u',
    ),
  },
]

for (const { when, settings, told } of WAITS) {
  test.describe(`B11: a server that ${when}`, () => {
    test.use({ settings })

    test('counts down to its next try, and is tried at once where its person says so', async ({
      app: { page },
      profileDir,
    }) => {
      const mended = join(profileDir, 'mended')
      await install(page, fixtureServer('brief.mjs', { args: ['500', mended] }), 'Brief')
      await openServer(page, 'Brief')
      const main = page.getByRole('main')
      await expect(main).toContainText(told)
      await recordStatuses(page)
      await expectCountdown(page, told)
      writeFileSync(mended, '')
      await main.getByRole('button', { name: 'Try now', exact: true }).click()
      await expectStatus(page, 'Brief', 'Ready')
      await expect(main).not.toContainText(/Next try|on trial/u)
    })
  })
}

/** Waits for three sentences with a time, each shorter than the one before. */
async function expectCountdown(page: Page, told: RegExp): Promise<void> {
  const seconds = async (): Promise<number[]> =>
    (await statusRecord(page)).sentences.flatMap((sentence) => {
      const [, minutes = '0', rest = '0'] = told.exec(sentence) ?? []
      return told.test(sentence) ? [Number(minutes) * 60 + Number(rest)] : []
    })
  await expect.poll(async () => (await seconds()).length).toBeGreaterThan(2)
  const shown = await seconds()
  expect(shown).toEqual([...new Set(shown)].sort((one, other) => other - one))
  expect(shown.at(-1)).toBeGreaterThan(60)
}
