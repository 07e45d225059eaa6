import { describe, expect, it } from 'vitest'

import type { FormField } from '../../../../src-shared/form/form-field'
import { draftResolver } from './draft-resolver'

const KEY: FormField = {
  key: 'env_API_KEY',
  label: 'API key',
  control: 'text',
  format: 'string',
  choices: [],
  required: true,
  secret: true,
  repeated: false,
  target: { place: 'environmentVariables', index: 0 },
}
const resolve = draftResolver({ fields: [KEY], savedSecrets: [], takenNames: [] })

function check(shared: Record<string, string | null>, value: string | null = null) {
  const limits = { install: '', handshake: '', discover: '', request: '' }
  const draft = { name: 'One', cwd: '', ...limits, values: { env_API_KEY: value }, shared }
  const options = { fields: {}, shouldUseNativeValidation: false }
  return resolve(draft, undefined, options)
}

describe('a required secret', () => {
  it('is there when its field uses a stored secret, and missing when that is taken back', async () => {
    expect(await check({ env_API_KEY: 'team' })).toMatchObject({
      values: { values: {}, sharedSecrets: { env_API_KEY: 'team' } },
      errors: {},
    })
    expect(await check({ env_API_KEY: null })).toMatchObject({
      errors: { values: { env_API_KEY: { message: 'Enter a value.' } } },
    })
    expect(await check({ env_API_KEY: null }, 'typed')).toMatchObject({
      values: { values: { env_API_KEY: 'typed' }, sharedSecrets: {} },
    })
  })
})
