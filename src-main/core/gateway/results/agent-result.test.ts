import { describe, expect, it } from 'vitest'

import { type ResultText, writtenResult } from '../../mcp/json/result-text'
import {
  completionResult,
  keepOutputSchema,
  promptResult,
  resourceResult,
  toolResult,
} from './agent-result'

const LATEST = '2025-11-25'
const PNG = 'iVBORw0KGgo='

/** As it comes of a server whose text is at hand. */
function answerOf(text: string): ResultText {
  const own = Buffer.from(text)
  return { text: own, own, result: JSON.parse(text) as Record<string, unknown> }
}

function givenFor(text: string, version = LATEST): string {
  return toolResult(answerOf(text), version).text.toString()
}

function blockFor(block: unknown, version = LATEST): unknown {
  const { content } = toolResult(writtenResult({ content: [block] }), version).result
  return (content as unknown[])[0]
}

const text = (value: string): object => ({ type: 'text', text: value })
const removed = (what: string): object =>
  text(expect.stringContaining(`[Patchbay removed part ${what}`) as string)

describe('F2 results of tools', () => {
  it.each([
    '{"content":[{"type":"text","text":"null \\"_meta\\":null"}],"isError":false}',
    '{"content":[],"structuredContent":{"a":null,"description":null,"n":1.0}}',
    `{"content":[{"type":"image","mimeType":"image/png","data":"${PNG}"}],"_meta":{"a":null}}`,
    '{"content":[{"type":"text","text":"a","annotations":{"audience":["user"],"priority":0.50}}]}',
    '{"content":[{"type":"resource","resource":{"uri":"a:b","blob":"AAAA"}}]}',
  ])('that are valid stay as they came: %s', (text) => {
    const answer = answerOf(text)
    expect(toolResult(answer, LATEST)).toBe(answer)
  })

  it('lose members that are null, and no digit', () => {
    const data = '"structuredContent":{"id":1917043659912705297,"none":null}'
    const block = '{"type":"text","text":"forty-two","annotations":null,"_meta":null}'
    expect(givenFor(`{"_meta":null,"content":[${block}],${data},"isError":null}`)).toBe(
      `{"content":[{"type":"text","text":"forty-two"}],${data}}`,
    )
    expect(givenFor('{"structuredContent":null,"content":[]}')).toBe('{"content":[]}')
    // The value was normalized before, and the text was not.
    const answer = answerOf('{"_meta":null,"content":[]}')
    const normalized = { ...answer, result: { content: [] }, isNormalized: true }
    expect(toolResult(normalized, LATEST).text).toBe('{"content":[]}')
  })

  it.each([
    ['{"content":"done"}', '{"content":[{"type":"text","text":"done"}]}'],
    ['{"content":{"type":"text","text":"done"}}', '{"content":[{"type":"text","text":"done"}]}'],
    ['{}', '{"content":[]}'],
    [
      '{"structuredContent":{"n":7.0}}',
      String.raw`{"content":[{"type":"text","text":"{\"n\":7.0}"}],"structuredContent":{"n":7.0}}`,
    ],
    ['{"content":[],"isError":"true"}', '{"content":[],"isError":true}'],
  ])('get the content that is meant: %s', (text, expected) => {
    expect(givenFor(text)).toBe(expected)
  })

  it.each([
    ['text', text('text')],
    [{ text: 'a' }, text('a')],
    [{ type: 'text', text: { a: [1] } }, text('{"a":[1]}')],
    [{ ...text('a'), annotations: { audience: ['model'], priority: null } }, text('a')],
    [
      { type: 'image', data: `data:image/png;base64,${PNG}` },
      { type: 'image', mimeType: 'image/png', data: PNG },
    ],
    [
      { type: 'audio', mimeType: 'audio/wav', data: 'a-_b', _meta: null },
      { type: 'audio', mimeType: 'audio/wav', data: 'a+/b' },
    ],
    [
      { type: 'resource', resource: { uri: 'a:b', mimeType: null, text: 'a', _meta: null } },
      { type: 'resource', resource: { uri: 'a:b', text: 'a' } },
    ],
  ])('have each block in the form that is meant: %j', (block, expected) => {
    expect(blockFor(block)).toEqual(expected)
  })

  it.each([
    [{ type: 'text', text: null }, 'of type "text"'],
    [{ type: 'html', html: '<p>' }, 'of type "html"'],
    [{ type: 'image', data: PNG }, 'of type "image"'],
    [{ type: 'resource', resource: null }, 'of type "resource"'],
    [7, 'without a type'],
  ])('have a text in the place of a block that nobody can read: %j', (block, type) => {
    const { result } = toolResult(writtenResult({ content: [block, text('good')] }), LATEST)
    expect(result.content).toEqual([removed(`1 of this result, ${type}`), text('good')])
  })

  it('have a text for blocks that the version of the agent does not know', () => {
    const link = { type: 'resource_link', uri: 'memo://a', name: 'a' }
    expect(blockFor(link)).toEqual(link)
    expect(blockFor(link, '2025-03-26')).toEqual(text('a: memo://a'))
    const audio = { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }
    expect(blockFor(audio, '2025-03-26')).toEqual(audio)
    expect(blockFor(audio, '2024-11-05')).toEqual(removed('1 of this result, of type "audio"'))
  })
})

