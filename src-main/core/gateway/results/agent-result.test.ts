import { describe, expect, it } from 'vitest'

import { type ResultText, writtenResult } from '../../mcp/json/result-text'
import {
  completionResult,
  enforceOutputSchema,
  promptResult,
  resourceResult,
  toolResult,
} from './agent-result'

const LATEST = '2025-11-25'
const PNG = 'iVBORw0KGgo='

/** Makes a result whose original text is available. */
function answerOf(text: string): ResultText {
  const own = Buffer.from(text)
  return { text: own, own, result: JSON.parse(text) as Record<string, unknown> }
}

function givenFor(text: string, version = LATEST): string {
  return toolResult(answerOf(text), { version }).text.toString()
}

function blockFor(block: unknown, version = LATEST): unknown {
  const { content } = toolResult(writtenResult({ content: [block] }), { version }).result
  return (content as unknown[])[0]
}

const text = (value: string): object => ({ type: 'text', text: value })
const removed = (what: string): object =>
  text(expect.stringContaining(`[Patchbay removed part ${what}`) as string)

describe('F2: results of tools', () => {
  it.each([
    '{"content":[{"type":"text","text":"null \\"_meta\\":null"}],"isError":false}',
    '{"content":[{"type":"text","text":"a"}],"structuredContent":{"a":null,"description":null,"n":1.0}}',
    `{"content":[{"type":"image","mimeType":"image/png","data":"${PNG}"}],"_meta":{"a":null}}`,
    '{"content":[{"type":"text","text":"a","annotations":{"audience":["user"],"priority":0.50}}]}',
    '{"content":[{"type":"resource","resource":{"uri":"a:b","blob":"AAAA"}}]}',
  ])('stay unchanged if they are valid: %s', (text) => {
    const answer = answerOf(text)
    expect(toolResult(answer, { version: LATEST })).toBe(answer)
  })

  it('lose null members, and keep all digits', () => {
    const data = '"structuredContent":{"id":1917043659912705297,"none":null}'
    const block = '{"type":"text","text":"forty-two","annotations":null,"_meta":null}'
    expect(givenFor(`{"_meta":null,"content":[${block}],${data},"isError":null}`)).toBe(
      `{"content":[{"type":"text","text":"forty-two"}],${data}}`,
    )
    const plain = `{"content":[${block.replace(',"annotations":null,"_meta":null', '')}]}`
    expect(givenFor(`{"structuredContent":null,"content":[${block}]}`)).toBe(plain)
    // Here the value was normalized, but the text wasn't.
    const answer = answerOf(plain.replace('{', '{"_meta":null,'))
    const normalized = { ...answer, result: JSON.parse(plain) as object, isNormalized: true }
    expect(toolResult(normalized as ResultText, { version: LATEST }).text).toBe(plain)
  })

  it.each([
    ['{"content":"done"}', '{"content":[{"type":"text","text":"done"}]}'],
    ['{"content":{"type":"text","text":"done"}}', '{"content":[{"type":"text","text":"done"}]}'],
    ['{}', '{"content":[{"type":"text","text":"(no output)"}]}'],
    [
      '{"structuredContent":{"n":7.0}}',
      String.raw`{"content":[{"type":"text","text":"{\"n\":7.0}"}],"structuredContent":{"n":7.0}}`,
    ],
    [
      '{"content":[],"isError":"true"}',
      '{"content":[{"type":"text","text":"The tool failed without a message."}],"isError":true}',
    ],
    ['{"resultType":"input_required"}', '{"content":[],"resultType":"input_required"}'],
  ])('get the intended content: %s', (text, expected) => {
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
  ])('have each block in its intended form: %j', (block, expected) => {
    expect(blockFor(block)).toEqual(expected)
  })

  it.each([
    [{ type: 'html', html: '<p>' }, 'of type "html"'],
    [{ type: 'image', data: '!', mimeType: 'image/png' }, 'of type "image"'],
    [{ type: 'resource', resource: null }, 'of type "resource"'],
    [7, 'without a type'],
  ])('have a text in place of an unreadable block: %j', (block, type) => {
    const { result } = toolResult(writtenResult({ content: [block, text('good')] }), {
      version: LATEST,
    })
    expect(result.content).toEqual([removed(`1 of this result, ${type}`), text('good')])
  })

  it.each([
    ['No such repo', 'No such repo'],
    [{ message: 'No such repo' }, 'No such repo'],
    [{ code: 4, message: 'No such repo' }, '{"code":4,"message":"No such repo"}'],
    [['a', 'b'], '["a","b"]'],
  ])('keep the message of an error that a server put into the result: %j', (error, text) => {
    for (const result of [
      { error },
      { error, content: [] },
      { error, content: null, isError: false },
    ])
      expect(toolResult(writtenResult(result), { version: '2025-06-18' }).result).toMatchObject({
        content: [{ type: 'text', text }],
        isError: true,
      })
  })

  it("have a text for blocks that the agent's version lacks", () => {
    const link = { type: 'resource_link', uri: 'memo://a', name: 'a' }
    expect(blockFor(link)).toEqual(link)
    expect(blockFor(link, '2025-03-26')).toEqual(text('a: memo://a'))
    const audio = { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }
    expect(blockFor(audio, '2025-03-26')).toEqual(audio)
    expect(blockFor(audio, '2024-11-05')).toEqual(removed('1 of this result, of type "audio"'))
  })
})

