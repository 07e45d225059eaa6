import { describe, expect, it } from 'vitest'

import type { OpenedInstallation } from '../../../../src-shared/domain/installation/installation'
import type { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'
import { toServerJson } from '../../../../src-shared/form/custom-server'
import { madeOf } from '../values/hand-places'
import { channelOf, newCustomServer, subjectOf } from './install-subject'

const { server, ref } = toServerJson({
  kind: 'command',
  command: 'node',
  args: [[{ kind: 'text', text: '--key' }], [{ kind: 'secret', secret: 's' }]],
  env: [{ name: 'TEAM', value: [{ kind: 'stored', secretId: 'team' }] }],
})
const INSTALLED = {
  installationId: 'one',
  source: 'hand',
  server,
  offer: ref,
  name: 'Mine',
  values: {},
  secrets: { arg_key: { kind: 'own' }, env_TEAM: { kind: 'stored', secretId: 'team' } },
  budgets: { callMs: 5_000 },
  cwd: '/srv',
  revision: 'r',
} as unknown as OpenedInstallation

function previewOf(planHash: string, warnings: string[] = []): LaunchPreview {
  const command = { command: planHash, args: [], env: [], packageName: 'p' }
  return { kind: 'command', ...command, planHash, problems: [], warnings }
}

describe('the form of a server made by hand', () => {
  it('asks another copy for its own secrets, and keeps stored ones, folder and limits', () => {
    const { parts, ...rest } = newCustomServer('Mine 2', INSTALLED)
    expect(rest).toMatchObject({ name: 'Mine 2', cwd: '/srv', budgets: { callMs: 5_000 } })
    expect(madeOf(parts)).toMatchObject({
      args: [[{ text: '--key' }], [{ kind: 'secret', secret: '' }]],
      env: [{ value: [{ kind: 'stored', secretId: 'team' }] }],
    })
  })

  it('begins with nothing of a server that was not made by hand', () => {
    const { parts } = newCustomServer('Mine', { ...INSTALLED, source: 'pasted' })
    expect(madeOf(parts)).toEqual({ kind: 'command', command: '', args: [], env: [] })
  })

  it('finds the place of a field, also after its server was saved', () => {
    const subject = subjectOf(INSTALLED)
    if (subject === undefined) throw new Error('nothing to run')
    const { spotOf } = channelOf(subject)
    expect([spotOf('arg_key'), spotOf('env_TEAM'), spotOf('gone')]).toEqual([
      'args.1',
      'env.0.value',
      undefined,
    ])
  })

  it('asks to read again only a warning that was not on screen', () => {
    const { notificationsIn } = channelOf(newCustomServer(''))
    expect(notificationsIn(previewOf('a', ['w']), previewOf('b', ['w']))).toBeNull()
    expect(notificationsIn(null, previewOf('b'))).toBeNull()
    expect(notificationsIn(previewOf('a'), previewOf('b', ['w']))).toMatchObject({
      code: 'CONSENT_REQUIRED',
    })
  })
})
