import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Locator, Page } from '@playwright/test'

import { addApp, openApp as openAppPage } from './fixtures/apps-page'
import { expectNoFaults } from './fixtures/axe-faults'
import { changingServer } from './fixtures/changing-server'
import { arrowTo, expectStatus, install, serverLink } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import { installTools } from './fixtures/listed-tools'
import { descendantsOf, expect, test } from './fixtures/patchbay-test'
import { DOWNLOAD_LIMIT_MS, installPublished, PUBLISHED } from './fixtures/published-servers'

test.describe.configure({ timeout: DOWNLOAD_LIMIT_MS })
test.use({
  actionTimeout: 20_000,
  settings: async ({}, use) => use({ gatewayPort: await freePort() }),
})

// High enough that every row is drawn.
const WHOLE = { width: 1280, height: 4_000 }

/** What the list says of each server, by its name: "14 of 14 exposed · ≈ 1,678 tokens". */
async function factsOf(page: Page): Promise<Record<string, string>> {
  const heads = await page.locator('.group-head').all()
  const facts = heads.map(async (head) => [
    await head.getByRole('heading').innerText(),
    await head.locator('.group-facts').innerText(),
  ])
  return Object.fromEntries(await Promise.all(facts)) as Record<string, string>
}

/** How many tools of a server agents are shown and how many it lists, as its head says. */
async function countsOf(page: Page, name: string): Promise<[exposed: number, total: number]> {
  const found = /^(\d+) of (\d+) available/u.exec((await factsOf(page))[name] ?? '')
  return [Number(found?.[1]), Number(found?.[2])]
}

async function goByKey(page: Page, name: 'Tools' | 'Settings'): Promise<void> {
  const main = page.getByRole('navigation', { name: 'Main' })
  await main.getByRole('link', { name: new RegExp(`^${name}(,|$)`, 'u') }).press('Enter')
}

async function openTab(page: Page, server: string, tab: 'Overview' | 'Tools'): Promise<void> {
  await serverLink(page, server).press('Enter')
  await page.getByRole('tab', { name: new RegExp(`^${tab}`, 'u') }).press('Enter')
}

/** Opens the list of all tools and waits until their tokens are counted. */
async function openTools(page: Page): Promise<void> {
  await page.setViewportSize(WHOLE)
  await goByKey(page, 'Tools')
  await expect(page.getByRole('heading', { name: 'Tools', level: 1 })).toBeVisible()
  await expect(page.getByText(/^≈ [\d,]+ tokens in every conversation\./u)).toBeVisible({
    // Each definition is counted with a model's own vocabulary.
    timeout: 120_000,
  })
}

function headline(page: Page): Locator {
  return page.getByRole('main').getByRole('heading', { name: /available to agents/u })
}

async function exposedCount(page: Page): Promise<number> {
  return Number(/^\d+/u.exec(await headline(page).innerText())?.[0])
}

function groupOf(page: Page, server: string): Locator {
  return page.getByRole('main').getByRole('region', { name: server, exact: true })
}

async function choose(page: Page, server: string, choice: RegExp): Promise<void> {
  await page.getByRole('button', { name: `Tools of ${server} for agents` }).press('Enter')
  const wanted = page
    .getByRole('menuitemradio', { name: choice })
    .or(page.getByRole('menuitem', { name: choice }))
  await expect(page.getByRole('menuitemradio').first()).toBeFocused()
  const focused = wanted.and(page.locator(':focus'))
  // The menu has four rows.
  for (let step = 0; step < 4 && (await focused.count()) === 0; step += 1)
    await page.keyboard.press('ArrowDown')
  await expect(wanted).toBeFocused()
  await page.keyboard.press('Enter')
}

/** What agents call a tool, as its sheet says. */
async function exposedNameOf(page: Page, server: string, tool: string): Promise<string> {
  const row = groupOf(page, server).getByRole('button', { name: tool, exact: true })
  await row.press('Enter')
  const sheet = page.getByRole('dialog', { name: tool })
  const name = await sheet
    .locator('dt', { hasText: 'Name for agents' })
    .locator('+ dd code')
    .innerText()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  return name
}

