import { createHash } from 'node:crypto'

import type { Page } from '@playwright/test'

import { expectStatus, goTo, logOf, openServer, serverLink } from './fixtures/drive'
import { filesHolding } from './fixtures/files-holding'
import { HomeWithApps, serverFile } from './fixtures/home-with-apps'
import { addUnapproved, cardsOf, openImport, rowsOf, tickOf } from './fixtures/import-page'
import { expect, test } from './fixtures/patchbay-test'

const SECRET = 'sk-live-correct-horse-battery-42'
const OTHER_SECRET = 'sk-live-another-horse-staple-77'
const PLAIN = { command: 'node', args: [serverFile('plain')] }

function keyed(secret: string): object {
  return { command: 'node', args: [serverFile('keyed')], env: { API_KEY: secret } }
}

const CLAUDE = `{
  "globalShortcut": "",
  "mcpServers": {
    "plain": ${JSON.stringify(PLAIN)},
    "keyed": ${JSON.stringify(keyed(SECRET))}
  }
}
`
const CURSOR = `{"mcpServers":{"plain":${JSON.stringify(PLAIN)},"keyed":${JSON.stringify(keyed(OTHER_SECRET))}}}`
const CODE = `{
  // Asked for once.
  "inputs": [{ "id": "key", "type": "promptString", "password": true }],
  "servers": {
    "asking": {
      "command": "node",
      "args": ["${serverFile('keyed')}", "--asked"],
      "env": { "API_KEY": "\${input:key}" }, // kept by the editor
    },
  },
}
`
const CODEX = `# by hand
[mcp_servers.noted]
command = "node"
args = ["${serverFile('plain')}", "--noted"]
`

function fill(home: HomeWithApps): void {
  home.write('claudeDesktop', CLAUDE)
  home.write('cursor', CURSOR)
  home.write('vsCode', CODE)
  home.write('codex', CODEX)
}

test.describe('D6: import from other apps', () => {
  test(
    'shows every server of every app, marks duplicates and differences, and moves secrets',
    { tag: '@gate' },
    async ({ openApp }) => {
      using home = new HomeWithApps()
      fill(home)
      const { page, profileDir } = await openApp({ env: home.env })
      await expect(page.getByText('servers found in your apps.')).toBeVisible()
      await page.getByRole('link', { name: 'Import', exact: true }).click()
      await expect(rowsOf(page)).toHaveCount(5)
      const plain = rowsOf(page).filter({ hasText: 'plain.mjs' }).first()
      await expect(plain).toContainText('Claude Desktop, Cursor')
      const twins = rowsOf(page).filter({ hasText: 'Differs' })
      await expect(twins).toHaveCount(2)
      await expect(twins.first().getByRole('checkbox')).toBeChecked()
      await expect(twins.last().getByRole('checkbox')).not.toBeChecked()
      await expect(rowsOf(page).filter({ hasText: 'asking' })).toContainText('1 missing value')

      await rowsOf(page).filter({ hasText: 'keyed' }).getByRole('button').first().click()
      const detail = page.getByRole('region', { name: 'Details of keyed' })
      await expect(detail.getByRole('list', { name: 'Environment' })).toContainText(
        'API_KEY=••••••••',
      )
      await expect(detail.getByRole('group', { name: 'To the keychain' })).toContainText('API_KEY')
      await expect(detail.getByRole('region', { name: 'Other versions found' })).toContainText(
        'Cursor',
      )
      expect(await page.content()).not.toContain(SECRET)
      expect(await page.content()).not.toContain(OTHER_SECRET)

      await tickOf(page, 'noted').uncheck()
      await tickOf(page, 'asking').uncheck()
      await expect(
        page.getByText('2 of 5 servers, 1 secret kept in memory for this run.'),
      ).toBeVisible()
      await page.getByRole('button', { name: 'Review 2 servers' }).click()
      await expect(page.getByText('2 commands. 1 secret stays in memory')).toBeVisible()
      const card = cardsOf(page).filter({ hasText: 'keyed' })
      await expect(card.getByRole('list', { name: 'Command' }).getByRole('listitem')).toHaveText([
        'node',
        serverFile('keyed'),
      ])
      await expect(card.getByRole('list', { name: 'Environment' })).toContainText(
        'API_KEY=••••••••',
      )
      expect(await page.content()).not.toContain(SECRET)
      await page.getByRole('button', { name: 'Approve 2 servers' }).click()
      await expect(page.getByRole('heading', { name: '2 servers imported' })).toBeVisible()
      await expect(page.getByText('Commands approved.')).toBeVisible()
      await expectStatus(page, 'keyed', 'Ready')
      await expectStatus(page, 'plain', 'Ready')
      await openServer(page, 'keyed', 'Log')
      const hash = createHash('sha256').update(SECRET).digest('hex').slice(0, 12)
      await expect(logOf(page, 'keyed')).toContainText(`key ${hash}`)
      expect(filesHolding(profileDir, SECRET)).toEqual([])
      expect(await page.content()).not.toContain(SECRET)
      expect(home.read('claudeDesktop')).toBe(CLAUDE)

      // Going back finds the outcome, then the remaining servers.
      await openImport(page)
      await page.getByRole('button', { name: 'Import more' }).click()
      for (const command of ['plain.mjs', 'keyed.mjs']) {
        const row = rowsOf(page).filter({ hasText: 'Claude Desktop' }).filter({ hasText: command })
        await expect(row).toContainText('Already added')
        await expect(row.getByRole('checkbox')).not.toBeChecked()
      }
      await expect(tickOf(page, 'noted')).not.toBeChecked()
    },
  )
  test('works by keyboard alone, and asks before choices are lost', async ({ openApp }) => {
    using home = new HomeWithApps()
    fill(home)
    const { page } = await openApp({ env: home.env })
    await openImport(page)
    await expect(rowsOf(page)).toHaveCount(5)
    const first = rowsOf(page).first().getByRole('checkbox')
    await expect(first).toBeChecked()
    await first.focus()
    await page.keyboard.press('Space')
    await expect(first).not.toBeChecked()
    await page.keyboard.press('ArrowDown')
    await expect(rowsOf(page).nth(1).getByRole('checkbox')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: /^Details of/u })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(rowsOf(page).nth(1).getByRole('checkbox')).toBeFocused()
    await page.keyboard.press('End')
    await expect(rowsOf(page).last().getByRole('checkbox')).toBeFocused()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').press('Enter')
    const leaving = page.getByRole('alertdialog', { name: 'Leave without importing?' })
    await expect(leaving).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(leaving).toBeHidden()
    await expect(first).not.toBeChecked()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { name: 'Approve 3 servers' })).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { name: '3 servers imported' })).toBeVisible()
    await expect(serverLink(page, 'noted')).toBeVisible()
  })
})

