import { approve, argvOf, configure, expectStatus, openServer, paste } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

test(
  'D3: a changed command is shown again before it runs',
  { tag: '@gate' },
  async ({ app: { page } }) => {
    await paste(
      page,
      fixtureServer('plain.mjs', {
        packageArguments: [{ type: 'named', name: '--mode', description: 'A mode', default: 'a' }],
      }),
    )
    await approve(page)
    await expectStatus(page, 'plain', 'Ready')
    await configure(page, 'plain')
    await page.getByLabel('Mode', { exact: true }).fill('b')
    await page.getByRole('button', { name: 'Save only' }).click()
    await openServer(page, 'plain')
    await page.locator('header').getByRole('button', { name: 'Restart', exact: true }).click()
    await expectStatus(page, 'plain', 'Error')
    await page
      .getByRole('button', { name: 'Review command' })
      .or(page.getByRole('link', { name: 'Review command' }))
      .first()
      .click()
    await expect(argvOf(page)).toHaveText(['node', /plain\.mjs$/u, '--mode', 'b'])
    await approve(page)
    await expectStatus(page, 'plain', 'Ready')
  },
)
