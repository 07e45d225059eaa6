import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { ElicitationField } from '../../../../src-shared/domain/agents/user-request'
import { ResponseError } from '../peer/request-failure'
import { ElicitResult, readElicitation } from './elicitation'
import { fieldProblem, type FormContent, formContent, formFields } from './requested-schema'

const form = (properties: object, required?: readonly string[]): object => ({
  type: 'object',
  properties,
  ...(required && { required }),
})
const inputOf = (schema: object): unknown => formFields(form({ it: schema }))[0]?.input
const refusal = (schema: unknown): string => {
  try {
    formFields(schema)
    return 'none'
  } catch (error) {
    return error instanceof ResponseError ? `${error.code} ${error.message}` : String(error)
  }
}

const CHOICES = [
  { value: 'a', label: 'First' },
  { value: 'b', label: 'Second' },
]
const AB = ['a', 'b']
const PLAIN = AB.map((value) => ({ value, label: value }))
const TITLED = CHOICES.map(({ value, label }) => ({ const: value, title: label }))

const NULL = { type: 'null' }
const LENGTHS = { minLength: 1, maxLength: 20, default: 'a@b.example' }
const BOUNDS = { minimum: 0, maximum: 1, default: 0.5 }
const ITEMS = { minItems: 1, maxItems: 2, default: ['a'] }

describe('F2: the form for an agent', () => {
  const paramsOf = (it: object): unknown =>
    readElicitation({ message: 'm', requestedSchema: form({ it }) }).params

  it("is the server's own if valid, otherwise without null, otherwise absent", () => {
    const own = { type: 'string', title: 'Own' }
    expect(paramsOf(own)).toEqual({ message: 'm', requestedSchema: form({ it: own }) })
    const optional = { anyOf: [{ type: 'string' }, NULL], title: 'Own', default: null }
    expect(paramsOf(optional)).toEqual({ message: 'm', requestedSchema: form({ it: own }) })
    expect(paramsOf({ type: 'string', format: 'colour' })).toBeUndefined()
  })
})

describe("F7: an agent's elicitation result", () => {
  it.each([
    [{ action: 'decline', content: null }, { action: 'decline' }],
    [{ action: 'accept', content: [] }, { action: 'accept' }],
    [
      { action: 'accept', content: { a: null, b: 1 } },
      { action: 'accept', content: { b: 1 } },
    ],
  ])('treats null as absent: %j', (given, result) => {
    expect(ElicitResult.parse(given)).toEqual(result)
  })
})