test.describe('D6: choices before an import', () => {
  test('include removing an option that needs a terminal, with one button', async ({ openApp }) => {
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

test.describe('D6: an app that adds a server during an import', () => {
  test('keeps it: only servers seen before are imported', async ({ openServe, openWindow }) => {
    using home = new HomeWithApps()
    home.write('cursor', JSON.stringify({ mcpServers: { seen: PLAIN } }))
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

function serversOf(count: number, secret: string): string {
  const mcpServers: Record<string, object> = {}
  for (let at = 0; at < count; at += 1) {
    const args = [serverFile('plain'), `--place=${at}`]
    mcpServers[`server-${at}`] = { command: 'node', args, env: { API_KEY: secret } }
  }
  return JSON.stringify({ mcpServers }, null, 2)
}

/** Horizontal overflow of the window, in px. */
function overhang(page: Page): Promise<number> {
  return page.evaluate(
    'document.querySelector("#main").scrollWidth - document.querySelector("#main").clientWidth',
  )
}

test.describe('D6: the import screen', () => {
  test('renders only visible rows of many servers, finds one, and is navigated by keyboard', async ({
    openApp,
  }) => {
    using home = new HomeWithApps()
    home.write('cursor', serversOf(200, SECRET))
    const { page } = await openApp({ env: home.env })
    await openImport(page)
    await expect(page.getByText('200 of 200 servers, 200 secrets')).toBeVisible()
    expect(await rowsOf(page).count()).toBeLessThan(60)
    await rowsOf(page).first().getByRole('checkbox').focus()
    await page.keyboard.press('End')
    await expect(page.getByRole('checkbox', { name: 'Import server-199' })).toBeFocused()
    await page.keyboard.press('Home')
    await expect(page.getByRole('checkbox', { name: 'Import server-0' })).toBeFocused()
    await page.getByRole('searchbox', { name: 'Search found servers' }).fill('place=17')
    await expect(rowsOf(page)).toHaveCount(11)
    await page.getByRole('button', { name: 'Clear all shown' }).click()
    await expect(page.getByText('189 of 200 servers, 189 secrets')).toBeVisible()
  })

  test('imports in the smallest window at 200% zoom', async ({ openApp }) => {
    using home = new HomeWithApps()
    home.write('cursor', serversOf(3, SECRET))
    const { page } = await openApp({ env: home.env })
    await page.setViewportSize({ width: 450, height: 300 })
    await openImport(page)
    await page.getByRole('checkbox', { name: 'Import server-1' }).uncheck()
    expect(await overhang(page)).toBe(0)
    await page.getByRole('checkbox', { name: 'Turn off in original apps' }).check()
    await page.getByRole('button', { name: 'Review file changes' }).click()
    await addUnapproved(page, 2)
    await expect(page.getByRole('heading', { name: '2 servers imported' })).toBeVisible()
    expect(await overhang(page)).toBe(0)
  })
})
