import { describe, expect, it } from 'vitest'

import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import { buildCommandPlan } from '../building/build-launch-plan'
import { planHash, toCommandPreview as toPreview } from '../building/launch-preview'
import { argsWithName, newContainerName } from './oci-runner'

const pkg: Package = {
  registryType: 'oci',
  identifier: 'ghcr.io/owner/thing',
  version: '1.0.0',
  transport: { type: 'stdio' },
  runtimeArguments: [],
  packageArguments: [{ type: 'positional', value: 'serve' }],
  environmentVariables: [],
}
const plan = (runtime: Package['runtimeArguments'] = []) =>
  buildCommandPlan({ ...pkg, runtimeArguments: runtime }, {}, new Map())
const argv = (...parts: Parameters<typeof argsWithName>): string[] =>
  argsWithName(...parts).map(({ value }) => value)

describe('B6: the container name', () => {
  it("precedes the entry's options, and differs for each start", () => {
    const name = newContainerName(plan()) ?? ''
    expect(name).toMatch(/^patchbay-[0-9a-f]{12}$/u)
    expect(newContainerName(plan())).not.toBe(name)
    const network = plan([{ type: 'named', name: '--network', value: 'host' }])
    expect(argv(network, name)).toEqual([
      ...['run', '-i', '--rm', '--name', name, '--network', 'host'],
      ...['ghcr.io/owner/thing:1.0.0', 'serve'],
    ])
  })

  it("is shown, but isn't part of the approval", () => {
    const preview = toPreview(plan(), [])
    expect(preview.args.slice(2, 5)).toMatchObject([
      { text: '--rm' },
      { text: '--name', joined: false, origin: { kind: 'runner' } },
      { text: 'patchbay-<random>', joined: true, origin: { kind: 'runner' } },
    ])
    expect(planHash(plan())).toBe(planHash({ ...plan(), container: undefined }))
  })

  it.each([
    [[{ type: 'named', name: '--name', value: 'own' }]],
    [[{ type: 'positional', value: '--name=own' }]],
  ] as Package['runtimeArguments'][][])("is the entry's own if it sets one", (runtime) => {
    expect(newContainerName(plan(runtime))).toBeUndefined()
    expect(argv(plan(runtime), 'other').join(' ')).toMatch(/--name[ =]own ghcr/u)
  })

  it('is added only to containers', () => {
    const npm = buildCommandPlan(
      { ...pkg, registryType: 'npm', identifier: 'thing' },
      {},
      new Map(),
    )
    expect(newContainerName(npm)).toBeUndefined()
    expect(argv(npm, 'other')).toEqual(['-y', 'thing@1.0.0', 'serve'])
  })
})
