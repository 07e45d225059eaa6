import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expectStatus, install, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

test('F14: a server that waits for a sign-in shows its link and code until the user has signed in', async ({
  app: { page },
}, testInfo) => {
  const done = join(testInfo.outputPath(), 'done')
  const environmentVariables = [{ name: 'DONE', value: done }]
  const server = fixtureServer('asks-sign-in.mjs', { title: 'Bridge', environmentVariables })
  await install(page, server, 'Bridge')
  await expectStatus(page, 'Bridge', 'Sign in to continue')
  await openServer(page, 'Bridge')
  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: 'login.example.test/device' })).toBeVisible()
  await expect(main.getByText('HJ7K-22QP', { exact: true })).toBeVisible()
  await expect(main.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await main.getByRole('button', { name: 'Copy code' }).click()
  await expect(page.getByText('Code copied.', { exact: true })).toBeVisible()
  writeFileSync(done, '')
  await expectStatus(page, 'Bridge', 'Ready')
})
