import { describe, expect, it } from 'vitest'

import type {
  ArgumentOrigin,
  CommandPreview,
} from '../../../../src-shared/domain/installation/launch-plan'
import { argvJson, argvLines, environmentLines, foldDefaults } from './argv-lines'

const RUNNER: ArgumentOrigin = { kind: 'runner', label: 'Runner' }
const you = (label: string, fieldKey: string): ArgumentOrigin => ({ kind: 'you', label, fieldKey })

const PREVIEW: CommandPreview = {
  kind: 'command',
  command: 'npx',
  args: [
    { text: '-y', secret: false, joined: false, origin: RUNNER },
    { text: '--root', secret: false, joined: false, origin: you('Folders 1', 'root') },
    { text: '/a', secret: false, joined: true, origin: you('Folders 1', 'root') },
    { text: '--root', secret: false, joined: false, origin: you('Folders 2', 'root') },
    { text: '/b', secret: false, joined: true, origin: you('Folders 2', 'root') },
    { text: '••••••••', secret: true, joined: false, origin: you('Token', 'token') },
  ],
  env: [
    { name: 'LEVEL', text: 'info', secret: false, origin: { kind: 'default', label: 'Level' } },
  ],
  packageName: 'x',
  planHash: 'h',
  problems: [],
  warnings: [],
}

describe('D3 the command line by line', () => {
  it('says that a saved secret comes from memory where there is no keychain', () => {
    const origin: ArgumentOrigin = { kind: 'keychain', label: 'Key' }
    const env = [{ name: 'KEY', text: '••••••••', secret: true, origin }]
    const originsOf = (secretsInMemory: boolean): string[] =>
      environmentLines({ ...PREVIEW, env }, { live: null, bad: [], secretsInMemory }).map(
        (line) => line.origin,
      )
    expect(originsOf(true)).toEqual(['memory'])
    expect(originsOf(false)).toEqual(['keychain'])
  })

  it('joins a flag to its value and names the field at the flag, the source at the value', () => {
    const lines = argvLines(PREVIEW, { live: null, bad: [] })
    expect(lines.map(({ text }) => text)).toEqual([
      'npx',
      '-y',
      '--root',
      '/a',
      '--root',
      '/b',
      '••••••••',
    ])
    expect(lines.map(({ joinsNext }) => joinsNext)).toEqual([
      false,
      false,
      true,
      false,
      true,
      false,
      false,
    ])
    expect(lines.map(({ origin }) => origin)).toEqual([
      'runner',
      'runner',
      'Folders 1',
      'you',
      'Folders 2',
      'you',
      'you',
    ])
  })

  it('lights the lines of one entry only, and a fault wins over the focus', () => {
    const lines = argvLines(PREVIEW, {
      live: { fieldKey: 'root', entry: 0 },
      bad: [{ fieldKey: 'root', entry: 1 }, { fieldKey: 'token' }],
    })
    expect(lines.map(({ state }) => state)).toEqual([
      'plain',
      'plain',
      'live',
      'live',
      'bad',
      'bad',
      'bad',
    ])
  })

  it('lights every line of a field as a whole', () => {
    const lines = argvLines(PREVIEW, { live: { fieldKey: 'root' }, bad: [] })
    expect(lines.filter(({ state }) => state === 'live')).toHaveLength(4)
  })

  it('folds the defaults of a long environment, but for the one that the person is at', () => {
    const named = (name: string, origin: ArgumentOrigin) => ({
      ...{ name, text: 'x', secret: false },
      origin: { ...origin, fieldKey: name },
    })
    const envOf = (defaults: number) => [
      named('MINE', you('Mine', 'MINE')),
      named('SET', { kind: 'fixed', label: 'default' }),
      ...Array.from({ length: defaults }, (_, at) =>
        named(`D${String(at)}`, { kind: 'default', label: 'D' }),
      ),
    ]
    const leadsOf = (defaults: number, live: string | null) => {
      const preview = { ...PREVIEW, env: envOf(defaults) }
      const marks = { live: live === null ? null : { fieldKey: live }, bad: [] }
      const { shown, folded } = foldDefaults(preview, environmentLines(preview, marks))
      return [shown.map(({ lead }) => lead), folded]
    }
    expect(leadsOf(26, null)).toEqual([['MINE=', 'SET='], 26])
    expect(leadsOf(26, 'D3')).toEqual([['MINE=', 'SET=', 'D3='], 25])
    expect(leadsOf(5, null)).toEqual([expect.objectContaining({ length: 7 }), 0])
  })

  it('shows variables with their name in front, and copies the command with its masks', () => {
    expect(environmentLines(PREVIEW, { live: null, bad: [] })).toMatchObject([
      { lead: 'LEVEL=', text: 'info', origin: 'default' },
    ])
    expect(JSON.parse(argvJson(PREVIEW))).toEqual([
      'npx',
      '-y',
      '--root',
      '/a',
      '--root',
      '/b',
      '••••••••',
    ])
  })
})
