import { Worker, type WorkerOptions } from 'node:worker_threads'

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { buildThread, type BuiltThread } from '../../../../e2e/fixtures/built-thread'
import { ArgumentChecks, type ArgumentChecksOptions, type CheckedTool } from './argument-checks'
import { GarbledArgumentsError } from './garbled-arguments'

let thread: BuiltThread
beforeAll(async () => {
  thread = await buildThread('schema')
})
afterAll(() => thread.remove())

type Bench = {
  readonly checks: ArgumentChecks
  readonly started: Worker[]
  readonly unchecked: string[]
}

function open(options: Partial<ArgumentChecksOptions> = {}): Bench {
  const started: Worker[] = []
  const unchecked: string[] = []
  const { createWorker = thread.createWorker } = options
  const checks = new ArgumentChecks({
    onUnchecked: (_tool, message) => unchecked.push(message),
    ...options,
    createWorker: (given) => {
      const worker = createWorker(given)
      started.push(worker)
      return worker
    },
  })
  onTestFinished(() => checks[Symbol.asyncDispose]())
  return { checks, started, unchecked }
}

function tool(schema: unknown, hash = JSON.stringify(schema)): CheckedTool {
  return { exposedName: 'files__read', schema, hash }
}
const withField = (schema: object): CheckedTool =>
  tool({ type: 'object', properties: { field: schema } })

describe('C11 the check of arguments before a server gets them', () => {
  it('gives what fits as it is, and an empty object for none', async () => {
    const { checks, started } = open()
    const args = { field: 'x' }
    expect(await checks.check(withField({ type: 'string' }), { args })).toBe(args)
    expect(await checks.check(withField({}), { args: undefined })).toEqual({})
    expect(await checks.check(withField({}), { args: null })).toEqual({})
    expect(started).toHaveLength(0)
  })

  it.each([undefined, null])('checks none as an empty object: %s', async (args) => {
    const { checks } = open()
    const checking = checks.check(tool({ type: 'object', required: ['path'] }), { args })
    await expect(checking).rejects.toBeInstanceOf(GarbledArgumentsError)
    await expect(checking).rejects.toThrow('"path" is missing')
  })

  it.each([
    ['quick', { type: 'string' }],
    ['left to a thread', { type: 'string', pattern: '^(a|b)+$' }],
  ])('refuses a key that no check can name, where that is %s', async (_, path) => {
    const { checks, unchecked } = open({ limitMs: 60_000 })
    const strict = tool({ type: 'object', properties: { path }, additionalProperties: false })
    const checking = checks.check(strict, { args: { path: 5, '\ud800': 1 } })
    await expect(checking).rejects.toBeInstanceOf(GarbledArgumentsError)
    await expect(checking).rejects.toThrow(String.raw`The key "\ud800"`)
    expect(unchecked).toEqual([])
  })

  it('says for a model what does not fit, and that nothing was sent', async () => {
    const { checks } = open()
    const checking = checks.check(withField({ type: 'string' }), { args: { field: 1 } })
    await expect(checking).rejects.toBeInstanceOf(GarbledArgumentsError)
    await expect(checking).rejects.toMatchObject({
      code: 'INVALID_VALUES',
      message:
        'Nothing was sent: the arguments of files__read do not fit. field must be a string, and is the number 1.',
      hint: 'Mend them and call again.',
    })
  })

  it.each([
    ['a JSON text', '{"field":"x"}', 'The arguments are a JSON text'],
    ['a text that breaks off', '{"field":"x"', 'no JSON: close brace expected at character 13'],
    ['a list', [1], 'The arguments must be an object, and are a list of 1.'],
    ['a number', 5, 'The arguments must be an object, and are the number 5.'],
  ])('refuses %s in the place of an object', async (_, args, said) => {
    const { checks } = open()
    await expect(checks.check(withField({}), { args })).rejects.toThrow(said)
  })

  it('refuses keys that are there twice, which no value shows', async () => {
    const { checks } = open()
    const argsText = '{"field": "x", "field": "y"}'
    const checking = checks.check(withField({}), { args: { field: 'y' }, argsText })
    await expect(checking).rejects.toThrow('The key "field" is there twice')
  })

  it('prepares a schema once, and begins no thread for a small call', async () => {
    const { checks, started, unchecked } = open()
    const schema = {
      type: 'object',
      properties: {
        path: { type: 'string' },
        limit: { type: 'integer' },
        mode: { enum: ['a', 'b'] },
      },
      required: ['path'],
    }
    const small = tool(schema)
    const args = { path: '/a/b', limit: 3, mode: 'b' }
    expect(await checks.check(small, { args })).toBe(args)
    // Whoever read this schema would fail, and leave the call unchecked.
    const unread = { ...small, schema: null }
    for (let at = 0; at < 100; at += 1)
      expect(await checks.check(unread, { args, argsText: JSON.stringify(args) })).toBe(args)
    await expect(checks.check(unread, { args: { ...args, mode: 'c' } })).rejects.toThrow('mode')
    expect([started.length, unchecked]).toEqual([0, []])
  })
})

