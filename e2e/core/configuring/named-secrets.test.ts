import { createHash } from 'node:crypto'

import { afterEach, describe, expect, it } from 'vitest'

import type { Keychain } from '../../../src-main/core/ports'
import { memoryBackend } from '../../../src-main/core/secrets/secret-vault'
import type { AppNotice } from '../../../src-shared/domain/state/app-state'
import { fixtureServer } from '../../fixtures/fixture-server'
import { type Harness, Harnesses } from '../../fixtures/harness'

const harnesses = new Harnesses()
afterEach(() => harnesses.closeAll())

const VALUE = 'value-of-before'
const HASH = createHash('sha256').update(VALUE).digest('hex').slice(0, 12)
const KEYED = fixtureServer('keyed.mjs', {
  environmentVariables: [{ name: 'API_KEY', isRequired: true }],
})

/** A settings file of before this name was known: the value stands in it, and starts with the app. */
async function documentOfBefore(): Promise<{ document: unknown; installationId: string }> {
  const memory = { document: null as unknown, secrets: memoryBackend() }
  const harness = harnesses.open(memory)
  const entry = await harness.paste(KEYED)
  const installationId = await harness.setUp(entry, {
    name: 'Keyed',
    values: { env_API_KEY: VALUE },
    start: false,
  })
  await harnesses.closeAll()
  const { installations, ...rest } = memory.document as { installations: object[] }
  const old = installations.map((one) => {
    const bare: unknown = JSON.parse(JSON.stringify(one), (key, value: unknown) =>
      key === 'isSecret' ? undefined : value,
    )
    return { ...(bare as object), enabled: true, values: { env_API_KEY: VALUE }, secrets: {} }
  })
  return { document: { ...rest, installations: old }, installationId }
}

const noticesOf = async (harness: Harness): Promise<AppNotice[]> =>
  (await harness.call('app.snapshot', {})).notices

describe('A2 a profile of before with a value that is a secret now', () => {
  it('starts its servers with the value from the keychain, still approved', async () => {
    const { document, installationId } = await documentOfBefore()
    const memory = { document, secrets: memoryBackend() }
    const harness = harnesses.open(memory)
    await harness.until(installationId, 'ready')
    await expect.poll(() => harness.log(installationId)).toContain(`key ${HASH}`)
    expect((await harness.log(installationId)).join('\n')).not.toContain(VALUE)
    expect(JSON.stringify(memory.document)).not.toContain(VALUE)
    expect(await memory.secrets.get(`${installationId}/env_API_KEY`)).toBe(VALUE)
    expect(await noticesOf(harness)).toMatchObject([
      { message: 'The settings file no longer contains API_KEY (Keyed).' },
    ])
  })

  it('starts its servers as before where there is no keychain, with the value masked in the log', async () => {
    const { document, installationId } = await documentOfBefore()
    const broken: Keychain = { ...memoryBackend(), set: () => Promise.reject(new Error('locked')) }
    const memory = { document, secrets: broken }
    const harness = harnesses.open(memory)
    await harness.until(installationId, 'ready')
    await expect.poll(() => harness.log(installationId)).toContain(`key ${HASH}`)
    expect((await harness.log(installationId)).join('\n')).not.toContain(VALUE)
    expect(JSON.stringify(memory.document)).toContain(VALUE)
    expect(await noticesOf(harness)).toEqual([])
  })
})
