import { describe, expect, it } from 'vitest'

import type {
  ArgumentOrigin,
  CommandPreview,
} from '../../../../src-shared/domain/installation/launch-plan'
import { isUnseen } from './install-subject'

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
    env: [],
    packageName: 'x',
    packageVersion: '1.0.0',
    planHash,
    problems: [],
    warnings: [],
  }
}

const RUN: Item = ['x@1.0.0', 'package']
const shown = command('a', RUN, ['--safe', 'fixed'], ['info', 'default', 'level'])

describe('A5 a command that differs from the one on screen', () => {
  it('may be approved when only what the person typed differs', () => {
    expect(isUnseen(shown, shown)).toBe(false)
    expect(isUnseen(shown, command('b', RUN, ['--safe', 'fixed'], ['debug', 'you', 'level']))).toBe(
      false,
    )
    expect(isUnseen(shown, command('b', RUN, ['--safe', 'fixed'], ['/notes', 'you', 'root']))).toBe(
      false,
    )
  })

  it('has to be read first when anything else came, went or changed', () => {
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
