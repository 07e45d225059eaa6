import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { listedServer } from '../../../../e2e/fixtures/listed-servers'
import { OFFICIAL_REGISTRY } from '../../../../src-shared/domain/catalog/official-registry'
import { openCatalogFile } from '../store/catalog-file'
import { CatalogStore } from '../store/catalog-store'
import { readEntryHead } from '../store/listed-entry'

const folder = mkdtempSync(join(tmpdir(), 'patchbay-search-everyday-'))
const store = new CatalogStore(openCatalogFile(folder))
const SERVERS = [
  ['io.github.github/github-mcp-server', 'Repositories, issues, pull requests', 'GitHub'],
  ['io.github.someone/github-helper', 'Helper for stars'],
  ['com.notion/mcp', 'Read and write pages of workspaces', 'Notion'],
  ['io.github.acme/gdrive', 'Search and read files in Google Drive'],
  ['io.github.acme/pg', 'Query PostgreSQL databases, read only', 'PostgreSQL'],
  ['io.github.acme/brave-search', 'Web search with Brave'],
  ['io.github.acme/filesystem', 'Read and write local files within allowed directories'],
  ['com.microsoft/playwright-mcp', 'Automate a browser with Playwright', 'Playwright'],
  ['io.github.acme/ms-365', 'Outlook mail, calendar and Teams of Microsoft 365'],
  ['io.github.acme/weather', 'Weather forecasts', 'Weather'],
  ['io.github.acme/sqlite', 'Explore SQLite files'],
] as const

beforeAll(() => {
  store.setSources([{ sourceId: 's', baseUrl: OFFICIAL_REGISTRY, enabled: true }])
  const heads = SERVERS.map(([name, description, title]) =>
    readEntryHead(listedServer({ name, description, title })),
  ).filter((head) => head !== undefined)
  store.transaction(() => store.saveEntries('s', heads, 1))
})

afterAll(() => {
  store[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
})

describe('D2: a search in everyday words', () => {
  it.each([
    ['github', 'github/github-mcp-server'],
    ['mcp server for github', 'github/github-mcp-server'],
    ['github server mcp tool', 'github/github-mcp-server'],
    ['notion api', 'notion/mcp'],
    ['browser automation', 'playwright-mcp'],
    ['automating browsers', 'playwright-mcp'],
    ['how to query a database', 'acme/pg'],
    ['office 365', 'ms-365'],
    ['bravesearch', 'brave-search'],
    ['npx @x/pg', 'acme/pg'],
    ['google drive', 'gdrive'],
    ['file system', 'filesystem'],
    ['sql lite', 'sqlite'],
    ['postgres database', 'acme/pg'],
    ['weather forecasting', 'weather'],
  ])('finds the intended server among the first for “%s”', (text, name) => {
    const [first] = store.search({ text }).servers
    expect(first?.name).toContain(name)
  })

  it('reports words that no server has, and ranks by the others', () => {
    const page = store.search({ text: 'zyxwv read pages notion' })
    expect(page.servers[0]?.name).toBe('com.notion/mcp')
    expect(page.corrections).toEqual([{ typed: 'zyxwv', taken: [], has: 0 }])
    expect(page.isPartial).toBe(true)
  })

  it.each(['zyxwvut', 'zyxwvut qqqqq', 'filezzzq'])('finds nothing for “%s”', (text) => {
    expect(store.search({ text })).toMatchObject({ total: 0, corrections: [], isPartial: false })
  })

  it('uses words without meaning if there are no others', () => {
    expect(store.search({ text: 'mcp' }).total).toBeGreaterThan(0)
  })
})
