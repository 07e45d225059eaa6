import { describe, expect, it } from 'vitest'

import { OWN_PLACE } from '../domain/installation/secret-place'
import type { Offer } from '../domain/server-json/offer'
import type {
  KeyValueInput,
  NamedArgument,
  Package,
  PositionalArgument,
} from '../domain/server-json/server-json'
import { carryOver } from './carry-over'

const named = (name: string, rest: Partial<NamedArgument> = {}): NamedArgument => ({
  type: 'named',
  name,
  description: 'x',
  ...rest,
})
const positional = (valueHint: string, rest: Partial<PositionalArgument> = {}) =>
  ({ type: 'positional', valueHint, ...rest }) as const
const variable = (name: string, rest: Partial<KeyValueInput> = {}): KeyValueInput => ({
  name,
  ...rest,
})

function pkg(parts: Partial<Package>): Offer {
  return {
    kind: 'package',
    pkg: {
      registryType: 'npm',
      identifier: 'x',
      version: '1.0.0',
      transport: { type: 'stdio' },
      runtimeArguments: [],
      packageArguments: [],
      environmentVariables: [],
      ...parts,
    },
  }
}

describe('values of one version in another', () => {
  it('move by name, whatever the order, and when an option moves to the other arguments', () => {
    const from = pkg({
      runtimeArguments: [named('--verbose', { format: 'boolean' })],
      packageArguments: [named('--port'), positional('folder', { isRepeated: true })],
      environmentVariables: [variable('LEVEL')],
    })
    const to = pkg({
      packageArguments: [
        positional('folder', { isRepeated: true }),
        named('--verbose', { format: 'boolean' }),
        named('--port'),
      ],
      environmentVariables: [variable('REGION'), variable('LEVEL')],
    })
    const values = {
      run_verbose: 'true',
      arg_port: '80',
      arg_folder: ['/a', '/b'],
      env_LEVEL: 'debug',
    }
    expect(carryOver(from, to, { values, secrets: {} })).toEqual({
      values: { arg_verbose: 'true', arg_port: '80', arg_folder: ['/a', '/b'], env_LEVEL: 'debug' },
      secrets: [],
      dropped: [],
      added: ['env_REGION'],
    })
  })

  it('stay cleared if cleared, and take the new default if untouched', () => {
    const from = pkg({ packageArguments: [named('--a', { default: '1' }), named('--b')] })
    const to = pkg({
      packageArguments: [named('--a', { default: '2' }), named('--b', { default: '3' })],
    })
    expect(carryOver(from, to, { values: { arg_b: '' }, secrets: {} }).values).toEqual({
      arg_b: '',
    })
  })

  it('are named with their text if they have no place, secrets without it; a plain one may become secret', () => {
    const from = pkg({
      packageArguments: [named('--old'), named('--key', { isSecret: true })],
      environmentVariables: [variable('TOKEN')],
    })
    const to = pkg({ environmentVariables: [variable('TOKEN', { isSecret: true })] })
    const held = { values: { arg_old: 'a,b', env_TOKEN: 't' }, secrets: { arg_key: OWN_PLACE } }
    expect(carryOver(from, to, held)).toEqual({
      values: { env_TOKEN: 't' },
      secrets: [],
      dropped: [
        { label: 'Old', machineName: '--old', reason: 'gone', value: 'a,b' },
        { label: 'Key', machineName: '--key', reason: 'gone', value: undefined },
      ],
      added: [],
    })
  })

  it('move a saved secret to the field of its name only if that is secret too', () => {
    const from = pkg({ runtimeArguments: [named('--key', { isSecret: true })] })
    const held = { values: {}, secrets: { run_key: OWN_PLACE } }
    const secretStill = pkg({ packageArguments: [named('--key', { isSecret: true })] })
    expect(carryOver(from, secretStill, held).secrets).toEqual([{ from: 'run_key', to: 'arg_key' }])
    const plain = pkg({ packageArguments: [named('--key')] })
    expect(carryOver(from, plain, held)).toMatchObject({
      secrets: [],
      dropped: [{ label: 'Key', reason: 'plainNow' }],
    })
  })

  it('never share one field: the one with the same key stays, another of its name is reported', () => {
    const from = pkg({ runtimeArguments: [named('--x')], packageArguments: [named('--x')] })
    const to = pkg({ runtimeArguments: [named('--x')] })
    const held = { values: { run_x: 'a', arg_x: 'b' }, secrets: {} }
    expect(carryOver(from, to, held)).toMatchObject({
      values: { run_x: 'a' },
      dropped: [{ label: 'X', value: 'b' }],
    })
  })

  it('do not fit as a list if the new field takes one value', () => {
    const from = pkg({ packageArguments: [named('--dir', { isRepeated: true })] })
    const to = pkg({
      environmentVariables: [],
      packageArguments: [named('--dir', { isSecret: true })],
    })
    const held = { values: { arg_dir: ['/a', '/b'] }, secrets: {} }
    expect(carryOver(from, to, held).dropped).toMatchObject([{ reason: 'singleNow' }])
    const toSwitch = pkg({ packageArguments: [named('--dir', { format: 'boolean' })] })
    expect(carryOver(from, toSwitch, held).dropped).toMatchObject([{ reason: 'singleNow' }])
  })

  it('move between headers ignoring case, and never from a header to a variable', () => {
    const remote = (...headers: KeyValueInput[]): Offer => ({
      kind: 'remote',
      remote: { type: 'sse', url: 'https://a.example/sse', headers },
    })
    const held = { values: { 'head_X-Team': 'me' }, secrets: {} }
    const from = remote(variable('X-Team'))
    expect(carryOver(from, remote(variable('x-team')), held).values).toEqual({
      'head_x-team': 'me',
    })
    const toVariable = pkg({ environmentVariables: [variable('X-Team')] })
    expect(carryOver(from, toVariable, held).dropped).toMatchObject([{ label: 'X team' }])
  })
})