describe('E1: the fields of a form', () => {
  it.each<[kind: string, schema: object, more: object]>([
    ['text', { type: 'string', ...LENGTHS, format: 'email' }, { ...LENGTHS, format: 'email' }],
    ['text', { type: 'string', format: 'colour', pattern: '(a+)+$' }, {}],
    ['number', { type: 'number', ...BOUNDS }, { isInteger: false, ...BOUNDS }],
    ['number', { type: 'integer' }, { isInteger: true }],
    ['boolean', { type: 'boolean', default: false }, { default: false }],
    ['choice', { type: 'string', enum: ['a', 'b', 'a'] }, { choices: PLAIN }],
    ['choice', { type: 'string', oneOf: TITLED, default: 'b' }, { choices: CHOICES, default: 'b' }],
    // Syntax before 2025-11-25.
    ['choice', { type: 'string', enum: AB, enumNames: ['First', 'Second'] }, { choices: CHOICES }],
    ['choices', { type: 'array', items: { enum: AB }, ...ITEMS }, { choices: PLAIN, ...ITEMS }],
    ['choices', { type: 'array', items: { anyOf: TITLED } }, { choices: CHOICES }],
    // Optional fields as Python libraries write them.
    ['number', { anyOf: [{ type: 'integer' }, NULL], default: null }, { isInteger: true }],
    ['text', { type: ['string', 'null'], maxLength: 5 }, { maxLength: 5 }],
    ['choice', { anyOf: [{ enum: AB, type: 'string' }, NULL] }, { choices: PLAIN }],
    ['choice', { enum: AB }, { choices: PLAIN }],
  ])('are parsed as %s from %j', (kind, schema, more) => {
    expect(inputOf(schema)).toEqual({ kind, ...more })
  })

  it('keep order, names and required marks, with labels as plain text', () => {
    const description = `One\r\ntwo\u2028${'x'.repeat(3_000)}`
    const b = { type: 'string', title: 'Your\u202e name\u0007', description }
    const [first, second] = formFields(form({ b, a: { type: 'boolean', title: 7 } }, ['a']))
    expect(first).toMatchObject({ name: 'b', isRequired: false, title: 'Your name' })
    expect(first?.description).toMatch(/^One\ntwo\nx{1,2000}…$/u)
    expect(second).toEqual({ name: 'a', isRequired: true, input: { kind: 'boolean' } })
  })

  it("are parsed from a form without type, and from PHP's list for no properties", () => {
    expect(formFields({ properties: { it: { type: 'boolean' } }, required: null })).toHaveLength(1)
    expect(formFields({ type: 'object', properties: [] })).toEqual([])
  })

  const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `f${at}`)
  it.each<[schema: object, why: string]>([
    [{ type: 'string' }, 'requestedSchema must be an object schema'],
    [form({ it: { type: 'object', properties: {} } }), 'the field "it" must be'],
    [form({ it: { type: 'array', items: {} } }), 'the field "it" must be'],
    [form({ it: { type: ['string', 'number'] } }), 'the field "it" must be'],
    [form({ it: { anyOf: [{ type: 'string' }, { type: 'number' }] } }), 'the field "it" must be'],
    [form({ it: { type: 'string', enum: [1] } }), 'the field "it" must be'],
    [form({ ['x'.repeat(201)]: { type: 'string' } }), 'is not allowed as a field name'],
    [form({}, ['it']), '"it" is required but not declared'],
    [
      form(Object.fromEntries(many(51).map((name) => [name, { type: 'string' }]))),
      'can have 50 fields, but this one has 51',
    ],
    [form({ it: { type: 'string', enum: many(201) } }), 'a choice of up to 200'],
  ])('are rejected with a reason for the server: %.60j', (schema, why) => {
    expect(refusal(schema)).toContain('-32602 Unsupported form: ')
    expect(refusal(schema)).toContain(why)
  })

  it.each([
    { type: 'string', minLength: 3, default: 'ab' },
    { type: 'number', default: 'one' },
    { type: 'boolean', default: 'yes' },
    { type: 'string', enum: ['a'], default: 'b' },
    { type: 'array', items: { type: 'string', enum: ['a'] }, default: ['a', 'a'] },
  ])('lose an invalid default: %j', (schema) => {
    expect(inputOf(schema)).toMatchObject({ default: undefined })
  })

  it('are parsed or rejected for any schema, and an empty answer gets every default', () => {
    const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'object')
    const keys = ['enum', 'oneOf', 'items', 'format', 'minLength', 'maximum', 'minItems', 'default']
    const more = fc.dictionary(fc.constantFrom(...keys), fc.oneof(fc.jsonValue(), fc.nat()))
    const property = fc.tuple(more, type).map(([members, known]) => ({ ...members, type: known }))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.dictionary(fc.string(), property).map((all) => form(all)),
          fc.jsonValue(),
        ),
        (schema) => {
          const rejection = refusal(schema)
          if (rejection !== 'none') {
            expect(rejection).toMatch(/^-32602 /u)
            return
          }
          const fields = formFields(schema)
          const defaults = fields.flatMap(({ name, input }) =>
            input.default === undefined ? [] : [[name, input.default]],
          )
          expect(Object.entries(formContent(fields))).toEqual(defaults)
        },
      ),
    )
  })
})

