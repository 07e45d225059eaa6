import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../../e2e/fixtures/cpu-time'
import { resolveRef } from '../../../../src-shared/json-schema/resolve-ref'
import { isSameJson } from '../../../../src-shared/json-schema/same-json'
import { startValues } from '../../../features/tool-run/use-tool-arguments'
import { checkAgainst, errorSchemaOf } from '../checking/validator'
import { typedNumber } from '../schema-form'
import { matchingIndexes } from '../theme/choice-controls'
import { drawingCounter, MAX_DRAWN_PARTS } from './form-fields'
import { formModel, recursionFinder } from './form-schema'
import { asRaw, rawPaths, withoutUnset } from './json-text'
import { simplify, variantTitle } from './simplify-schema'

const anyFits = (): boolean => true

describe('references of a schema', () => {
  const root = { $defs: { 'a/b': { type: 'string' }, named: { $anchor: 'here' } }, not: 7 }

  it('resolve by pointer and by anchor, within the document only', () => {
    expect(resolveRef(root, '#/$defs/a~1b')).toEqual({ type: 'string' })
    expect(resolveRef(root, '#')).toBe(root)
    expect(resolveRef(root, '#here')).toEqual({ $anchor: 'here' })
    for (const ref of [
      '#/$defs/none',
      '#/not',
      '#/constructor',
      '#/%',
      '#none',
      'http://127.0.0.1/x',
      'x/$defs/named',
      7,
    ])
      expect(resolveRef(root, ref)).toBeUndefined()
  })
})

describe('parts of a form', () => {
  it('count each time they are drawn, and as infinite if one refers to itself', () => {
    const count = (schema: object): number => drawingCounter(schema)(schema)
    expect(count({ type: 'object', properties: { a: {}, b: {} } })).toBe(3)
    expect(count({ $ref: '#' })).toBe(Infinity)
    expect(count({ allOf: [{ $ref: '#' }] })).toBe(Infinity)
    expect(count({ properties: { next: { $ref: '#' } } })).toBeLessThan(10)
    const levels = Array.from({ length: 40 }, (_, level) => {
      const next = { $ref: `#/$defs/l${level + 1}` }
      return [`l${level}`, { properties: { a: next, b: next } }]
    })
    const doubling = { $ref: '#/$defs/l0', $defs: Object.fromEntries(levels) as object }
    expect(count(doubling)).toBeGreaterThan(MAX_DRAWN_PARTS)
  })

  it('become JSON fields inside recursion, after one level of fields', () => {
    const isRecursive = recursionFinder({
      $defs: {
        a: { items: { $ref: '#/$defs/b' } },
        b: { properties: { a: { $ref: '#/$defs/a' } } },
        c: { $ref: '#/$defs/d' },
        d: { type: 'string' },
      },
    })
    expect(['a', 'b', 'c', 'd'].filter((name) => isRecursive(`#/$defs/${name}`))).toEqual([
      'a',
      'b',
    ])
    const tree = {
      type: 'object',
      properties: { next: { $ref: '#' }, name: { $ref: '#/$defs/name' } },
    }
    const model = formModel({ ...tree, $defs: { name: { type: 'string' } } })
    expect(model.kind === 'fields' && model.schema.properties).toMatchObject({
      next: { 'x-json': true },
      name: { $ref: expect.any(String) as string },
    })
    const inner = formModel({
      type: 'object',
      properties: { value: { $ref: '#/$defs/a' } },
      $defs: {
        a: { type: 'object', properties: { b: { $ref: '#/$defs/b' }, x: { type: 'string' } } },
        b: { type: 'array', items: { $ref: '#/$defs/a' } },
      },
    })
    expect(inner.kind === 'fields' && inner.schema).toMatchObject({
      properties: { value: { $ref: '#/$defs/d0' } },
      $defs: { d0: { properties: { b: { 'x-json': true }, x: { type: 'string' } } } },
    })
  })

  it('drop null from optional members', () => {
    const nullable = { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }], default: null }
    expect(simplify(nullable, false)).toEqual({ type: 'string', minLength: 1 })
    expect(simplify(nullable, true)).toEqual(nullable)
    expect(simplify({ type: ['integer', 'null'] }, false)).toEqual({ type: 'integer' })
    expect(simplify({ type: 'null' }, false)).toEqual({ type: 'null' })
  })

  it('name variants by what distinguishes them', () => {
    const root = { $defs: { Circle: { type: 'object' } } }
    expect(variantTitle({ properties: { kind: { const: 'square' } } }, root)).toBe('square')
    expect(variantTitle({ $ref: '#/$defs/Circle' }, root)).toBe('Circle')
    expect(variantTitle({ title: 'Own', type: 'string' }, root)).toBe('Own')
    expect(variantTitle({ required: ['a', 'b'] }, root)).toBe('With a, b')
    expect(variantTitle({ type: 'integer' }, root)).toBe('Whole number')
    expect(variantTitle({}, root)).toBeUndefined()
  })

  it('are built from any input without an error', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (schema) => {
        const model = formModel(schema)
        const checked = schema
        checkAgainst(checked, {})
        if (model.kind === 'fields') startValues(model.schema, anyFits)
        if (model.kind === 'raw') expect(model.why).toMatch(/^[A-Z].*\.$/su)
      }),
    )
  })

  it('are built from schemas with keywords of every kind without an error', () => {
    const words = [
      'type',
      'properties',
      'items',
      'anyOf',
      'allOf',
      '$ref',
      'enum',
      'const',
      'required',
      'default',
    ]
    const values = fc.oneof(
      fc.constantFrom('string', 'object', 'array', '#', '#/properties/a', ['a'], true, 0, {}, [{}]),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const { schema } = fc.letrec((tie) => ({
      schema: fc.dictionary(
        fc.constantFrom(...words),
        fc.oneof(
          { maxDepth: 3 },
          values,
          fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
          fc.array(tie('schema'), { maxLength: 2 }),
        ),
        { maxKeys: 4 },
      ),
    }))
    fc.assert(
      fc.property(schema, (made) => {
        const whole = { ...(made as object), type: 'object' }
        const model = formModel(whole)
        if (model.kind === 'fields') startValues(model.schema, anyFits)
        checkAgainst(whole, { a: 1, b: [null] })
      }),
    )
  })
})

