import { describe, expect, it } from 'vitest'

import { type AgentListing, agentListing, type ListingContent } from '../listing/agent-listing'
import { listPage as pageOf } from './list-page'

function listPage(
  method: Parameters<typeof pageOf>[0],
  of: AgentListing,
  cursor: unknown,
): Readonly<Record<string, unknown>> {
  return pageOf(method, of, cursor, '2025-11-25').result
}

function listing(generation: number, count: number): AgentListing {
  const definitions = Array.from({ length: count }, (_, index) => {
    return { name: `tool_${String(index)}`, inputSchema: { type: 'object' } }
  })
  const none: readonly never[] = []
  const content: ListingContent = {
    ...{ servers: none, callable: none, prompts: none, resources: none, templates: none },
    ...{ definitions, overCap: 0, sharedNames: new Map(), uiOwners: new Map(), leftOut: none },
  }
  return agentListing(generation, content)
}

function pages(of: AgentListing): number[] {
  const sizes: number[] = []
  let cursor: unknown
  do {
    const page = listPage('tools/list', of, cursor)
    sizes.push((page.tools as unknown[]).length)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return sizes
}

describe('D6 the pages of a list', () => {
  it.each([
    [0, [0]],
    [1_000, [1_000]],
    [1_001, [1_000, 1]],
    [2_500, [1_000, 1_000, 500]],
  ])('of %i entries', (count, sizes) => {
    expect(pages(listing(1, count))).toEqual(sizes)
  })

  it('have each entry once and in order', () => {
    const of = listing(1, 1_500)
    const { tools, nextCursor } = listPage('tools/list', of, undefined)
    const { tools: others } = listPage('tools/list', of, nextCursor)
    expect([...(tools as object[]), ...(others as object[])]).toEqual(of.definitions)
  })

  it('are refused with a cursor of another list, of one that changed, and with one that was made up', () => {
    const { nextCursor } = listPage('tools/list', listing(1, 1_500), undefined)
    const made = Buffer.from('tools/list 2 -5').toString('base64url')
    for (const [method, of, cursor] of [
      ['tools/list', listing(2, 1_500), nextCursor],
      ['prompts/list', listing(1, 1_500), nextCursor],
      ['tools/list', listing(2, 1_500), made],
      ['tools/list', listing(2, 1_500), 'x'],
      ['tools/list', listing(2, 1_500), 7],
    ] as const)
      expect(() => listPage(method, of, cursor)).toThrow(/list has changed/u)
  })
})
