import { describe, expect, it } from 'vitest'

import type { FormField } from '../../../../src-shared/form/form-field'
import { groupFields, matchesSearch, pageOrder } from './field-places'

function field(key: string, parts: Partial<FormField> = {}): FormField {
  return {
    key,
    label: key,
    control: 'text',
    format: 'string',
    choices: [],
    required: false,
    secret: false,
    repeated: false,
    target: { place: 'packageArguments', index: 0 },
    ...parts,
  }
}

const keys = (fields: readonly FormField[]) => fields.map(({ key }) => key)
const many = (count: number, parts?: Partial<FormField>) =>
  Array.from({ length: count }, (_, index) => field(`k${index}`, parts))

describe('A3 the groups of a form', () => {
  it('are what is required, options, and options of the runner', () => {
    const runner = { target: { place: 'runtimeArguments', index: 0 } } as const
    const groups = groupFields([
      field('a'),
      field('b', { required: true }),
      field('c', runner),
      field('d', { ...runner, required: true }),
    ])
    expect(keys(groups.required)).toEqual(['b', 'd'])
    expect(keys(groups.options)).toEqual(['a'])
    expect(keys(groups.advanced)).toEqual(['c'])
  })

  it('show up to twelve options, whatever their defaults', () => {
    expect(groupFields(many(12, { default: 'x' })).advanced).toEqual([])
  })

  it('fold away those with a default first, the last ones first, and keep the order', () => {
    const fields = [field('d1', { default: 'x' }), field('d2', { default: 'x' }), ...many(11)]
    expect(keys(groupFields(fields).advanced)).toEqual(['d2'])
    expect(keys(groupFields(fields).options)).toEqual(['d1', ...keys(many(11))])
    const most = groupFields([...fields, field('z1'), field('z2')])
    expect(keys(most.advanced)).toEqual(['d1', 'd2', 'z2'])
  })

  it('hold each field once', () => {
    const fields = [...many(30), field('r', { required: true })]
    expect(keys(pageOrder(groupFields(fields))).toSorted()).toEqual(keys(fields).toSorted())
  })
})

describe('the search of a form', () => {
  const port = field('p', {
    label: 'HTTP port',
    machineName: '--port',
    description: 'Where it listens',
    choices: ['auto'],
  })
  it.each(['', 'port', 'LISTENS http', '--po', 'auto'])('finds by %j', (query) => {
    expect(matchesSearch(port, query)).toBe(true)
  })
  it.each(['ports', 'http x'])('does not find by %j', (query) => {
    expect(matchesSearch(port, query)).toBe(false)
  })
})