/** How many processes of the app have `word` among their arguments. */
function processesWith(word: string, pid: number): number {
  return descendantsOf(pid).filter((one) => argumentsOf(one).includes(word)).length
}

function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it ended meanwhile
  }
}

async function setLimit(page: Page, limit: number): Promise<void> {
  const field = (await openAppPage(page, 'Codex')).getByRole('textbox', { name: 'Tool limit' })
  await field.press('Control+A')
  await page.keyboard.type(String(limit))
  await page.keyboard.press('Enter')
}

/** Calls a tool as an agent app does, through the gateway; the text of its answer. */
async function callAsAgent(
  port: number,
  key: string,
  name: string,
  args: Record<string, unknown>,
): Promise<string> {
  const client = new Client({ name: 'codex', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  const url = new URL(`http://127.0.0.1:${String(port)}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  const { content } = await client.callTool({ name, arguments: args })
  await client.close()
  const [first] = content
  return first?.type === 'text' ? first.text : ''
}

test.describe('C3, C4, C7 and C8: over sixty tools of five published servers', () => {
  test('are counted, chosen and limited by keyboard alone and kept over a restart, after which one is started by an agent’s first call', async ({
    openApp,
    profileDir,
    settings,
  }) => {
    const first = await openApp()
    await installPublished(first.page, profileDir)
    const key = await addApp(first.page, 'Codex')
    await openTab(first.page, 'Sequential thinking', 'Overview')
    await first.page.getByRole('radio', { name: 'At launch' }).focus()
    await arrowTo('ArrowRight', first.page.getByRole('radio', { name: 'On demand' }))
    await openTools(first.page)
    const all = await exposedCount(first.page)
    expect(all).toBeGreaterThan(60)
    await expect.poll(async () => Object.keys(await factsOf(first.page))).toEqual(PUBLISHED)
    const counts = await Promise.all(PUBLISHED.map((name) => countsOf(first.page, name)))
    for (const [exposed, total] of counts) expect(exposed).toBe(total)
    expect(counts.reduce((sum, [exposed]) => sum + exposed, 0)).toBe(all)
    const [files = 0, notes = 0] = counts.map(([, total]) => total)
    for (const facts of Object.values(await factsOf(first.page)))
      expect(facts).toMatch(/ · ≈ [1-9][\d,]* tokens$/u)
    const name = await exposedNameOf(first.page, 'Everything', 'echo')
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/u)
    await expectNoFaults(first.page, 'tools of published servers')

    await choose(first.page, 'Memory', /^None$/u)
    await expect.poll(() => countsOf(first.page, 'Memory')).toEqual([0, notes])
    await choose(first.page, 'Filesystem', /^Only read-only/u)
    const readOnly = groupOf(first.page, 'Filesystem').getByText('Read-only', { exact: true })
    const readable = await readOnly.count()
    await expect.poll(() => countsOf(first.page, 'Filesystem')).toEqual([readable, files])
    const off = first.page.getByRole('switch', { name: 'Show get-sum to agents' })
    await off.press('Space')
    await expect(off).not.toBeChecked()
    const shown = all - notes - (files - readable) - 1
    await expect(headline(first.page)).toHaveText(`${shown} tools available to agents`)
    await first.close()

    const app = await openApp()
    const { page } = app
    for (const title of PUBLISHED.filter((one) => one !== 'Sequential thinking'))
      await expectStatus(page, title, 'Ready')
    await openTools(page)
    await expect(headline(page)).toHaveText(`${shown} tools available to agents`)
    expect(await countsOf(page, 'Memory')).toEqual([0, notes])
    expect(await countsOf(page, 'Filesystem')).toEqual([readable, files])
    await expect(page.getByRole('switch', { name: 'Show get-sum to agents' })).not.toBeChecked()
    expect(await exposedNameOf(page, 'Everything', 'echo')).toBe(name)

    expect((await factsOf(page))['Sequential thinking']).toMatch(
      /^1 of 1 available · ≈ [\d,]+ tokens · listed (just now|\d+ min ago)$/u,
    )
    expect(processesWith('server-memory', app.pid)).toBeGreaterThan(0)
    expect(processesWith('server-sequential-thinking', app.pid)).toBe(0)
    const thinking = await exposedNameOf(page, 'Sequential thinking', 'sequentialthinking')
    await openTab(page, 'Sequential thinking', 'Tools')
    await expect(
      page.getByText(/^Listed (just now|\d+ min ago) by version [\d.]+\./u),
    ).toBeVisible()
    await expect(page.getByRole('heading', { name: 'sequentialthinking' })).toBeVisible()
    expect(processesWith('server-sequential-thinking', app.pid)).toBe(0)
    const thought = { thought: 'One', thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false }
    expect(await callAsAgent(settings.gatewayPort ?? 0, key, thinking, thought)).toContain(
      '"thoughtNumber": 1',
    )
    await expectStatus(page, 'Sequential thinking', 'Ready')
    expect(processesWith('server-sequential-thinking', app.pid)).toBeGreaterThan(0)

    await setLimit(page, 20)
    await openTools(page)
    await expect(headline(page)).toHaveText(`${shown} tools available to agents`)
    await expect(page.getByText(`Codex is over its limit by ${shown - 20} tools.`)).toBeVisible()
    await setLimit(page, 128)
    await openTools(page)
    await expect(page.getByText('Codex is over its limit')).toBeHidden()
  })
})

const SAVE = { name: 'save_note', description: 'Saves a note to the folder.' }
const READ = { name: 'read_note', description: 'Reads a note.' }
const MANY = Array.from({ length: 70 }, (_, index) => ({
  name: `tool_${index}`,
  description: `Does thing ${index}.`,
}))
const CHANGED = { ...SAVE, description: 'Saves a note to every\u200b folder.' }

test.describe('C4 and C7: among many tools one that changed', () => {
  test('is held back, found, read, approved and switched by keyboard alone, and axe finds no fault on the way', async ({
    openApp,
    profileDir,
  }) => {
    const { server, offer } = changingServer(join(profileDir, 'fixture'), [SAVE, READ])
    const first = await openApp()
    await install(first.page, server, 'Notes')
    await installTools(first.page, profileDir, 'Many', MANY)
    await openTools(first.page)
    const all = MANY.length + 2
    await expect(headline(first.page)).toHaveText(`${all} tools available to agents`)
    await first.close()
    offer([CHANGED, READ])

    const { page } = await openApp()
    for (const title of ['Notes', 'Many']) await expectStatus(page, title, 'Ready')
    const main = page.getByRole('navigation', { name: 'Main' })
    await main.getByRole('link', { name: 'Tools, 1 to review' }).press('Enter')
    await expect(headline(page)).toHaveText(`${all - 1} tools available to agents, 1 needs review`)
    await expectNoFaults(page, 'tools')
    const row = (tool: string): Locator => page.getByRole('button', { name: tool, exact: true })

    await page.keyboard.press('/')
    await page.keyboard.type('a note')
    await expect(page.getByText(/^\d+ of \d+ tools$/u)).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(row('save_note Notes')).toBeFocused()
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'save_note' })
    await expect(sheet).toContainText('every<U+200B> folder')
    await page.keyboard.press('Escape')
    await expect(row('save_note Notes')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(row('read_note')).toBeFocused()
    await page.keyboard.press('Space')
    await expect(headline(page)).toHaveText(`${all - 2} tools available to agents, 1 needs review`)
    await page.keyboard.press('Space')
    await expect(headline(page)).toHaveText(`${all - 1} tools available to agents, 1 needs review`)

    await serverLink(page, 'Notes').press('Enter')
    await page.getByRole('tab', { name: /^Tools/u }).press('Enter')
    await expect(page.getByText(/1 of 2 tools available to agents/u)).toBeVisible()
    await expectNoFaults(page, 'tools of the server')
    await page.getByRole('link', { name: 'Review save_note' }).press('Enter')
    await expect(page.getByRole('insertion')).toContainText('every<U+200B>')
    await expectNoFaults(page, 'review')
    await page.keyboard.press('a')
    await expect(page.getByText('save_note approved.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText(/2 of 2 tools available to agents/u)).toBeVisible()
    await main.getByRole('link', { name: /^Tools,/u }).press('Enter')
    await expect(headline(page)).toHaveText(`${all} tools available to agents`)
  })
})