describe('F6: results without anything to read', () => {
  it.each([
    [[text('')], {}, [text('(no output)')]],
    [[text(' \n')], {}, [text('(no output)')]],
    [[{ type: 'text' }], {}, [text('(no output)')]],
    [[text(''), text('rest')], {}, [text('rest')]],
    [[], { isError: true }, [text('The tool failed without a message.')]],
    [[text('')], { structuredContent: { n: 7 } }, [text('{"n":7}')]],
    [[], { structuredContent: { items: ['a'] } }, [text('{"items":["a"]}')]],
    [[text('')], { structuredContent: { n: 7 }, isError: true }, [text('{"n":7}')]],
  ])('get a text instead: %j %j', (content, more, expected) => {
    const { result } = toolResult(writtenResult({ content, ...more }), { version: LATEST })
    expect(result).toEqual({ ...more, content: expected })
  })
})

describe('F6: images and audio in results', () => {
  const base64 = (head: string | number[]): string => Buffer.from(head as string).toString('base64')
  const JPEG = base64([0xff, 0xd8, 0xff, 0xe0, 0, 16])
  const WEBP = base64('RIFF\u0001\u0001\u0001\u0001WEBPVP8 ')
  const WAV = base64('RIFF\u0001\u0001\u0001\u0001WAVEfmt ')
  const retyped = (type: string, mimeType: string, data: string): [unknown[], string[]] => {
    const found: string[] = []
    const answer = writtenResult({ content: [{ type, mimeType, data }] })
    const context = { version: LATEST, onRetyped: (...types: string[]) => found.push(...types) }
    return [toolResult(answer, context).result.content as unknown[], found]
  }

  it.each([
    ['image', 'image/png', JPEG, 'image/jpeg'],
    ['image', 'image/jpeg', PNG, 'image/png'],
    ['image', 'image/jpg', JPEG, 'image/jpeg'],
    ['image', 'IMAGE/PNG', PNG, 'image/png'],
    ['image', 'image/png; charset=binary', PNG, 'image/png'],
    ['image', 'application/octet-stream', WEBP, 'image/webp'],
    ['image', 'image/svg+xml', base64('GIF89a'), 'image/gif'],
    ['audio', 'audio/x-wav', WAV, 'audio/wav'],
    ['audio', 'audio/mp3', base64('ID3\u0004'), 'audio/mpeg'],
  ])('get the type of their bytes: %s as %s', (type, given, data, mimeType) => {
    expect(retyped(type, given, data)).toEqual([[{ type, mimeType, data }], [given, mimeType]])
  })

  it('of more than 1 MB stay as written, and URL-safe Base64 becomes plain with padding', () => {
    const bytes = Buffer.concat([
      Buffer.from(PNG, 'base64'),
      Buffer.alloc(1_500_000),
      Buffer.alloc(3, 0xfb),
    ])
    const [data, urlSafe] = [bytes.toString('base64'), bytes.toString('base64url')]
    expect(urlSafe).toMatch(/[-_]/u)
    const block = { type: 'image', mimeType: 'image/png', data }
    // A message that compares long texts takes minutes.
    const isPlain = (given: string): boolean => {
      const { data: sent } = blockFor({ ...block, data: given }) as { data: string }
      return sent === data
    }
    expect([data, urlSafe].map(isPlain)).toEqual([true, true])
  })

  it('stay the same object if the type is right, or if the audio format is unknown', () => {
    expect(blockFor({ type: 'image', mimeType: 'image/png', data: PNG })).toMatchObject({
      data: PNG,
    })
    const answer = answerOf(
      `{"content":[{"type":"image","mimeType":"image/webp","data":"${WEBP}"}]}`,
    )
    expect(toolResult(answer, { version: LATEST })).toBe(answer)
    const raw = { type: 'audio', mimeType: 'audio/L16;rate=24000', data: base64([1, 0, 255, 255]) }
    expect(blockFor(raw)).toEqual(raw)
  })

  it.each([
    ['image/svg+xml', base64('<svg xmlns="x"/>'), '<svg xmlns="x"/>'],
    ['image/png', base64('<!doctype html><title>502</title>'), '<title>502</title>'],
    ['image/png', '', 'is empty'],
  ])('become a text with an explanation if they are something else: %s', (mimeType, data, part) => {
    const [content] = retyped('image', mimeType, data)
    expect(content).toEqual([text(expect.stringContaining(part) as string)])
    expect(content).toEqual([text(expect.stringContaining(`of type ${mimeType}`) as string)])
  })

  it("become a file with a sentence if models don't accept the format", () => {
    const data = base64([0x42, 0x4d, 0, 1, 255])
    const [content] = retyped('image', 'image/bmp', data)
    const resource = { uri: 'patchbay://result/part-1', mimeType: 'image/bmp', blob: data }
    const notice = text(expect.stringContaining('of type image/bmp, is no picture') as string)
    expect(content).toEqual([notice, { type: 'resource', resource }])
  })

  it('get the type of their bytes in resources, too', () => {
    const resource = { uri: 'a:b', mimeType: 'image/png', blob: JPEG }
    const fixed = { ...resource, mimeType: 'image/jpeg' }
    expect(blockFor({ type: 'resource', resource })).toEqual({ type: 'resource', resource: fixed })
    const read = resourceResult(writtenResult({ contents: [resource] }), 'a:b')
    expect(read.result).toEqual({ contents: [fixed] })
    const messages = [
      { role: 'user', content: { type: 'image', mimeType: 'image/gif', data: PNG } },
    ]
    expect(promptResult(writtenResult({ messages }), LATEST).result).toMatchObject({
      messages: [{ content: { mimeType: 'image/png' } }],
    })
  })
})

