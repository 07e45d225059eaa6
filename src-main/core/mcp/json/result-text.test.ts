import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readMessages } from './read-message'
import { plainResult, writtenResult } from './result-text'

/** The text of the result of a line, as it would be passed on; `anew` where it would be written anew. */
function textOf(line: string | Buffer): string | undefined {
  const bytes = Buffer.from(line)
  const read = readMessages(bytes)
  return read ? (plainResult(bytes, read)?.toString() ?? 'anew') : undefined
}

const VERSION = '"jsonrpc":"2.0"'

describe('B2 the text of a result', () => {
  it.each([
    `{${VERSION},"id":1,"result":{"a": [1, 2]}}`,
    `{"result":{"a": [1, 2]},${VERSION},"id":1}`,
    `{"id":"1",${VERSION},"result":{"a": [1, 2]}}`,
    `{ "jsonrpc": "2.0", "result" : {"a": [1, 2]} , "id": 1 }`,
  ])('is taken from its line where nothing stands around it but version and id: %s', (line) => {
    expect(textOf(line)).toBe('{"a": [1, 2]}')
  })

  it.each([
    ['there are two results', `{${VERSION},"id":1,"result":{"a":1},"result":{"b":2}}`],
    ['a result hides in a key', `{${VERSION},"id":1,"result":{"a":1},"x":{"result":{}}}`],
    ['an error stands beside it', `{${VERSION},"id":1,"result":{"a":1},"error":null}`],
    ['something else comes first', `{"meta":{"a":1},${VERSION},"id":1,"result":{"b":2}}`],
    ['the key is written otherwise', `{${VERSION},"id":1,"\\u0072esult":{"a":1}}`],
    ['it is no object', `{${VERSION},"id":1,"result":1}`],
    ['it is one of a batch', `[{${VERSION},"id":1,"result":{"a":1}}]`],
    ['it was decorated', `\u001B[0m{${VERSION},"id":1,"result":{"a":1}}`],
    ['much stands around it', `{${VERSION},${' '.repeat(300)}"id":1,"result":{"a":1}}`],
  ])('is written anew where %s', (_why, line) => {
    expect(textOf(line)).toBe('anew')
  })

  it('is written anew where its bytes are no text', () => {
    const line = Buffer.from(`{${VERSION},"id":1,"result":{"a":"?"}}`)
    line[line.indexOf('?')] = 0xff
    expect(textOf(line)).toBe('anew')
  })

  it('says the same as what was parsed, however the line is written', () => {
    const member = fc.constantFrom(
      VERSION,
      '"id":1',
      '"result":{"a":"}"}',
      '"result":{"b":{"c":[{}]}}',
      '"result":[{}]',
      '"error":{"code":1,"message":"no"}',
      '"x":{"result":{}}',
      '"y":"\\"result\\":{"',
    )
    const line = fc
      .array(member, { minLength: 1, maxLength: 6 })
      .map((members) => `{${members.join(',')}}`)
    fc.assert(
      fc.property(line, (text) => {
        const found = textOf(text)
        if (found === undefined || found === 'anew') return
        const { result } = JSON.parse(text) as { result: unknown }
        expect(JSON.parse(found)).toEqual(result)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is as it was parsed where it is written anew', () => {
    expect(writtenResult({ content: [] })).toEqual({
      text: '{"content":[]}',
      result: { content: [] },
    })
  })
})