describe('C11 schemas that may take long', () => {
  it.each([
    ['a pattern', { type: 'string', pattern: '^(a|b)+$' }, 'ab', 'c'],
    [
      'a schema that refers to itself',
      {
        $ref: '#/properties/field/$defs/t',
        $defs: {
          t: {
            properties: { next: { $ref: '#/properties/field/$defs/t' }, n: { type: 'number' } },
          },
        },
      },
      { next: { next: { n: 1 } } },
      { next: { n: 'x' } },
    ],
    [
      'many elements that must differ',
      { type: 'array', uniqueItems: true },
      Array.from({ length: 2_000 }, (_, at) => at),
      Array.from({ length: 2_000 }, () => 1),
    ],
  ])('are checked on a thread: %s', async (_, schema, good, bad) => {
    const { checks, started, unchecked } = open({ limitMs: 60_000 })
    expect(await checks.check(withField(schema), { args: { field: good } })).toEqual({
      field: good,
    })
    await expect(checks.check(withField(schema), { args: { field: bad } })).rejects.toBeInstanceOf(
      GarbledArgumentsError,
    )
    expect(started).toHaveLength(1)
    expect(unchecked).toEqual([])
  })

  it('are not checked once five took too long, which is said at the first and at the last; the next tool is checked', async () => {
    const { checks, started, unchecked } = open({ limitMs: 300 })
    const slow = withField({ pattern: '^(a+)+$' })
    const args = { field: `${'a'.repeat(60)}b` }
    const all = Array.from({ length: 8 }, () => checks.check(slow, { args }))
    expect(await Promise.all(all)).toEqual(Array.from({ length: 8 }, () => args))
    const told =
      'The arguments of files__read are sent without a check: its input schema takes too long.'
    expect(unchecked).toEqual([told, told])
    expect(started).toHaveLength(5)
    await expect.poll(() => started.map(({ threadId }) => threadId)).toEqual([-1, -1, -1, -1, -1])
    // On a busy machine another thread may need more than the short limit.
    const later = open({ limitMs: 60_000 })
    const other = later.checks.check(withField({ pattern: '^(b|c)+$' }), { args })
    await expect(other).rejects.toThrow('must match the pattern')
  })

  it('are checked again after one that was nested too deeply for a check', async () => {
    const { checks, unchecked } = open({ limitMs: 60_000 })
    const nested = tool({ type: 'object', properties: { a: { $ref: '#' }, b: { type: 'string' } } })
    let deep: Record<string, unknown> = {}
    for (let level = 0; level < 20_000; level += 1) deep = { a: deep }
    expect(await checks.check(nested, { args: deep })).toBe(deep)
    expect(unchecked).toHaveLength(1)
    const garbled = checks.check(nested, { args: { b: 1 } })
    await expect(garbled).rejects.toBeInstanceOf(GarbledArgumentsError)
  })

  it.each([
    ['cannot be started', (): Worker => expect.unreachable()],
    [
      'crashes',
      (options: WorkerOptions) =>
        new Worker('throw new Error("broken")', { ...options, eval: true }),
    ],
  ])('are sent as they are where the thread %s', async (_, createWorker) => {
    const { checks, unchecked } = open({ createWorker })
    const args = { field: 'c' }
    expect(await checks.check(withField({ pattern: '^(a|b)+$' }), { args })).toBe(args)
    expect(unchecked).toHaveLength(1)
  })

  it.each([
    ['too large', { allOf: Array.from({ length: 30_000 }, () => ({ type: 'string' })) }],
    ['broken', { $id: 'http://[', type: 'string' }],
  ])('or that are %s are not checked, which is said once', async (_, schema) => {
    const { checks, unchecked } = open()
    const args = { field: 1 }
    for (const round of [1, 2, 3])
      expect(await checks.check(tool(schema), { args }), String(round)).toBe(args)
    expect(unchecked).toHaveLength(1)
  })

  it('do not hold the main thread, whatever the value: 1,000,000 elements', async () => {
    const { checks, started } = open({ limitMs: 60_000 })
    const field = Array.from({ length: 1_000_000 }, (_, at) => at)
    const schema = { type: 'array', items: { type: 'integer' } }
    expect(await checks.check(withField(schema), { args: { field } })).toEqual({ field })
    expect(started).toHaveLength(1)
  })
})

describe('C11 what is kept of schemas', () => {
  it('is bounded, and by the definition: another one is read anew', async () => {
    const { checks, unchecked } = open()
    const strict = { properties: { field: { type: 'string' } } }
    const args = { field: 1 }
    expect(await checks.check(tool({}, 'first'), { args })).toBe(args)
    await expect(checks.check(tool(strict, 'second'), { args })).rejects.toBeInstanceOf(
      GarbledArgumentsError,
    )
    // The hash stands for the definition.
    expect(await checks.check(tool(strict, 'first'), { args })).toBe(args)
    for (let at = 0; at < 600; at += 1) await checks.check(tool({}, `other ${at}`), { args })
    await expect(checks.check(tool(strict, 'first'), { args })).rejects.toBeInstanceOf(
      GarbledArgumentsError,
    )
    expect(unchecked).toEqual([])
  })
})
