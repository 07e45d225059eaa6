import { beforeEach, describe, expect, it } from 'vitest'

import { KeyedServers } from '../../../../e2e/fixtures/keyed-servers'
import {
  OWN_PLACE,
  type SecretPlaces,
} from '../../../../src-shared/domain/installation/secret-place'
import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import { buildLaunchPlan } from '../../launch/building/build-launch-plan'
import { planHash } from '../../launch/building/launch-preview'
import { copyCommand } from '../copy-command'
import { offerOf } from '../installation-service'

const TWO = ['Cookie: a,b', ' "quoted" %20 ']

let servers: KeyedServers
let id: string
beforeEach(async () => {
  servers = new KeyedServers()
  id = await servers.install('One', { values: { env_API_KEY: 'key', arg_header: TWO } })
})

async function argsOf(): Promise<readonly string[]> {
  const found = servers.service.read(id)
  const plan = buildLaunchPlan(
    offerOf(found),
    found.values,
    await servers.service.readSecrets(found),
  )
  if (plan.kind !== 'command') throw new Error('a package runs a command')
  return plan.args
    .map(({ value }) => value)
    .filter((text) => text.startsWith('--header') || TWO.includes(text))
}

const preview = (values: FieldValues, places: SecretPlaces) =>
  servers.service.preview(offerOf(servers.service.read(id)), values, places)

describe('A4: a repeated secret', () => {
  it('accepts several values, each passed unchanged after its own flag', async () => {
    expect(await argsOf()).toEqual(['--header', TWO[0], '--header', TWO[1]])
    servers.reopen()
    expect(await argsOf()).toEqual(['--header', TWO[0], '--header', TWO[1]])
  })

  it('is stored only in the keychain', () => {
    expect(JSON.stringify(servers.disk.document)).not.toContain('Cookie')
    expect(servers.service.read(id).secrets.arg_header).toEqual({ kind: 'own', count: 2 })
  })

  it('is approved with its number of values, typed or saved', async () => {
    const found = servers.service.read(id)
    const typed = preview({ env_API_KEY: 'key', arg_header: TWO }, {})
    const saved = preview(found.values, found.secrets)
    const plan = buildLaunchPlan(
      offerOf(found),
      found.values,
      await servers.service.readSecrets(found),
    )
    const folder = servers.service.folderOf(offerOf(found))
    expect([saved.planHash, planHash(plan, folder)]).toEqual([typed.planHash, typed.planHash])
    const three = preview({ env_API_KEY: 'key', arg_header: [...TWO, 'X: 3'] }, {})
    expect(three.planHash).not.toBe(typed.planHash)
  })

  it('with one value is stored as typed, ignoring empty entries', async () => {
    await servers.update(id, 'One', { values: { arg_header: ['', 'X: 1', ' '] } })
    expect(servers.keychain.held.get(`${id}/arg_header`)).toBe('X: 1')
    expect(servers.service.read(id).secrets.arg_header).toEqual(OWN_PLACE)
  })

  it('is deleted if every entry is emptied', async () => {
    await servers.update(id, 'One', { values: { arg_header: ['', ''] } })
    expect(servers.keychain.held.has(`${id}/arg_header`)).toBe(false)
    expect(servers.service.read(id).secrets.arg_header).toBeUndefined()
  })

  it('is requested again if the keychain has another number of values', async () => {
    expect(await servers.problemsOf(id)).toEqual([])
    await servers.keychain.set(`${id}/arg_header`, 'X: 1')
    expect(await servers.problemsOf(id)).toMatchObject([{ fieldKey: 'arg_header' }])
  })

  it('is copied as one variable per value', () => {
    const found = servers.service.read(id)
    const copied = copyCommand(
      { offer: offerOf(found), values: {}, secrets: found.secrets },
      'posix',
    )
    expect(copied.variables).toEqual(['HEADER', 'HEADER_2', 'API_KEY'])
  })
})