describe('F6: numbers in repaired results', () => {
  it('keep the digits of priority and size', () => {
    const decorated = '{"type":"text","text":"a","annotations":{"priority":1.0,"audience":null}}'
    expect(givenFor(`{"isError":null,"content":[${decorated}]}`)).toBe(
      '{"content":[{"type":"text","text":"a","annotations":{"priority":1.0}}]}',
    )
    const link = '{"type":"resource_link","uri":"a:b","name":"b","size":12.0}'
    expect(givenFor(`{"isError":null,"content":[${link}]}`)).toContain('"size":12.0')
    const completion =
      '{"completion":{"values":["a",null],"total":2.0},"_meta":{"n":12345678901234567890}}'
    expect(completionResult(answerOf(completion)).text.toString()).toContain('"total":2')
  })
})

describe('F2: other results', () => {
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

  it('of resources lose nulls, and get the requested address', () => {
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

  it('of completions stay within the limits of MCP', () => {
    const values = Array.from({ length: 120 }, (_, at) => String(at))
    const completion = { values: [null, ...values], total: null, hasMore: null }
    expect(completionResult(writtenResult({ completion, _meta: null })).result).toEqual({
      completion: { values: values.slice(0, 100), hasMore: true },
    })
    const good = { completion: { values: ['a'], hasMore: false } }
    expect(completionResult(writtenResult(good)).result).toBe(good)
  })
})

describe("F2: results and their tool's output schema", () => {
  const SCHEMA = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const notice = text(expect.stringContaining("does not match the tool's output schema") as string)
  const kept = (result: object): object => {
    const { answer, problem } = enforceOutputSchema(writtenResult(result), SCHEMA)
    return { ...answer.result, problem }
  }

  it.each([
    ['they fit', { content: [], structuredContent: { n: 1 } }, SCHEMA],
    ['the tool failed', { content: [text('no')], isError: true }, SCHEMA],
    ['there is no schema', { content: [text('yes')] }, undefined],
    ['the schema is invalid', { content: [], structuredContent: { n: 'x' } }, { $id: 'http://[' }],
  ])('keep the same object if %s', (_where, result, schema) => {
    const answer = writtenResult(result)
    expect(enforceOutputSchema(answer, schema)).toEqual({ answer })
  })

  const missing = 'structured content is missing'
  it.each([
    ['a text', { content: [text('forty-two')] }, [text('forty-two')], missing],
    ["JSON that doesn't fit", { content: [text('{"n":"x"}')] }, [text('{"n":"x"}')], missing],
    [
      'an invalid value',
      { content: [text('42')], structuredContent: { n: '42' } },
      [text('42')],
      'n must be a number, got the string "42".',
    ],
    [
      'an invalid value without text',
      { content: [], structuredContent: { m: 1 } },
      [text('{"m":1}')],
      '"n" is required: expected a number.',
    ],
  ])("become an error with the server's text for %s", (_what, result, content, problem) => {
    expect(kept(result)).toEqual({ content: [...content, notice], isError: true, problem })
  })

  it('fill structured content from the only text if that is valid JSON for the schema', () => {
    const content = [text('{"n":1.0}')]
    const { answer } = enforceOutputSchema(writtenResult({ content }), SCHEMA)
    expect(answer.text).toContain('"structuredContent":{"n":1.0}}')
    expect(kept({ content: [...content, text('2')] })).toMatchObject({ isError: true })
  })

  it('keep structured details of a failure, whatever the schema says', () => {
    const failed = { content: [text('no such city')], isError: true }
    const answer = writtenResult({ ...failed, structuredContent: { code: 7 } })
    expect(enforceOutputSchema(answer, SCHEMA)).toEqual({ answer })
  })
})
