import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { type ContentItem, readContent, type ResultContent } from './result-content'

function contentOf(result: unknown): ResultContent {
  const content = readContent(JSON.stringify(result))
  if (!content) throw new Error('Invalid JSON.')
  return content
}

function itemsOf(result: unknown): readonly ContentItem[] {
  return contentOf(result).items
}

describe('D5: content of a result', () => {
  it('has the kind of each block', () => {
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
    expect(items[0]?.text).toBe('hello')
    expect(items[3]).toMatchObject({ uri: 'a://b', name: 'b', size: '12' })
    expect(items[4]).toMatchObject({ uri: 'a://c', mimeType: 'text/plain' })
    expect(items[5]?.data).toBe('aGk=')
    expect(contentOf({ content, structuredContent: {} }).hasStructured).toBe(true)
    expect(readContent('{"content":')).toBeUndefined()
  })

  it('falls back to JSON if a block lacks what its kind requires', () => {
    const content = [
      { type: 'text' },
      { type: 'image', data: 3 },
      { type: 'resource_link' },
      'x',
      null,
    ]
    expect(itemsOf({ content }).map(({ kind }) => kind)).toEqual(Array(5).fill('other'))
  })

  it('includes contents of resources and messages of prompts', () => {
    expect(itemsOf({ contents: [{ uri: 'a://b', text: '{}' }] })).toMatchObject([
      { kind: 'resource', uri: 'a://b', text: '{}' },
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
    expect(content).toMatchObject({ hasStructured: false, description: 'A talk' })
    expect(content.items.map(({ role, kind }) => [role, kind])).toEqual([
      ['user', 'text'],
      ['assistant', 'text'],
      ['assistant', 'text'],
      ['user', 'other'],
    ])
  })

  it('never throws, whatever the result', () => {
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
