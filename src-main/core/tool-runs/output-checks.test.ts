import { describe, expect, it } from 'vitest'

import { writtenResult } from '../mcp/json/result-text'
import { checkOutput, type OutputCheck } from './run-tool'

/** Returns the check of a structured content. */
function check(schema: unknown, structuredContent: unknown): Promise<OutputCheck | undefined> {
  return checkOutput(schema, writtenResult({ structuredContent }))
}

const NUMBER = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
const TREE = {
  type: 'object',
  properties: { name: { type: 'string' }, parts: { type: 'array', items: { $ref: '#' } } },
  required: ['name'],
}

describe('The structured content of a tool', () => {
  it('fits its schema, or has problems located by JSON pointers', async () => {
    expect(await check(NUMBER, { n: 1 })).toEqual({ isChecked: true, problems: [] })
    expect(await check(NUMBER, { n: '5' })).toEqual({
      isChecked: true,
      problems: [{ path: '/n', message: 'n must be a number, got the string "5".' }],
    })
    expect((await check(NUMBER, {}))?.problems).toEqual([
      { path: '', message: '"n" is required: expected a number.' },
    ])
    const odd = { type: 'object', properties: { 'a/b~c ü%': { type: 'string' } } }
    expect((await check(odd, { 'a/b~c ü%': 1 }))?.problems[0]?.path).toBe('/a~1b~0c ü%')
    const closed = { ...NUMBER, additionalProperties: false }
    expect((await check(closed, { n: 1, m: 2 }))?.problems).toEqual([
      { path: '/m', message: 'Unknown field "m".' },
    ])
  })

  it('may have any type', async () => {
    expect((await check({ type: 'array', items: { type: 'number' } }, [1, 'a']))?.problems).toEqual(
      [{ path: '/1', message: '[1] must be a number, got the string "a".' }],
    )
    expect((await check({ type: 'object' }, 7))?.problems).toEqual([
      { path: '', message: 'The structured content must be an object, got the number 7.' },
    ])
    expect(await check({ type: 'null' }, null)).toEqual({ isChecked: true, problems: [] })
  })

  it("is reported as missing if its tool has a schema and didn't fail", async () => {
    const problem = 'The tool has an output schema but returned no structured content.'
    expect(await checkOutput(NUMBER, writtenResult({ content: [] }))).toEqual({
      isChecked: true,
      problems: [{ path: '', message: problem }],
    })
    expect(await checkOutput(NUMBER, writtenResult({ isError: true }))).toBeUndefined()
    expect(await checkOutput(undefined, writtenResult({ structuredContent: 7 }))).toBeUndefined()
  })

  it('has at most fifty reported problems', async () => {
    const list = { type: 'array', items: { type: 'number' } }
    const found = await check(list, Array<string>(500).fill('a'))
    expect(found?.problems).toHaveLength(50)
    expect(found?.problems[49]?.path).toBe('/49')
  })

  it('is checked against a recursive schema', async () => {
    const value = { name: 'a', parts: [{ name: 'b', parts: [{ name: 7 }] }] }
    expect((await check(TREE, value))?.problems).toEqual([
      {
        path: '/parts/0/parts/0/name',
        message: 'parts[0].parts[0].name must be a string, got the number 7.',
      },
    ])
    expect(await check(TREE, { name: 'a', parts: [] })).toEqual({ isChecked: true, problems: [] })
  })

  it('is not checked against a schema that takes too long', async () => {
    const many = { type: 'array', items: { type: 'number' } }
    expect(await check(many, Array<number>(600_000).fill(1))).toEqual({
      isChecked: false,
      problems: [],
      why: 'The structured content was not checked: the schema takes too long to check for these values.',
    })
  })
})
