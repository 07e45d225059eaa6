import { describe, expect, it } from 'vitest'

import { parseServerJson } from '../../../../src-shared/domain/server-json/parse-server-json'
import { buildCommandPlan } from './build-launch-plan'
import { planHash, toCommandPreview } from './launch-preview'

function planOf(parts: object, secrets: [string, string][] = []) {
  const raw = { registryType: 'npm', identifier: 't', version: '1.0.0', ...parts }
  const [pkg] = parseServerJson({ name: 'a/b', version: '1', packages: [raw] }).server.packages
  if (pkg === undefined) throw new Error('The package was ignored.')
  return buildCommandPlan(pkg, {}, new Map(secrets))
}

const transport = {
  type: 'sse',
  url: 'http://127.0.0.1:{port}/{TOKEN}',
  headers: [{ name: 'X-Key', isSecret: true }],
}
const parts = {
  transport,
  packageArguments: [{ type: 'named', name: '--port', default: '7' }],
  environmentVariables: [{ name: 'TOKEN', isSecret: true }],
}

describe('A1: the address of an HTTP package', () => {
  it('is shown without its secrets', () => {
    const plan = planOf(parts, [
      ['env_TOKEN', 's3cret-one'],
      ['head_X-Key', 's3cret-two'],
    ])
    expect(plan.transport?.url?.value).toBe('http://127.0.0.1:7/s3cret-one')
    const preview = toCommandPreview(plan, [])
    expect(preview.transport).toMatchObject({
      type: 'sse',
      url: 'http://127.0.0.1:7/••••••••',
      headers: [{ name: 'X-Key', text: '••••••••', secret: true }],
    })
    expect(JSON.stringify(preview)).not.toContain('s3cret')
  })

  it('is part of the approval', () => {
    const url = 'http://other.example/'
    const approved = planHash(planOf(parts))
    expect(planHash(planOf({ ...parts, transport: { ...transport, url } }))).not.toBe(approved)
    expect(planHash(planOf({ ...parts, transport: { type: 'stdio' } }))).not.toBe(approved)
    expect(planHash(planOf(parts))).toBe(approved)
  })

  it('is undefined for a stdio package', () => {
    expect(planOf({ ...parts, transport: { type: 'stdio' } }).transport).toBeUndefined()
  })
})