describe('values of a form', () => {
  it('start with only the defaults and the values without an alternative', () => {
    const model = formModel({
      type: 'object',
      properties: {
        a: { type: 'string', default: 'x' },
        b: { type: 'string' },
        c: { const: 'only' },
        d: { const: 'left out' },
        e: { type: 'object', properties: { f: { type: 'number', default: 1 } } },
        g: { type: 'object', properties: { h: { type: 'number', default: 2 } } },
        i: { type: ['string', 'null'], default: null },
      },
      required: ['c', 'e'],
    })
    const start = model.kind === 'fields' ? startValues(model.schema, anyFits) : undefined
    expect(start).toEqual({ a: 'x', c: 'only', e: { f: 1 } })
  })

  it('start quickly even if a schema refers to itself many times', () => {
    const names = Array.from({ length: 20 }, (_, index) => `m${index}`)
    const members = names.map((name) => [name, { $ref: '#' }] as const)
    const model = formModel({
      type: 'object',
      properties: Object.fromEntries(members),
      required: names,
    })
    const took = cpuMsOf(() => {
      if (model.kind === 'fields') startValues(model.schema, anyFits)
    })
    expect(took).toBeLessThan(2_000)
  })

  it('are sent without omitted members', () => {
    expect(withoutUnset({ a: undefined, b: { c: undefined }, d: [undefined, 1] })).toStrictEqual({
      b: {},
      d: [null, 1],
    })
    expect(isSameJson({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true)
    expect(isSameJson({ a: [1, 2] }, { a: [2, 1] })).toBe(false)
  })

  it('become numbers only if no digit is lost', () => {
    expect(typedNumber(' 12 ')).toBe(12)
    expect(typedNumber('1e3')).toBe(1_000)
    expect(typedNumber('.5')).toBe(0.5)
    expect(typedNumber('')).toBeUndefined()
    for (const text of ['9007199254740993', 'NaN', 'Infinity', '0x10', '1_000', '--1', '12 a'])
      expect(typedNumber(text)).toBe(text)
  })

  it('list the paths that hold invalid JSON input', () => {
    expect(rawPaths({ a: asRaw('{'), b: [1, asRaw('[')], c: 'text' })).toEqual([['a'], ['b', '1']])
  })

  it('show problems at their path, whatever the names are', () => {
    const problems = [
      { path: ['__proto__', 'a b'], message: 'One.' },
      { path: [], message: 'Two.' },
      { path: [], message: 'Three.' },
    ]
    const reported = errorSchemaOf(problems) as Record<string, unknown>
    expect(reported.__errors).toEqual(['Two.', 'Three.'])
    expect(Object.hasOwn(reported, '__proto__')).toBe(true)
    expect(({} as Record<string, unknown>)['a b']).toBeUndefined()
  })

  it('are checked against the closest of several variants', () => {
    const kind = (name: string, member: string): object => ({
      type: 'object',
      properties: { kind: { const: name }, [member]: { type: 'number' } },
      required: ['kind', member],
    })
    const shape = {
      properties: { shape: { oneOf: [kind('circle', 'r'), kind('square', 'a')] } },
    }
    expect(checkAgainst(shape, { shape: { kind: 'square', a: 'x' } }).problems).toEqual([
      { path: ['shape', 'a'], message: 'Enter a number.' },
    ])
    expect(checkAgainst(shape, { shape: 7 }).problems).toEqual([
      {
        path: ['shape'],
        message: 'This value must match exactly one of the allowed types.',
      },
    ])
    const many = {
      anyOf: Array.from({ length: 60 }, () => ({
        required: Array.from({ length: 60 }, (_, index) => `m${index}`),
      })),
    }
    const took = cpuMsOf(() => {
      expect(checkAgainst(many, {}).problems.length).toBeGreaterThan(0)
    })
    expect(took).toBeLessThan(2_000)
  })

  it('are checked as far as it is quick: the server decides the rest', () => {
    const list = { properties: { a: { type: 'array', uniqueItems: true } } }
    const long = Array.from({ length: 100_000 }, (_, index) => index)
    expect(checkAgainst(list, { a: long })).toEqual({ problems: [], isChecked: false })
    const remote = { properties: { a: { $ref: 'https://127.0.0.1:9/x' } } }
    expect(checkAgainst(remote, { a: 1 })).toEqual({ problems: [], isChecked: false })
    const text = { properties: { a: { pattern: '^a+b+$' } } }
    expect(checkAgainst(text, { a: 'a'.repeat(5_000) })).toEqual({ problems: [], isChecked: false })
    expect(checkAgainst(text, { a: 'b' }).problems).toHaveLength(1)
  })
})

describe('search in many choices', () => {
  it('finds labels by text, with prefix matches first', () => {
    const labels = ['a bee', 'Bee', 'honey', 'beehive']
    expect(matchingIndexes(labels, ' BEE ')).toEqual([1, 3, 0])
    expect(matchingIndexes(labels, '')).toEqual([0, 1, 2, 3])
    expect(matchingIndexes(labels, 'wasp')).toEqual([])
  })
})
