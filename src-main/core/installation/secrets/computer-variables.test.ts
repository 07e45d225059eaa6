import { describe, expect, it } from 'vitest'

import { KeyedServers, type Typed } from '../../../../e2e/fixtures/keyed-servers'
import type { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'
import { buildLaunchPlan } from '../../launch/building/build-launch-plan'
import { planHash } from '../../launch/building/launch-preview'
import { offerOf } from '../installation-service'

const REGION: Typed['secrets'] = { env_MODE: { kind: 'environment', name: 'REGION' } }

async function installed(typed: Typed): Promise<{ servers: KeyedServers; id: string }> {
  const servers = new KeyedServers()
  const { values, ...rest } = typed
  const id = await servers.install('One', { values: { env_API_KEY: 'key', ...values }, ...rest })
  return { servers, id }
}

function modeIn(preview: LaunchPreview): unknown {
  if (preview.kind !== 'command') throw new Error('a package runs a command')
  return preview.env.find(({ name }) => name === 'MODE')?.text
}

async function started({ servers, id }: { servers: KeyedServers; id: string }) {
  const found = servers.service.read(id)
  const secrets = await servers.service.readSecrets(found)
  const plan = buildLaunchPlan(offerOf(found), found.values, secrets)
  if (plan.kind !== 'command') throw new Error('a package runs a command')
  const mode = plan.env.find(({ name }) => name === 'MODE')?.value
  return { mode, hash: planHash(plan, servers.service.folderOf(offerOf(found))) }
}

describe('A4: a plain field that reads a variable of this computer', () => {
  it("is displayed and approved by the variable's name, and read at each start", async () => {
    const one = await installed({ secrets: REGION })
    const preview = one.servers.service.previewOf(one.servers.service.read(one.id))
    expect(modeIn(preview)).toBe('$REGION')
    for (const value of ['eu', 'us']) {
      one.servers.environment.REGION = value
      expect(await started(one)).toEqual({ mode: value, hash: preview.planHash })
    }
    expect(JSON.stringify(one.servers.disk.document)).not.toMatch(/"(eu|us)"/)
  })

  it("prevents a start while the variable isn't set", async () => {
    const { servers, id } = await installed({ secrets: REGION })
    expect((await servers.problemsOf(id)).map(({ fieldKey }) => fieldKey)).toEqual(['env_MODE'])
    servers.environment.REGION = 'eu'
    expect(await servers.problemsOf(id)).toEqual([])
  })

  it('is overridden by a typed value', async () => {
    const one = await installed({ secrets: REGION, values: { env_MODE: 'typed' } })
    one.servers.environment.REGION = 'eu'
    expect((await started(one)).mode).toBe('typed')
    expect(one.servers.service.read(one.id).secrets.env_MODE).toBeUndefined()
  })

  it("can't use a shared secret, which would be visible", async () => {
    const place = { kind: 'stored', secretId: '5c1b6c1e-0000-4000-8000-000000000000' } as const
    const { servers, id } = await installed({ secrets: { env_MODE: place } })
    expect(servers.service.read(id).secrets.env_MODE).toBeUndefined()
  })
})
