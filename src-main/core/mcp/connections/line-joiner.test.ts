import { describe, expect, it } from 'vitest'

import { LineJoiner } from './stdio'

/** Returns the messages that are joined from the lines of a text. */
function joined(text: string): unknown[] {
  const joiner = new LineJoiner()
  return text.split('\n').flatMap((line) => {
    const found = joiner.add(Buffer.from(line))
    return found ? [JSON.parse(found.toString()) as unknown] : []
  })
}

const ANSWER = { jsonrpc: '2.0', id: 3, result: { content: [{ type: 'text', text: 'a {\n}' }] } }
const pretty = JSON.stringify(ANSWER, null, 2)

describe('B3: a response over several lines', () => {
  it('is found between other lines, with any indentation', () => {
    const indented = pretty.replaceAll(/^/gmu, '    ')
    expect(joined(`Starting\n${pretty}\nmore\n${indented}\n}`)).toEqual([ANSWER, ANSWER])
  })

  it.each([
    ['a request', { jsonrpc: '2.0', id: 3, method: 'tools/call', params: {} }],
    ['a logged object', { level: 'info', msg: 'x' }],
  ])('is not recognized in %s', (_what, value) => {
    expect(joined(JSON.stringify(value, null, 2))).toEqual([])
  })

  it('is not recognized if it is incomplete or a message interrupts it', () => {
    expect(joined(pretty.slice(0, -3))).toEqual([])
    const joiner = new LineJoiner()
    const lines = pretty.split('\n').map((line) => Buffer.from(line))
    for (const line of lines.slice(0, 2)) joiner.add(line)
    joiner.clear()
    expect(lines.slice(2).map((line) => joiner.add(line))).toEqual(
      lines.slice(2).map(() => undefined),
    )
  })
})
