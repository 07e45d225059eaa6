import { describe, expect, it } from 'vitest'

import type {
  ArgumentOrigin,
  CommandPreview,
  RemotePreview,
} from '../../../../src-shared/domain/installation/launch-plan'
import { addressLine, argvLines, foldDefaults, type Marks, pairLines } from './preview-bodies'

const NO_MARKS: Marks = { live: null, bad: [] }
const consent = { planHash: 'h', problems: [], warnings: [] }
const you = (label: string, fieldKey: string): ArgumentOrigin => ({ kind: 'you', label, fieldKey })
const item = (text: string, origin: ArgumentOrigin, joined = false) => ({
  ...{ text, origin, joined, secret: text === '••••••••' },
})

const PREVIEW: CommandPreview = {
  kind: 'command',
  command: 'npx',
  args: [
    item('-y', { kind: 'runner', label: 'Runner' }),
    item('--root', you('Folders 1', 'root')),
    item('/a', you('Folders 1', 'root'), true),
    item('--root', you('Folders 2', 'root')),
    item('/b', you('Folders 2', 'root'), true),
    item('••••••••', you('Token', 'token')),
  ],
  env: [],
  packageName: 'x',
  ...consent,
}

describe('D3: lines of a command', () => {
  it('show memory as the source of a saved secret without a keychain', () => {
    const origin: ArgumentOrigin = { kind: 'keychain', label: 'Key' }
    const env = [{ name: 'KEY', text: '••••••••', secret: true, origin }]
    const [inMemory] = pairLines(env, '=', { ...NO_MARKS, secretsInMemory: true })
    expect(inMemory).toMatchObject({ lead: 'KEY=', origin: 'memory', secret: true })
    expect(pairLines(env, '=', NO_MARKS)).toMatchObject([{ origin: 'keychain' }])
  })

  it('join a flag to its value, with the field at the flag and the source at the value', () => {
    const lines = argvLines(PREVIEW, NO_MARKS)
    expect(lines.map(({ text, origin, joinsNext }) => [text, origin, joinsNext])).toEqual([
      ['npx', 'runner', undefined],
      ['-y', 'runner', false],
      ['--root', 'Folders 1', true],
      ['/a', 'you', false],
      ['--root', 'Folders 2', true],
      ['/b', 'you', false],
      ['••••••••', 'you', false],
    ])
  })

  it("highlight only one entry's lines, and mark problems over focus", () => {
    const lines = argvLines(PREVIEW, {
      live: { fieldKey: 'root', entry: 0 },
      bad: [{ fieldKey: 'root', entry: 1 }, { fieldKey: 'token' }],
    })
    const plain = undefined
    const states = [plain, plain, 'live', 'live', 'bad', 'bad', 'bad']
    expect(lines.map(({ state }) => state)).toEqual(states)
  })

  it('highlight every line of a field as a whole', () => {
    const lines = argvLines(PREVIEW, { live: { fieldKey: 'root' }, bad: [] })
    expect(lines.filter(({ state }) => state === 'live')).toHaveLength(4)
  })

  it('fold the defaults of a long environment, except the focused one', () => {
    const named = (name: string, origin: ArgumentOrigin) => ({
      ...{ name, text: 'x', secret: false },
      origin: { ...origin, fieldKey: name },
    })
    const leadsOf = (defaults: number, live: string | null) => {
      const env = [
        named('MINE', you('Mine', 'MINE')),
        named('SET', { kind: 'fixed', label: 'default' }),
        ...Array.from({ length: defaults }, (_, at) =>
          named(`D${String(at)}`, { kind: 'default', label: 'D' }),
        ),
      ]
      const marks = { live: live === null ? null : { fieldKey: live }, bad: [] }
      const { shown, folded } = foldDefaults({ env }, pairLines(env, '=', marks))
      return [shown.map(({ lead }) => lead), folded]
    }
    expect(leadsOf(26, null)).toEqual([['MINE=', 'SET='], 26])
    expect(leadsOf(26, 'D3')).toEqual([['MINE=', 'SET=', 'D3='], 25])
    expect(leadsOf(5, null)).toEqual([expect.objectContaining({ length: 7 }), 0])
  })
})

describe('D3: lines of a remote connection', () => {
  const preview: RemotePreview = {
    kind: 'remote',
    type: 'sse',
    url: {
      ...{ text: 'https://host.invalid/a?key=••••••••', secret: true },
      origin: you('Tenant', 'url_url_tenant'),
    },
    headers: [
      {
        ...{ name: 'Authorization', text: 'Bearer ••••••••', secret: true },
        origin: { kind: 'keychain', label: 'Token', fieldKey: 'head_token' },
      },
    ],
    ...consent,
  }
  const marks = { live: { fieldKey: 'url_url_tenant' }, bad: [{ fieldKey: 'head_token' }] }

  it('show the address with its source', () => {
    const { text } = preview.url
    const line = { text, secret: false, origin: 'you', mine: true, state: 'live' }
    expect(addressLine(preview, marks)).toEqual(line)
  })

  it('show each header', () => {
    expect(pairLines(preview.headers, ': ', marks)).toMatchObject([
      { lead: 'Authorization: ', origin: 'keychain', secret: true, state: 'bad' },
    ])
  })
})