describe('F2 other results', () => {
  it('of prompts lose nulls, and keep each message', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'assistant', content: { ...text('a'), annotations: null } },
      { role: 'user', content: [text('b'), 'c'] },
    ]
    const prompt = writtenResult({ description: null, _meta: null, messages })
    expect(promptResult(prompt, LATEST).result).toEqual({
      messages: [
        { role: 'user', content: text('Be brief.') },
        { role: 'assistant', content: text('a') },
        ...['b', 'c'].map((one) => ({ role: 'user', content: text(one) })),
      ],
    })
  })

  it('of resources lose nulls, and get the address that was asked for', () => {
    const contents = [
      { uri: 'memo://a', mimeType: null, text: 'a', _meta: null },
      { text: { a: 1 } },
      { uri: 'memo://c', blob: 'a-_b' },
      { uri: 'memo://d', text: null },
    ]
    const notice = expect.stringContaining('[Patchbay removed part 4') as string
    const read = writtenResult({ contents, _meta: null })
    expect(resourceResult(read, 'memo://asked').result).toEqual({
      contents: [
        { uri: 'memo://a', text: 'a' },
        { uri: 'memo://asked', text: '{"a":1}' },
        { uri: 'memo://c', blob: 'a+/b' },
        { uri: 'memo://d', mimeType: 'text/plain', text: notice },
      ],
    })
  })

  it('of completions hold no more than MCP allows', () => {
    const values = Array.from({ length: 120 }, (_, at) => String(at))
    const completion = { values: [null, ...values], total: null, hasMore: null }
    expect(completionResult(writtenResult({ completion, _meta: null })).result).toEqual({
      completion: { values: values.slice(0, 100), hasMore: true },
    })
    const good = { completion: { values: ['a'], hasMore: false } }
    expect(completionResult(writtenResult(good)).result).toBe(good)
  })
})

describe('F2 a result and the output schema of its tool', () => {
  const SCHEMA = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const notice = text(expect.stringContaining("does not match the tool's output schema") as string)
  const kept = (result: object): object => {
    const { answer, problem } = keepOutputSchema(writtenResult(result), SCHEMA)
    return { ...answer.result, problem }
  }

  it.each([
    ['it fits', { content: [], structuredContent: { n: 1 } }, SCHEMA],
    ['it failed', { content: [text('no')], isError: true }, SCHEMA],
    ['there is no schema', { content: [text('yes')] }, undefined],
    ['nothing fits it', { content: [], structuredContent: { n: 'x' } }, { $id: 'http://[' }],
  ])('is the same object where %s', (_where, result, schema) => {
    const answer = writtenResult(result)
    expect(keepOutputSchema(answer, schema)).toEqual({ answer })
  })

  const missing = 'structured content is missing'
  it.each([
    ['a text', { content: [text('forty-two')] }, [text('forty-two')], missing],
    ['JSON that does not fit', { content: [text('{"n":"x"}')] }, [text('{"n":"x"}')], missing],
    [
      'a value that does not fit',
      { content: [text('42')], structuredContent: { n: '42' } },
      [text('42')],
      'n must be a number, got the string "42".',
    ],
    [
      'such a value alone',
      { content: [], structuredContent: { m: 1 } },
      [text('{"m":1}')],
      '"n" is required: expected a number.',
    ],
  ])('is an error with the text of the server for %s', (_what, result, content, problem) => {
    expect(kept(result)).toEqual({ content: [...content, notice], isError: true, problem })
  })

  it('is filled from its only text where that is the fitting JSON', () => {
    const content = [text('{"n":1.0}')]
    const { answer } = keepOutputSchema(writtenResult({ content }), SCHEMA)
    expect(answer.text).toContain('"structuredContent":{"n":1.0}}')
    expect(kept({ content: [...content, text('2')] })).toMatchObject({ isError: true })
  })

  it('has no structured content that breaks the schema where the tool failed', () => {
    const failed = { content: [text('no such city')], isError: true }
    const problem = '"n" is required: expected a number.'
    expect(kept({ ...failed, structuredContent: { code: 7 } })).toEqual({ ...failed, problem })
  })
})
