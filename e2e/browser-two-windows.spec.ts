import type { Page } from '@playwright/test'

import { approve, configure, goTo, install, nameIt, openEditor } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

const PLAIN = fixtureServer('plain.mjs', {
  packageArguments: [{ type: 'named', name: '--level', description: 'How much it says' }],
})

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Save( only)?$/u }).click()
}

test('a page older than its server overwrites nothing, and keeps typed text', async ({
  openServe,
  openWindow,
}) => {
  const served = await openServe()
  const first = await openWindow(served.link)
  await install(first, PLAIN, 'Of a form')
  await openEditor(first)
  await nameIt(first, 'By hand')
  await first.getByRole('textbox', { name: 'Command' }).fill('node')
  await expect(first.getByRole('list', { name: 'Command' })).toContainText('node')
  await approve(first)

  const second = await openWindow(await served.anotherLink())
  for (const name of ['Of a form', 'By hand']) {
    await configure(first, name)
    await configure(second, name)
    await nameIt(first, `${name}, renamed`)
    await save(first)
    await expect(first.getByRole('region', { name: 'Consent' })).toBeHidden()

    await nameIt(second, `${name}, otherwise`)
    await save(second)
    const rejected = second.getByText('changed in another window since you opened this page')
    await expect(rejected.first()).toBeVisible()
    await expect(second.getByRole('textbox', { name: 'Server name' })).toHaveValue(
      `${name}, otherwise`,
    )
    await goTo(second, 'Home')
    await second.getByRole('button', { name: 'Leave' }).click()
  }
})
