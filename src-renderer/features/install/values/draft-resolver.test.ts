import { describe, expect, it } from 'vitest'

import type { SecretPlace } from '../../../../src-shared/domain/installation/secret-place'
import type { FormField } from '../../../../src-shared/form/form-field'
import { draftResolver } from '../editing/use-install-form'
import { protocolChoice } from './protocol-choice'

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
const resolve = draftResolver({ fields: [KEY], takenNames: [] })

const TEAM: SecretPlace = { kind: 'stored', secretId: 'team' }

function check(place: SecretPlace | null, value: string | null = null) {
  const limits = { install: '', handshake: '', discover: '', call: '', ...protocolChoice() }
  const secrets = { env_API_KEY: place }
  const draft = { name: 'One', cwd: '', ...limits, values: { env_API_KEY: value }, secrets }
  const options = { fields: {}, shouldUseNativeValidation: false }
  return resolve(draft, undefined, options)
}

describe('a required secret', () => {
  it('is there when its field uses a stored secret, and missing when that is taken back', async () => {
    expect(await check(TEAM)).toMatchObject({
      values: { values: {}, secrets: { env_API_KEY: TEAM } },
      errors: {},
    })
    expect(await check(null)).toMatchObject({
      errors: { values: { env_API_KEY: { message: 'Enter a value.' } } },
    })
    expect(await check(null, 'typed')).toMatchObject({
      values: { values: { env_API_KEY: 'typed' }, secrets: {} },
    })
  })
})
