import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from './fixtures/patchbay-test'

test.describe('bad input loses nothing and explains itself', () => {
  test('a corrupt settings file is moved aside, and the app starts with a notice', async ({
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
})
