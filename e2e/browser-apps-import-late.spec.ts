import { goTo } from './fixtures/drive'
import { HomeWithApps, serverFile } from './fixtures/home-with-apps'
import { addUnapproved, openImport, rowsOf } from './fixtures/import-page'
import { expect, test } from './fixtures/patchbay-test'

const SEEN = { command: 'node', args: [serverFile('plain')] }

test.describe('an app that adds a server while another is imported (D6)', () => {
  test('has only that imported which was seen before the files were shown', async ({
    openServe,
    openWindow,
  }) => {
    using home = new HomeWithApps()
    home.write('cursor', JSON.stringify({ mcpServers: { seen: SEEN } }))
    const served = await openServe(home.env)
    const page = await openWindow(served.link)
    const other = await openWindow(await served.anotherLink())
    await openImport(page)
    await expect(rowsOf(page)).toHaveCount(1)
    await page.getByRole('checkbox', { name: 'Turn off in original apps' }).check()
    await page.getByRole('button', { name: 'Review file changes' }).click()
    await expect(page.getByText('1 of 1 server.')).toBeVisible()

    home.write(
      'codex',
      `[mcp_servers.late]\ncommand = "node"\nargs = ["${serverFile('plain')}", "--late"]`,
    )
    await goTo(other, 'Apps')
    await other.getByRole('button', { name: 'Refresh apps' }).click()
    await expect(page.getByText('1 of 2 servers.')).toBeVisible()
    await addUnapproved(page, 1)
    await expect(page.getByRole('heading', { name: '1 server imported' })).toBeVisible()
    expect(JSON.parse(home.read('cursor'))).toEqual({ mcpServers: {} })
    await openImport(page)
    await page.getByRole('button', { name: 'Import more' }).click()
    await expect(rowsOf(page)).toHaveCount(1)
    await expect(rowsOf(page)).toContainText('late')
  })
})
