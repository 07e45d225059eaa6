import { describe, expect, it } from 'vitest'

import { writtenResult } from '../../mcp/json/result-text'
import { keepOutputSchema } from './output-schema'

const SCHEMA = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
const text = (value: string): object => ({ type: 'text', text: value })
const kept = (result: object, schema: unknown = SCHEMA): object => {
  const { answer, problem } = keepOutputSchema(writtenResult(result), schema)
  return { result: JSON.parse(answer.text.toString()) as unknown, problem }
}
const NOTICE = expect.objectContaining({
  text: expect.stringContaining("does not match the tool's output schema") as string,
}) as object

describe('F2 a result and the output schema of its tool', () => {
  it('is the same object where it fits, failed, or there is no schema', () => {
    for (const [result, schema] of [
      [{ content: [], structuredContent: { n: 1 } }, SCHEMA],
      [{ content: [text('no')], isError: true }, SCHEMA],
      [{ content: [text('yes')] }, undefined],
      [{ content: [], structuredContent: { n: 'x' } }, { $id: 'http://[' }],
    ] as const) {
      const answer = writtenResult(result)
      expect(keepOutputSchema(answer, schema)).toEqual({ answer })
    }
  })

  it('is filled from a text that is the fitting JSON', () => {
    expect(kept({ content: [text('{"n":1.0}')] })).toMatchObject({
      result: { content: [text('{"n":1.0}')], structuredContent: { n: 1 } },
    })
  })

  it('is an error with the text of the server where nothing fits', () => {
    const problem = expect.any(String) as string
    for (const content of [[text('forty-two')], [text('{"n":"x"}')], [text('{"n":1}'), text('2')]])
      expect(kept({ content })).toEqual({
        result: { content: [...content, NOTICE], isError: true },
        problem,
      })
    expect(kept({ content: [text('42')], structuredContent: { n: '42' } })).toEqual({
      result: { content: [text('42'), NOTICE], isError: true },
      problem: 'n must be a number, got the string "42".',
    })
    expect(kept({ content: [], structuredContent: { m: 1 } })).toMatchObject({
      result: { content: [text('{"m":1}'), NOTICE] },
    })
  })

  it('has no structured content that breaks the schema where the tool failed', () => {
    const failed = { content: [text('no such city')], isError: true }
    expect(kept({ ...failed, structuredContent: { code: 7 } })).toMatchObject({ result: failed })
  })
})
