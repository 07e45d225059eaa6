import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { approve, expectStatus, logOf, nameIt, openServer, paste } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

test.describe('bad input loses nothing and explains itself', () => {
  test('a corrupt settings file is kept aside, and the app starts and says so', async ({
    openApp,
    profileDir,
  }) => {
    const broken = '{"installations": [{"name": "Files"'
    writeFileSync(join(profileDir, 'settings.json'), broken)
    const { page } = await openApp()
    await expect(page.getByText('Patchbay started with empty settings').first()).toBeVisible()
    const kept = readdirSync(profileDir).find((name) => name.startsWith('settings.corrupt-'))
    expect(readFileSync(join(profileDir, kept ?? ''), 'utf8')).toBe(broken)
  })

  test('a value with quotes, newlines, $(…) and other scripts reaches the server unchanged', async ({
    app: { page },
    profileDir,
  }) => {
    const trap = join(profileDir, 'trap')
    const odd = `"double" 'single' $(touch ${trap}) \`touch ${trap}\`; | & \\ %PATH% zażółć 日本 🙂\nsecond line\n\tthird`
    await paste(
      page,
      fixtureServer('plain.mjs', {
        packageArguments: [{ type: 'named', name: '--text', description: 'Any text' }],
      }),
    )
    await page.getByLabel('Text', { exact: true }).fill(odd)
    await nameIt(page, 'Odd')
    await approve(page)
    await expectStatus(page, 'Odd', 'Ready')
    await openServer(page, 'Odd', 'Log')
    await expect(logOf(page, 'Odd')).toContainText(`argv ${JSON.stringify(['--text', odd])}`)
    expect(existsSync(trap)).toBe(false)
  })
})
