import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { JsonNodes, readNodes } from './json-nodes'
import { type ContentItem, MOST_AT_ONCE, ResultContent } from './result-content'

function contentOf(result: unknown): ResultContent {
  const nodes = readNodes(JSON.stringify(result))
  if (!(nodes instanceof JsonNodes)) throw new Error(nodes)
  return new ResultContent(nodes)
}

function itemsOf(result: unknown): ContentItem[] {
  const content = contentOf(result)
  return content.items(0, content.facts.count)
}

describe('D5 the content of a result', () => {
  it('is told by its kind', () => {
    const content = [
      { type: 'text', text: 'hello', annotations: { audience: ['user'], priority: 0.7 } },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'a://b', name: 'b', size: 12 },
      { type: 'resource', resource: { uri: 'a://c', text: 'c', mimeType: 'text/plain' } },
      { type: 'resource', resource: { uri: 'a://d', blob: 'aGk=' } },
      { type: 'video', data: 'x' },
    ]
    const items = itemsOf({ content, structuredContent: {} })
    expect(items.map(({ kind }) => kind)).toEqual([
      ...['text', 'image', 'audio', 'link', 'resource', 'resource', 'other'],
    ])
    expect(items[0]).toMatchObject({ audience: ['user'], priority: '0.7', pointer: '/content/0' })
    expect(items[0]?.text).toMatchObject({ text: 'hello', length: 5, pointer: '/content/0/text' })
    expect(items[3]).toMatchObject({ uri: 'a://b', name: 'b', size: '12' })
    expect(items[4]).toMatchObject({ uri: 'a://c', mimeType: 'text/plain' })
    expect(items[5]?.data?.length).toBe(4)
    expect(contentOf({ content, structuredContent: {} }).facts).toEqual({
      count: 7,
      hasStructured: true,
    })
  })

  it('that lacks what its kind needs is shown as JSON', () => {
    const content = [
      { type: 'text' },
      { type: 'image', data: 3 },
      { type: 'resource_link' },
      'x',
      null,
    ]
    expect(itemsOf({ content }).map(({ kind }) => kind)).toEqual(Array(5).fill('other'))
  })

  it('of a resource and of a prompt is told as well', () => {
    expect(itemsOf({ contents: [{ uri: 'a://b', text: '{}' }] })).toMatchObject([
      { kind: 'resource', uri: 'a://b', text: { text: '{}' } },
    ])
    const messages = [
      { role: 'user', content: { type: 'text', text: 'one' } },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'two' },
          { type: 'text', text: 'three' },
        ],
      },
      { role: 'user' },
    ]
    const content = contentOf({ description: 'A talk', messages })
    expect(content.facts).toEqual({ count: 4, hasStructured: false, description: 'A talk' })
    expect(content.items(0, 4).map(({ role, kind }) => [role, kind])).toEqual([
      ['user', 'text'],
      ['assistant', 'text'],
      ['assistant', 'text'],
      ['user', 'other'],
    ])
  })

  it('brings of long texts the beginnings, and of many of them less', () => {
    const text = 'x'.repeat(50_000)
    const items = itemsOf({ content: Array.from({ length: 25 }, () => ({ type: 'text', text })) })
    expect(items[0]?.text?.text).toHaveLength(MOST_AT_ONCE)
    expect(items[0]?.text?.length).toBe(50_000)
    const all = items.reduce((sum, item) => sum + (item.text?.text.length ?? 0), 0)
    expect(all).toBeLessThan(220_000)
  })

  it('is never in the way, whatever the result', () => {
    const named = fc.dictionary(
      fc.constantFrom(
        'content',
        'contents',
        'messages',
        'type',
        'text',
        'role',
        'resource',
        'data',
      ),
      fc.oneof(
        fc.jsonValue(),
        fc.array(
          fc.dictionary(
            fc.constantFrom('type', 'text', 'content', 'role', 'resource', 'annotations'),
            fc.jsonValue(),
          ),
        ),
      ),
    )
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), named), (result) => {
        expect(itemsOf(result).every(({ kind }) => kind.length > 0)).toBe(true)
      }),
    )
  })
})
