import { execFileSync } from 'node:child_process'

import { copiedBy } from './fixtures/clipboard'
import { argvOf, paste } from './fixtures/drive'
import { EVERY_KIND } from './fixtures/form-servers'
import { expect, test } from './fixtures/patchbay-test'

test.describe('D3: copying the command', () => {
  test('writes it for each shell, secrets as variables', async ({ app: { page } }) => {
    const texts: string[] = []
    await paste(page, EVERY_KIND)
    await page.getByRole('textbox', { name: 'Root 1' }).fill('/it\'s a "folder"')
    await page.locator('#field-env_SERVICE_API_KEY').fill('correct-horse')
    await expect(argvOf(page)).toContainText(['--root'])
    const copyFor = async (name: string): Promise<string> => {
      await page.getByRole('button', { name: 'Copy' }).click()
      const text = await copiedBy(page, () => page.getByRole('menuitem', { name }).click())
      await expect(page.getByText(/^Copied/u).last()).toBeVisible()
      texts.push(text)
      return text
    }

    const posix = await copyFor('For bash and zsh')
    expect(posix).toMatch(/^SERVICE_API_KEY="\$SERVICE_API_KEY" REGION=eu node /u)
    await expect(page.getByText('set SERVICE_API_KEY in that shell first').first()).toBeVisible()
    const ran = execFileSync('bash', [
      '--norc',
      '-c',
      posix.replace(/ node \S+/u, ' printf "%s\\n"'),
    ])
    expect(ran.toString().split('\n')).toContain('/it\'s a "folder"')

    expect(await copyFor('For PowerShell')).toContain(`'/it''s a "folder"'`)
    expect(JSON.parse(await copyFor('As JSON list'))).toContain('/it\'s a "folder"')

    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('menuitem', { name: 'For cmd.exe' }).click()
    await expect(page.getByText(/contains a double quote, which cmd\.exe/u).first()).toBeVisible()
    expect(texts.join(' ')).not.toContain('correct-horse')
  })
})
