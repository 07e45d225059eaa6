import { describe, expect, it } from 'vitest'

import { memoryBackend } from '../../secrets/memory-backend'
import { heldBy, movedRefs, movedSecrets } from './move-secrets'

const refs = {
  installationId: 'a',
  secretKeys: ['run_key', 'run_other', 'run_gone'],
  sharedSecrets: { run_team: 'team', run_other: 'team', run_left: 'left' },
}
const MOVES = [
  { from: 'run_key', to: 'arg_key' },
  { from: 'run_team', to: 'arg_team' },
  { from: 'run_other', to: 'arg_other' },
]

describe('secrets whose fields have other keys in another version', () => {
  it('are all carried: own ones and references', () => {
    expect(heldBy(refs).secretKeys).toEqual([
      'run_key',
      'run_other',
      'run_gone',
      'run_team',
      'run_left',
    ])
    expect(movedRefs(refs, MOVES)).toEqual({
      secretKeys: ['arg_key'],
      sharedSecrets: { arg_team: 'team', arg_other: 'team' },
    })
  })

  it('move in the secret store when they are own ones, and what has no place is deleted', async () => {
    const secrets = memoryBackend()
    for (const key of refs.secretKeys) await secrets.set(`a/${key}`, `value of ${key}`)
    const changes = await movedSecrets(secrets, refs, [...MOVES, { from: 'x', to: 'y' }])
    expect(Object.fromEntries(changes)).toEqual({
      'a/run_key': null,
      'a/run_other': null,
      'a/run_gone': null,
      'a/arg_key': 'value of run_key',
    })
    const stays = await movedSecrets(secrets, refs, [{ from: 'run_key', to: 'run_key' }])
    expect(Object.fromEntries(stays)).toEqual({ 'a/run_other': null, 'a/run_gone': null })
  })
})
