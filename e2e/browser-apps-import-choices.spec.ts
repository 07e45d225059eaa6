import { HomeWithApps } from './fixtures/home-with-apps'
import { cardsOf, openImport } from './fixtures/import-page'
import { expect, test } from './fixtures/patchbay-test'

test.describe('what is decided before an import (D6)', () => {
  test('an option that needs a terminal is removed in the review with one button (S17)', async ({
    openApp,
  }) => {
    using home = new HomeWithApps()
    const boxed = { command: 'docker', args: ['run', '-it', '--rm', 'example/boxed'] }
    home.write('cursor', JSON.stringify({ mcpServers: { boxed } }))
    const { page } = await openApp({ env: home.env })
    await openImport(page)
    await page.getByRole('button', { name: 'Review 1 server' }).click()
    const card = cardsOf(page)
    await expect(card).toContainText('-it of docker run needs a terminal')
    await card.getByRole('button', { name: 'Replace -it with -i' }).click()
    await expect(card).not.toContainText('terminal')
    await expect(card.getByRole('list', { name: 'Command' })).not.toContainText('-it')
    await page.getByRole('button', { name: 'Add without approval' }).click()
    await page.getByRole('link', { name: 'Review boxed first' }).click()
    const command = page.getByRole('list', { name: 'Command' })
    await expect(command).toContainText('--rm')
    await expect(command).not.toContainText('-it')
  })
})
