import { describe, expect, it } from 'vitest'

import { toFormFields } from '../../../../src-shared/form/to-form-fields'
import { listOf } from './field-context'

function fieldOf(isRepeated: boolean) {
  const [field] = toFormFields({
    ...{ registryType: 'npm', identifier: 'thing', transport: { type: 'stdio' } },
    ...{ runtimeArguments: [], environmentVariables: [] },
    packageArguments: [
      { type: 'named', name: '--root', description: 'd', default: '/a,/b', isRepeated },
    ],
  })
  if (!field) throw new Error('there is no field')
  return field
}

describe('A4: entries of a list', () => {
  it('come from the default of a repeated input', () => {
    expect(listOf({ field: fieldOf(true), value: null })).toEqual(['/a', '/b'])
    expect(listOf({ field: fieldOf(false), value: null })).toEqual(['/a,/b'])
  })

  it('are the saved value, whatever commas it contains', () => {
    expect(listOf({ field: fieldOf(true), value: 'a,b' })).toEqual(['a,b'])
    expect(listOf({ field: fieldOf(true), value: ['a,b', 'c'] })).toEqual(['a,b', 'c'])
  })
})
