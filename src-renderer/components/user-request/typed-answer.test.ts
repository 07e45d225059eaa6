import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { ElicitationField } from '../../../src-shared/domain/agents/user-request'
import { answerSchema, fieldKey, initialAnswer, readTyped } from './typed-answer'

function request(
  input: ElicitationField['input'],
  isRequired = false,
  name = 'it',
): ElicitationField {
  return { name, isRequired, input }
}

const CHOICES = [
  { value: 'a', label: 'First' },
  { value: 'b', label: 'Second' },
  { value: 'c', label: 'Third' },
]

describe('Requests of servers: form input', () => {
  it('starts with the defaults and sends them unchanged', () => {
    const fields = [
      request({ kind: 'text', default: 'blue' }, false, 'colour'),
      request({ kind: 'number', isInteger: true, default: 3 }, false, 'count'),
      request({ kind: 'boolean', default: false }, true, 'sure'),
      request({ kind: 'choice', choices: CHOICES, default: 'b' }, false, 'one'),
      request({ kind: 'choices', choices: CHOICES, default: ['a', 'c'] }, false, 'some'),
    ]
    expect(answerSchema(fields).parse(initialAnswer(fields))).toEqual({
      colour: 'blue',
      count: 3,
      sure: false,
      one: 'b',
      some: ['a', 'c'],
    })
  })

  it('omits empty optional fields and requires the required ones', () => {
    const inputs: ElicitationField['input'][] = [
      { kind: 'text' },
      { kind: 'text', format: 'date-time' },
      { kind: 'number', isInteger: false },
      { kind: 'boolean' },
      { kind: 'choice', choices: CHOICES },
    ]
    const optional = inputs.map((input, index) => request(input, false, `n${index}`))
    expect(answerSchema(optional).parse(initialAnswer(optional))).toEqual({})
    const required = inputs.map((input, index) => request(input, true, `n${index}`))
    const { error } = answerSchema(required).safeParse(initialAnswer(required))
    expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
      ['f0', 'Enter a value.'],
      ['f1', 'Enter a value.'],
      ['f2', 'Enter a number.'],
      ['f3', 'Choose yes or no.'],
      ['f4', 'Choose one.'],
    ])
  })

  it('sends an empty text if the default would return otherwise', () => {
    expect(readTyped(request({ kind: 'text', default: 'blue' }), '')).toEqual({ value: '' })
    expect(readTyped(request({ kind: 'text', default: 'blue', minLength: 1 }), '')).toEqual({})
    expect(readTyped(request({ kind: 'choices', choices: CHOICES, default: ['a'] }), [])).toEqual({
      value: [],
    })
  })

  it.each([
    ['email', 'ann@example.org', 'ann at example'],
    ['uri', 'https://example.org/a', 'example.org'],
    ['date', '2026-03-31', '2026-02-30'],
  ] as const)('accepts a text of the format %s', (format, right, wrong) => {
    const field = request({ kind: 'text', format }, true)
    expect(readTyped(field, right)).toEqual({ value: right })
    expect(readTyped(field, wrong)).toHaveProperty('problem')
  })

  it('sends a time in UTC and shows it in local time', () => {
    const moment = '2026-03-29T10:20:30.000Z'
    const fields = [request({ kind: 'text', format: 'date-time', default: moment }, true, 'at')]
    const typed = initialAnswer(fields)
    expect(typed.f0).toMatch(/^2026-03-(28|29|30)T\d\d:\d\d:30$/u)
    expect(answerSchema(fields).parse(typed)).toEqual({ at: moment })
  })

  it('counts characters like JSON Schema', () => {
    const field = request({ kind: 'text', minLength: 2, maxLength: 3 })
    expect(readTyped(field, '🙂🙂🙂')).toEqual({ value: '🙂🙂🙂' })
    expect(readTyped(field, '🙂')).toEqual({ problem: 'Enter 2 to 3 characters.' })
    expect(readTyped(request({ kind: 'text', maxLength: 1 }), 'ab')).toEqual({
      problem: 'Enter at most 1 character.',
    })
  })

  it('accepts only numbers within their bounds', () => {
    const whole = request({ kind: 'number', isInteger: true, minimum: 1, maximum: 10 }, true)
    expect(readTyped(whole, ' 7 ')).toEqual({ value: 7 })
    expect(readTyped(whole, '7.5')).toEqual({ problem: 'Enter a whole number.' })
    expect(readTyped(whole, '11')).toEqual({ problem: 'Enter a whole number: 1 to 10.' })
    for (const text of ['seven', '1,5', '0x10', '1e999', 'NaN'])
      expect(readTyped(whole, text), text).toEqual({ problem: 'Enter a whole number, such as 12.' })
    const any = request({ kind: 'number', isInteger: false })
    expect(readTyped(any, '-.5e1')).toEqual({ value: -5 })
  })

  it('accepts only the allowed number of choices', () => {
    const field = request({ kind: 'choices', choices: CHOICES, minItems: 1, maxItems: 2 }, true)
    expect(readTyped(field, [])).toEqual({ problem: 'Choose 1 to 2.' })
    expect(readTyped(field, ['a', 'b'])).toEqual({ value: ['a', 'b'] })
    expect(readTyped(field, ['a', 'b', 'c'])).toEqual({ problem: 'Choose 1 to 2.' })
  })

  it('keeps any field name unchanged', () => {
    const names = fc.uniqueArray(fc.oneof(fc.string(), fc.constantFrom('a.b', 'a[0]', 'toString')))
    fc.assert(
      fc.property(names, (list) => {
        const fields = list.map((name) => request({ kind: 'text' }, true, name))
        const typed = Object.fromEntries(list.map((_, index) => [fieldKey(index), `v${index}`]))
        const content = answerSchema(fields).parse(typed)
        const entries = list.map((name, index) => [name, `v${index}`] as const)
        expect(new Map(Object.entries(content))).toEqual(new Map(entries))
      }),
    )
  })
})
