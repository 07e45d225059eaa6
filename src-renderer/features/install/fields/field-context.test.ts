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

describe('A4 the entries of a list', () => {
  it('are those of the default where the input is repeated', () => {
    expect(listOf({ field: fieldOf(true), value: null })).toEqual(['/a', '/b'])
    expect(listOf({ field: fieldOf(false), value: null })).toEqual(['/a,/b'])
  })

  it('are what was saved, whatever its commas', () => {
    expect(listOf({ field: fieldOf(true), value: 'a,b' })).toEqual(['a,b'])
    expect(listOf({ field: fieldOf(true), value: ['a,b', 'c'] })).toEqual(['a,b', 'c'])
  })
})
