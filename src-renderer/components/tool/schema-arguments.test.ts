import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { schemaArguments } from './list/tool-detail'

describe('arguments of a tool', () => {
  it('list type, requirement, description and choices, required ones first', () => {
    const schema = {
      type: 'object',
      required: ['paths'],
      properties: {
        mode: { enum: ['fast', 2], description: 'How' },
        size: { type: ['number', 'null'] },
        either: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }] },
        paths: { type: 'array', items: { type: 'string' } },
      },
    }
    expect(
      schemaArguments(schema).map(({ name, type, required }) => [name, type, required]),
    ).toEqual([
      ['paths', 'list of string', true],
      ['mode', 'choice', false],
      ['size', 'number or null', false],
      ['either', 'string or list of integer', false],
    ])
    expect(schemaArguments(schema)[1]).toMatchObject({ description: 'How', choices: ['fast', '2'] })
  })

  it('are read from any value without an error', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void schemaArguments(value)))
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (properties) => {
        const names = schemaArguments({ properties }).map(({ name }) => name)
        expect(names).toEqual(Object.keys(properties))
      }),
    )
  })
})
