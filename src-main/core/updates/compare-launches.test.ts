import { describe, expect, it } from 'vitest'

import type {
  CommandPreview,
  LaunchPreview,
} from '../../../src-shared/domain/installation/launch-plan'
import { compareLaunches } from './review-update'

const origin = { kind: 'you', label: 'x' } as const
const command = (args: string[], env: Record<string, string> = {}): CommandPreview => ({
  kind: 'command',
  command: 'npx',
  args: args.map((text) => ({ text, secret: false, joined: false, origin })),
  env: Object.entries(env).map(([name, text]) => ({ name, text, secret: false, origin })),
  packageName: 'x',
  planHash: '',
  problems: [],
  warnings: [],
})
const read = (before: LaunchPreview, after: LaunchPreview) => {
  const sign = { same: ' ', added: '+', removed: '-' } as const
  const { command: lines, pairs } = compareLaunches({ preview: before }, { preview: after })
  return [lines, pairs].map((part) => part.map(({ kind, text }) => `${sign[kind]}${text}`))
}

describe('E9: changes of an update', () => {
  it('lists argv items in order and the environment by name', () => {
    const before = command(['-y', 'x@1.0.0', '--port', '80'], { B: '1', A: '••••••••' })
    const after = command(['-y', 'x@2.0.0', '--port', '80', '--safe'], { A: '••••••••', C: '2' })
    expect(read(before, after)).toEqual([
      [' npx', ' -y', '-x@1.0.0', '+x@2.0.0', ' --port', ' 80', '+--safe'],
      [' A=••••••••', '-B=1', '+C=2'],
    ])
  })

  it('shows a package that becomes a remote as a complete change', () => {
    const remote: LaunchPreview = {
      kind: 'remote',
      type: 'sse',
      url: { text: 'https://a.example/sse', secret: false, origin },
      headers: [{ name: 'X-Key', text: '••••••••', secret: true, origin }],
      planHash: '',
      problems: [],
      warnings: [],
    }
    expect(read(command(['-y']), remote)).toEqual([
      ['-npx', '--y', '+sse https://a.example/sse'],
      ['+X-Key: ••••••••'],
    ])
  })

  it("treats a bundle's folder as unchanged, whatever its name", () => {
    const [old, next] = ['/b/1', '/b/2'].map((folder) => ({
      preview: command([`${folder}/main.js`, '/b/1'], { ROOT: folder }),
      folder,
    }))
    if (old === undefined || next === undefined) throw new Error('no launches')
    const changes = compareLaunches(old, next)
    expect(changes.command.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'same npx',
      'same <bundle>/main.js',
      'removed <bundle>',
      'added /b/1',
    ])
    expect(changes.pairs).toEqual([{ kind: 'same', text: 'ROOT=<bundle>' }])
  })
})
