import { describe, expect, it } from 'vitest'

import type { AskedField } from '../../../../src-shared/domain/agents/question'
import { type AnswerContent, answerProblem, fitAnswer } from './fit-answer'

const field = (input: AskedField['input'], rest: Partial<AskedField> = {}): AskedField => ({
  name: 'it',
  isRequired: false,
  input,
  ...rest,
})
const CHOICES = [
  { value: 'a', label: 'First' },
  { value: 'b', label: 'Second' },
]
const problem = (fields: AskedField[], content?: AnswerContent): unknown => {
  try {
    fitAnswer(fields, content)
    return undefined
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return [code, message]
  }
}

describe('Servers ask back: an answer', () => {
  it('has the defaults of what was left out, and what was filled in as it is (SEP-1034)', () => {
    const fields = [
      field({ kind: 'text', default: 'blue' }, { name: 'colour' }),
      field({ kind: 'number', isInteger: true, default: 3 }, { name: 'count', isRequired: true }),
      field({ kind: 'boolean', default: true }, { name: 'sure' }),
      field({ kind: 'choices', choices: CHOICES, default: ['a'] }, { name: 'some' }),
      field({ kind: 'text' }, { name: 'note' }),
    ]
    expect(fitAnswer(fields)).toEqual({ colour: 'blue', count: 3, sure: true, some: ['a'] })
    expect(fitAnswer(fields, { colour: '', sure: false, some: [] })).toEqual({
      colour: '',
      count: 3,
      sure: false,
      some: [],
    })
  })

  it('that does not fit names its field by its title, or else its name', () => {
    const needed = field(
      { kind: 'text' },
      { name: 'mail', title: 'Your address', isRequired: true },
    )
    expect(problem([needed])).toEqual([
      'INVALID_VALUES',
      'Nothing was sent: Your address is needed.',
    ])
    expect(problem([field({ kind: 'boolean' })], { it: 'yes' })).toEqual([
      'INVALID_VALUES',
      'Nothing was sent: it must be yes or no.',
    ])
    expect(problem([], { other: 1 })).toEqual([
      'INVALID_VALUES',
      'Nothing was sent: "other" was not asked for.',
    ])
  })

  it.each<[AskedField['input'], AnswerContent[string], string | undefined]>([
    [{ kind: 'text' }, 7, 'must be a text'],
    [{ kind: 'text' }, 'x'.repeat(100_001), 'must not be longer than 100000 characters'],
    [{ kind: 'text', minLength: 2 }, '𝒳', 'must have at least 2 characters'],
    [{ kind: 'text', maxLength: 1 }, '𝒳', undefined],
    [{ kind: 'text', format: 'email' }, 'ann@example.org', undefined],
    [{ kind: 'text', format: 'email' }, 'ann', 'must be an email address'],
    [{ kind: 'text', format: 'uri' }, 'urn:isbn:1', undefined],
    [{ kind: 'text', format: 'uri' }, '/a', 'must be an address with its start, such as https://'],
    [{ kind: 'text', format: 'date' }, '2026-03-31', undefined],
    [{ kind: 'text', format: 'date' }, '2026-02-30', 'must be a date, such as 2026-03-31'],
    [{ kind: 'text', format: 'date-time' }, '2026-03-31T10:20:30+02:00', undefined],
    [{ kind: 'text', format: 'date-time' }, '2026-03-31T10:20:30.000Z', undefined],
    [{ kind: 'number', isInteger: false }, '1', 'must be a number'],
    [{ kind: 'number', isInteger: false }, Number.NaN, 'must be a number'],
    [{ kind: 'number', isInteger: true }, 1.5, 'must be a whole number'],
    [{ kind: 'number', isInteger: true, minimum: 2 }, 1, 'must be at least 2'],
    [{ kind: 'number', isInteger: true, maximum: 2 }, 3, 'must be at most 2'],
    [{ kind: 'choice', choices: CHOICES }, 'First', 'must be one of its choices'],
    [{ kind: 'choice', choices: CHOICES }, 'a', undefined],
    [{ kind: 'choices', choices: CHOICES }, 'a', 'must be a list of choices'],
    [{ kind: 'choices', choices: CHOICES }, ['c'], 'must have none but its choices'],
    [{ kind: 'choices', choices: CHOICES }, ['a', 'a'], 'must not have the same choice twice'],
    [{ kind: 'choices', choices: CHOICES, minItems: 1 }, [], 'must have at least 1 choices'],
    [{ kind: 'choices', choices: CHOICES, maxItems: 1 }, ['a', 'b'], 'must have at most 1 choices'],
  ])('to %j with %j: %s', (input, value, expected) => {
    expect(answerProblem({ input }, value)).toBe(expected)
  })
})
