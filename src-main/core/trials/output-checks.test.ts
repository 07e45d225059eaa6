import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { buildThread, type BuiltThread } from '../../../e2e/fixtures/built-thread'
import { writtenResult } from '../mcp/json/result-text'
import { type OutputCheck, OutputChecks } from './output-checks'

let thread: BuiltThread
const opened: OutputChecks[] = []
beforeAll(async () => {
  thread = await buildThread('schema')
})
afterAll(() => thread.remove())
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]()
})

/** What is found in a structured content. */
function check(
  schema: unknown,
  structuredContent: unknown,
  { limitMs, hasThread = true }: { limitMs?: number; hasThread?: boolean } = {},
): Promise<OutputCheck | undefined> {
  const checks = new OutputChecks({
    ...(hasThread && { createWorker: thread.createWorker }),
    ...(limitMs !== undefined && { limitMs }),
  })
  opened.push(checks)
  return checks.check(schema, writtenResult({ structuredContent }))
}

const NUMBER = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
/** One that refers to itself is checked on the thread. */
const TREE = {
  type: 'object',
  properties: { name: { type: 'string' }, parts: { type: 'array', items: { $ref: '#' } } },
  required: ['name'],
}
const SLOW = { properties: { text: { pattern: '^(a+)+$' } } }

describe('The structured content of a tool', () => {
  it('fits, or does not at places that are named by JSON pointers', async () => {
    expect(await check(NUMBER, { n: 1 })).toEqual({ isChecked: true, problems: [] })
    expect(await check(NUMBER, { n: '5' })).toEqual({
      isChecked: true,
      problems: [{ path: '/n', message: 'n must be a number, and is the string "5".' }],
    })
    expect((await check(NUMBER, {}))?.problems).toEqual([
      { path: '', message: '"n" is missing; a number is expected.' },
    ])
    const odd = { type: 'object', properties: { 'a/b~c ü%': { type: 'string' } } }
    expect((await check(odd, { 'a/b~c ü%': 1 }))?.problems[0]?.path).toBe('/a~1b~0c ü%')
    const closed = { ...NUMBER, additionalProperties: false }
    expect((await check(closed, { n: 1, m: 2 }))?.problems).toEqual([
      { path: '/m', message: '"m" is no field of the output schema.' },
    ])
  })

  it('may be of any type', async () => {
    expect((await check({ type: 'array', items: { type: 'number' } }, [1, 'a']))?.problems).toEqual(
      [{ path: '/1', message: '[1] must be a number, and is the string "a".' }],
    )
    expect((await check({ type: 'object' }, 7))?.problems).toEqual([
      { path: '', message: 'The structured content must be an object, and is the number 7.' },
    ])
    expect(await check({ type: 'null' }, null)).toEqual({ isChecked: true, problems: [] })
  })

  it('is missing where its tool has a schema, unless it failed', async () => {
    const checks = new OutputChecks({})
    const problem = 'The tool has an output schema and gave no structured content.'
    expect(await checks.check(NUMBER, writtenResult({ content: [] }))).toEqual({
      isChecked: true,
      problems: [{ path: '', message: problem }],
    })
    expect(await checks.check(NUMBER, writtenResult({ isError: true }))).toBeUndefined()
    expect(await checks.check(undefined, writtenResult({ structuredContent: 7 }))).toBeUndefined()
  })

  it('is told to have fifty problems at most', async () => {
    const list = { type: 'array', items: { type: 'number' } }
    const found = await check(list, Array<string>(500).fill('a'))
    expect(found?.problems).toHaveLength(50)
    expect(found?.problems[49]?.path).toBe('/49')
  })

  it('is checked on a thread where that may take long', async () => {
    const value = { name: 'a', parts: [{ name: 'b', parts: [{ name: 7 }] }] }
    expect((await check(TREE, value))?.problems).toEqual([
      {
        path: '/parts/0/parts/0/name',
        message: 'parts[0].parts[0].name must be a string, and is the number 7.',
      },
    ])
    expect(await check(TREE, { name: 'a', parts: [] })).toEqual({ isChecked: true, problems: [] })
    expect(await check(TREE, value, { hasThread: false })).toMatchObject({
      isChecked: false,
      why: 'The structured content was not checked: there is no thread for one that may take long.',
    })
  })

  it('is not checked by a schema that is made to take for ever, or cannot be used', async () => {
    const slow = { text: `${'a'.repeat(60)}b` }
    expect(await check(SLOW, slow, { limitMs: 300 })).toEqual({
      isChecked: false,
      problems: [],
      why: 'The structured content was not checked: its output schema takes too long.',
    })
    let deep: unknown = {}
    for (let level = 0; level < 200; level += 1) deep = { properties: { a: deep } }
    expect(await check(deep, {})).toMatchObject({
      isChecked: false,
      why: 'The structured content was not checked: This schema is too large to be checked.',
    })
  })

  it('is not copied for the thread where it is too large', async () => {
    const name = 'a'.repeat(17_000_000)
    const parts = [{ name: 'a', parts: [{}] }]
    expect(await check(TREE, { name, parts })).toMatchObject({
      isChecked: false,
      why: 'The structured content was not checked: the answer is too large.',
    })
  })

  it('is checked after one that took too long, by another thread', async () => {
    const checks = new OutputChecks({ createWorker: thread.createWorker, limitMs: 10_000 })
    opened.push(checks)
    const text = `${'a'.repeat(60)}b`
    const slow = checks.check(SLOW, writtenResult({ structuredContent: { text } }))
    const next = checks.check(TREE, writtenResult({ structuredContent: { name: 'a' } }))
    expect((await slow)?.isChecked).toBe(false)
    expect(await next).toEqual({ isChecked: true, problems: [] })
  })
})
