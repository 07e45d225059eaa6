import { freePort } from './fixtures/free-port'
import { HostHome } from './fixtures/host-files'
import { expect, test } from './fixtures/patchbay-test'
import { startSecretService } from './fixtures/secret-service'
import { shoot, WIDE } from './fixtures/shoot'

test.use({ settings: async ({}, use) => use({ setup: 'auto', gatewayPort: await freePort() }) })

const CLAUDE = {
  mcpServers: {
    filesystem: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv'] },
    github: {
      command: 'docker',
      args: ['run', '-i', '--rm', '-e', 'GITHUB_TOKEN', 'ghcr.io/github/github-mcp-server'],
      env: { GITHUB_TOKEN: 'ghp_correcthorsebatterystaple42correcth0' },
    },
  },
}
const CURSOR = {
  mcpServers: {
    context7: { command: 'npx', args: ['-y', '@upstash/context7-mcp', '--api-key', 'ctx7-abc123'] },
    linear: {
      url: 'https://mcp.linear.app/mcp',
      headers: { Authorization: 'Bearer lin_api_abcdef1234567890' },
    },
    postgres: {
      command: 'uvx',
      args: ['postgres-mcp'],
      env: { DATABASE_URI: '${env:DATABASE_URI}' },
    },
    playwright: { command: 'npx', args: ['-y', '@playwright/mcp'] },
  },
}

test('the setup guide', async ({ openApp }) => {
  using home = new HostHome()
  const service = await startSecretService()
  const keychain = 'unavailable' in service ? undefined : service
  const env = {
    ...keychain?.env,
    ...home.env,
    PATCHBAY_KEYCHAIN_SERVICE: 'Patchbay screenshots',
  }
  const { page } = await openApp({ env })
  await page.setViewportSize(WIDE)
  await expect(page.getByRole('link', { name: 'Add Memory' })).toBeVisible()
  await shoot(page, 'setup-starters')
  home.write('cursor', `${JSON.stringify(CURSOR, null, 2)}\n`)
  home.write('claudeDesktop', `${JSON.stringify(CLAUDE, null, 2)}\n`)
  await page.reload()
  await expect(page.getByRole('link', { name: /^Import 6 servers/u })).toBeVisible()
  await shoot(page, 'setup-import')
})
