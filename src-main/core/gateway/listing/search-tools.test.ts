import { beforeAll, describe, expect, it } from 'vitest'

import { listedServer, listedTool } from '../../../../e2e/fixtures/directory-servers'
import { ListingsHarness } from '../../../../e2e/fixtures/listings-harness'
import { turnsDuring } from '../../../../e2e/fixtures/turns-during'
import { SEARCHES, usualServers } from '../../../../e2e/fixtures/usual-tools'
import type { ListedTool } from '../../tools/directory/tool-directory'
import { estimateTokens } from '../../tools/tokens/estimate-tokens'
import { findTools } from './search-tools'

describe('E2: search mode on more than 500 tools', () => {
  const at = new ListingsHarness()
  const found = (query: string, limit?: number): Promise<string> => findIn(at, query, limit)

  beforeAll(() => {
    at.serve(...usualServers())
    at.agent('a', { searchMode: true })
    at.agent('listing', { toolCap: 10_000 })
  })

  it('finds the right tool among the first five for at least nine of ten queries', async () => {
    expect(at.listings.of('a').callable.length).toBeGreaterThanOrEqual(500)
    expect(SEARCHES.length).toBeGreaterThanOrEqual(40)
    const missed: string[] = []
    for (const [query, ...meant] of SEARCHES) {
      const names = namesIn(await found(query, 5))
      expect(names.length).toBeLessThanOrEqual(5)
      if (!names.some((name) => meant.includes(name))) missed.push(`${query}: ${names.join(', ')}`)
    }
    const share = 1 - missed.length / SEARCHES.length
    expect(share, missed.join('\n')).toBeGreaterThanOrEqual(0.9)
  })

  it('takes at most a twentieth of the tokens of the whole list, including a search result', async () => {
    const tokensOf = (agentId: string): number =>
      estimateTokens(JSON.stringify(at.listings.of(agentId).definitions))
    const texts = await Promise.all(SEARCHES.map(([query]) => found(query)))
    const longest = Math.max(...texts.map((text) => estimateTokens(text)))
    expect((tokensOf('a') + longest) / tokensOf('listing')).toBeLessThanOrEqual(0.05)
  })
})

describe('E2: the first search of thousands of tools', () => {
  it("doesn't block the event loop", async () => {
    const at = new ListingsHarness()
    at.agent('a', { searchMode: true })
    const tools = Array.from({ length: 5_000 }, (_, number) => {
      const { tool, ...others } = listedTool(`tool${number}`)
      return { ...others, tool: { ...tool, description: `Reads the ${number}th of many files` } }
    })
    at.serve(listedServer('many', [], { tools }))
    expect(await turnsDuring(() => findIn(at, 'files'))).toBeGreaterThanOrEqual(3)
  })
})

describe('E2: search in any script, and tools with a page', () => {
  const at = new ListingsHarness()
  const add = (name: string, description: string, _meta?: object): ListedTool => {
    const { tool, ...others } = listedTool(name)
    return { ...others, tool: { ...tool, description, _meta } }
  }
  const tools = [
    add('search', '法令を検索します'),
    add('screen', '截取屏幕并保存表格'),
    add('korean', '도로명주소검색 도구'),
    add('weather', '날씨를 알려줍니다'),
    add('hindi', 'किताब खोजें'),
    add('board', 'Shows the board', { ui: { resourceUri: 'ui://b' } }),
    add('submit', 'Submits it', { ui: { resourceUri: 'ui://b', visibility: ['app'] } }),
  ]
  at.serve(listedServer('law', [], { tools }))
  at.agent('a', { searchMode: true })
  const find = async (query: string): Promise<string[]> => namesIn(await findIn(at, query))

  it.each([
    ['法令', 'law__search'],
    ['検索', 'law__search'],
    ['屏幕', 'law__screen'],
    ['表格', 'law__screen'],
    ['法令を検索', 'law__search'],
    ['किताब', 'law__hindi'],
    ['검색', 'law__korean'],
    ['주소', 'law__korean'],
    ['주소를 검색해 줘', 'law__korean'],
    ['날씨', 'law__weather'],
    ['오늘날씨는', 'law__weather'],
  ])('finds %s', async (query, name) => {
    expect((await find(query))[0]).toBe(name)
  })

  it('returns no page-only tool, and lists tools with a page', async () => {
    expect(await find('board')).toEqual(['law__board'])
    expect(await find('')).not.toContain('law__submit')
    expect(at.names('a')).toEqual(['find_tools', 'call_tool', 'law__board'])
  })
})

/** Returns the text that a search returns to the agent `a`. */
async function findIn(at: ListingsHarness, query: string, limit?: number): Promise<string> {
  const result = await findTools(at.listings.of('a'), query, limit)
  return (result as { content: [{ text: string }] }).content[0].text
}

function namesIn(text: string): string[] {
  return (JSON.parse(text) as { tools: { name: string }[] }).tools.map(({ name }) => name)
}
