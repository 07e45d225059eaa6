import { HostHome } from './fixtures/host-files'
import { openImport, rowsOf, tickOf } from './fixtures/import-page'
import { expect, test } from './fixtures/patchbay-test'
import { startSecretService } from './fixtures/secret-service'
import { shoot, WIDE } from './fixtures/shoot'

const FILESYSTEM = {
  command: 'npx',
  args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/you/notes'],
}
const github = (token: string): object => ({
  command: 'npx',
  args: ['-y', '@modelcontextprotocol/server-github'],
  env: { GITHUB_PERSONAL_ACCESS_TOKEN: token },
})

const CLAUDE = {
  mcpServers: {
    filesystem: FILESYSTEM,
    github: github('ghp_0123456789abcdefghijABCDEFGHIJ012345'),
    memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
  },
}
const CURSOR = {
  mcpServers: {
    filesystem: FILESYSTEM,
    github: github('ghp_9876543210abcdefghijABCDEFGHIJ543210'),
    linear: { url: 'https://mcp.linear.app/sse' },
    sonar: { command: 'docker', args: ['run', '-it', '--rm', 'mcp/sonarqube'] },
  },
}
const CODE = `{
  // Asked for once, then kept by the editor.
  "inputs": [
    { "id": "dsn", "type": "promptString", "description": "Database", "password": true }
  ],
  "servers": {
    "postgres": {
      "command": "uvx",
      "args": ["postgres-mcp", "--access-mode=restricted"],
      "env": { "DATABASE_URI": "\${input:dsn}", "LANG": "\${env:LANG}" }
    }
  }
}
`

test('the servers of other apps, what each becomes, and what changes in their files', async ({
  openApp,
}) => {
  using home = new HostHome()
  home.write('claudeDesktop', `${JSON.stringify(CLAUDE, null, 2)}\n`)
  home.write('cursor', `${JSON.stringify(CURSOR, null, 2)}\n`)
  home.write('vsCode', CODE)
  const service = await startSecretService()
  const keychain = 'unavailable' in service ? undefined : service
  const env = { ...home.env, ...keychain?.env, PATCHBAY_KEYCHAIN_SERVICE: 'Patchbay screenshots' }
  const { page } = await openApp({ env })
  await page.setViewportSize(WIDE)
  await expect(page.getByRole('link', { name: 'Import', exact: true })).toBeVisible()
  await shoot(page, 'home-import')
  await openImport(page)
  await rowsOf(page).filter({ hasText: 'github' }).first().getByRole('button').click()
  await shoot(page, 'import')
  await tickOf(page, 'postgres').click()
  await rowsOf(page).filter({ hasText: 'postgres' }).getByRole('button').click()
  await shoot(page, 'import-asking')
  await page.getByRole('checkbox', { name: 'Turn off in original apps' }).check()
  await page.getByRole('button', { name: 'Review file changes' }).click()
  await expect(page.getByRole('button', { name: /^Review /u })).toBeVisible()
  await shoot(page, 'import-files')
  await page.getByRole('button', { name: /^Review /u }).click()
  await expect(page.getByRole('heading', { name: /^Approve/u })).toBeVisible()
  await shoot(page, 'import-review')
  await page.getByRole('button', { name: 'Add without approval' }).click()
  await expect(page.getByRole('heading', { name: 'servers imported' })).toBeVisible()
  await shoot(page, 'import-outcome')
  await keychain?.stop()
})
