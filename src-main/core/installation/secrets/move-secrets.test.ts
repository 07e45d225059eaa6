import { describe, expect, it } from 'vitest'

import {
  OWN_PLACE,
  type SecretPlace,
} from '../../../../src-shared/domain/installation/secret-place'
import { memoryBackend } from '../../secrets/secret-vault'
import { movedPlaces, movedSecrets, sourcesOf } from './move-secrets'

const TEAM: SecretPlace = { kind: 'stored', secretId: 'team' }
const before = {
  installationId: 'a',
  secrets: { run_key: OWN_PLACE, run_gone: OWN_PLACE, run_team: TEAM, run_left: TEAM },
}
const MOVES = [
  { from: 'run_key', to: 'arg_key' },
  { from: 'run_team', to: 'arg_team' },
  { from: 'constructor', to: 'arg_other' },
]

async function changesOf(moves = MOVES, typed = new Map<string, string>()): Promise<unknown> {
  const backend = memoryBackend()
  for (const key of ['run_key', 'run_gone']) await backend.set(`a/${key}`, `value of ${key}`)
  const secrets = movedPlaces(before.secrets, moves)
  const move = { secrets, sources: sourcesOf(before, secrets, moves), typed }
  return Object.fromEntries(await movedSecrets(backend, before, move))
}

describe('secrets whose fields have other keys in another version', () => {
  it('are all moved: own ones and references', () => {
    expect(movedPlaces(before.secrets, MOVES)).toEqual({ arg_key: OWN_PLACE, arg_team: TEAM })
  })

  it('move in the secret store if own, and are deleted without a field', async () => {
    expect(await changesOf()).toEqual({
      'a/run_key': null,
      'a/run_gone': null,
      'a/arg_key': 'value of run_key',
    })
    expect(await changesOf([{ from: 'run_key', to: 'run_key' }])).toEqual({ 'a/run_gone': null })
  })

  it('are overridden by typed values', async () => {
    expect(await changesOf(MOVES, new Map([['arg_key', 'typed']]))).toEqual({
      'a/run_key': null,
      'a/run_gone': null,
      'a/arg_key': 'typed',
    })
  })
})