const field = (
  input: ElicitationField['input'],
  rest: Partial<ElicitationField> = {},
): ElicitationField => ({
  name: 'it',
  isRequired: false,
  input,
  ...rest,
})
describe('E1: an answer to a form', () => {
  it('gets defaults for omitted fields, and keeps filled ones (SEP-1034)', () => {
    const fields = [
      field({ kind: 'text', default: 'blue' }, { name: 'colour' }),
      field({ kind: 'number', isInteger: true, default: 3 }, { name: 'count', isRequired: true }),
      field({ kind: 'boolean', default: true }, { name: 'sure' }),
      field({ kind: 'choices', choices: CHOICES, default: ['a'] }, { name: 'some' }),
      field({ kind: 'text' }, { name: 'note' }),
    ]
    expect(formContent(fields)).toEqual({ colour: 'blue', count: 3, sure: true, some: ['a'] })
    const filled = { colour: '', sure: false, some: [] }
    expect(formContent(fields, filled)).toEqual({ ...filled, count: 3 })
  })

  const mail = { name: 'mail', title: 'Your address', isRequired: true }
  it.each<[why: string, fields: ElicitationField[], content?: FormContent]>([
    ['Your address is required', [field({ kind: 'text' }, mail)]],
    ['it must be yes or no', [field({ kind: 'boolean' })], { it: 'yes' }],
    ['"other" is not a field of this form', [], { other: 1 }],
  ])('is not sent if %s', (why, fields, content) => {
    const failure = { code: 'INVALID_VALUES', message: `Not sent: ${why}.` }
    expect(() => formContent(fields, content)).toThrow(expect.objectContaining(failure) as Error)
  })

  it.each<[ElicitationField['input'], FormContent[string], string | undefined]>([
    [{ kind: 'text' }, 7, 'must be text'],
    [{ kind: 'text' }, 'x'.repeat(100_001), 'must not exceed 100000 characters'],
    [{ kind: 'text', minLength: 2 }, '𝒳', 'must have at least 2 characters'],
    [{ kind: 'text', maxLength: 1 }, '𝒳', undefined],
    [{ kind: 'text', format: 'email' }, 'ann@example.org', undefined],
    [{ kind: 'text', format: 'email' }, 'ann', 'must be an email address'],
    [{ kind: 'text', format: 'uri' }, 'urn:isbn:1', undefined],
    [{ kind: 'text', format: 'uri' }, '/a', 'must be a URL such as https://example.com'],
    [{ kind: 'text', format: 'date' }, '2026-03-31', undefined],
    [{ kind: 'text', format: 'date' }, '2026-02-30', 'must be a date such as 2026-03-31'],
    [{ kind: 'text', format: 'date-time' }, '2026-03-31T10:20:30+02:00', undefined],
    [{ kind: 'text', format: 'date-time' }, '2026-03-31T10:20:30.000Z', undefined],
    [{ kind: 'number', isInteger: false }, '1', 'must be a number'],
    [{ kind: 'number', isInteger: false }, Number.NaN, 'must be a number'],
    [{ kind: 'number', isInteger: true }, 1.5, 'must be a whole number'],
    [{ kind: 'number', isInteger: true, minimum: 2 }, 1, 'must be at least 2'],
    [{ kind: 'number', isInteger: true, maximum: 2 }, 3, 'must be at most 2'],
    [{ kind: 'choice', choices: CHOICES }, 'First', 'must be one of the choices'],
    [{ kind: 'choice', choices: CHOICES }, 'a', undefined],
    [{ kind: 'choices', choices: CHOICES }, 'a', 'must be a list of choices'],
    [{ kind: 'choices', choices: CHOICES }, ['c'], 'must contain only the listed choices'],
    [{ kind: 'choices', choices: CHOICES }, ['a', 'a'], 'must not repeat a choice'],
    [{ kind: 'choices', choices: CHOICES, minItems: 1 }, [], 'must have at least 1 choices'],
    [{ kind: 'choices', choices: CHOICES, maxItems: 1 }, ['a', 'b'], 'must have at most 1 choices'],
  ])('to %j with %j: %s', (input, value, expected) => {
    expect(fieldProblem({ input }, value)).toBe(expected)
  })
})
