import { describe, expect, it } from 'vitest'

import type { OpenedInstallation } from '../../../../src-shared/domain/installation/installation'
import type {
  ArgumentOrigin,
  CommandPreview,
} from '../../../../src-shared/domain/installation/launch-plan'
import { toServerJson } from '../../../../src-shared/form/custom-server'
import { customServerOf } from '../values/custom-server-controls'
import { channelOf, isUnseen, isWebAddress, newCustomServer, subjectOf } from './install-subject'

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

describe('form of a custom server', () => {
  it('requires new secrets for another copy, and keeps shared secrets, folder and limits', () => {
    const { parts, ...rest } = newCustomServer('Mine 2', INSTALLED)
    expect(rest).toMatchObject({ name: 'Mine 2', cwd: '/srv', budgets: { callMs: 5_000 } })
    expect(customServerOf(parts)).toMatchObject({
      args: [[{ text: '--key' }], [{ kind: 'secret', secret: '' }]],
      env: [{ value: [{ kind: 'stored', secretId: 'team' }] }],
    })
  })

  it('starts empty if the original server comes from a registry', () => {
    const { parts } = newCustomServer('Mine', { ...INSTALLED, source: 'pasted' })
    expect(customServerOf(parts)).toEqual({ kind: 'command', command: '', args: [], env: [] })
  })

  it('finds the place of a field, even for a saved server', () => {
    const subject = subjectOf(INSTALLED)
    if (subject === undefined) throw new Error('nothing to run')
    const { fieldPathOf } = channelOf(subject)
    expect([fieldPathOf('arg_key'), fieldPathOf('env_TEAM'), fieldPathOf('gone')]).toEqual([
      'args.1',
      'env.0.value',
      undefined,
    ])
  })

  it('requires a review only for a warning that was not shown', () => {
    const { reviewReason } = channelOf(newCustomServer(''))
    const warned = (planHash: string) => ({ ...command(planHash), warnings: ['w'] })
    expect(reviewReason(warned('a'), warned('b'))).toBeNull()
    expect(reviewReason(null, command('b'))).toBeNull()
    expect(reviewReason(command('a'), warned('b'))).toMatchObject({
      code: 'CONSENT_REQUIRED',
    })
  })
})

type Item = readonly [text: string, kind: ArgumentOrigin['kind'], fieldKey?: string]

function command(planHash: string, ...items: readonly Item[]): CommandPreview {
  return {
    kind: 'command',
    command: 'npx',
    args: items.map(([text, kind, fieldKey]) => ({
      text,
      secret: false,
      joined: false,
      origin: { kind, label: kind, ...(fieldKey === undefined ? {} : { fieldKey }) },
    })),
    ...{ env: [], packageName: 'x', packageVersion: '1.0.0', planHash, problems: [], warnings: [] },
  }
}

const RUN: Item = ['x@1.0.0', 'package']
const shown = command('a', RUN, ['--safe', 'fixed'], ['info', 'default', 'level'])

describe('A5: command that differs from the shown one', () => {
  it("can be approved if only the user's own input differs", () => {
    expect(isUnseen(shown, shown)).toBe(false)
    expect(isUnseen(shown, command('b', RUN, ['--safe', 'fixed'], ['debug', 'you', 'level']))).toBe(
      false,
    )
    expect(isUnseen(shown, command('b', RUN, ['--safe', 'fixed'], ['/notes', 'you', 'root']))).toBe(
      false,
    )
  })

  it('needs a review if anything else was added, removed or changed', () => {
    const level: Item = ['info', 'default', 'level']
    expect(isUnseen(null, shown)).toBe(true)
    expect(isUnseen(shown, command('b', ['x@2.0.0', 'package'], ['--safe', 'fixed'], level))).toBe(
      true,
    )
    expect(isUnseen(shown, command('b', RUN, level))).toBe(true)
    expect(
      isUnseen(shown, command('b', RUN, ['--safe', 'fixed'], ['all', 'default', 'level'])),
    ).toBe(true)
    expect(isUnseen(shown, { ...shown, planHash: 'b', command: 'bunx' })).toBe(true)
    expect(isUnseen(shown, { ...shown, planHash: 'b', cwd: '/' })).toBe(true)
    const env: CommandPreview['env'] = [
      { name: 'HOST', text: 'x', secret: false, origin: { kind: 'fixed', label: 'Host' } },
    ]
    expect(isUnseen(shown, { ...shown, planHash: 'b', env })).toBe(true)
  })
})

it.each(['https://acme.example/mcp', 'http://localhost:8790/mcp/'])(
  'accepts %s as a proposed address',
  (address) => {
    expect(isWebAddress(address)).toBe(true)
  },
)

it.each([
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https://name:key@acme.example/mcp',
  'https://acme.example/mcp?key=1',
  'https://acme.example/mcp#key',
  'no address',
  `https://acme.example/${'a'.repeat(3_000)}`,
])('rejects %s as a proposed address', (address) => {
  expect(isWebAddress(address)).toBe(false)
})
