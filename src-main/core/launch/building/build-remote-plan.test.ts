import { describe, expect, it } from 'vitest'

import { parseServerJson } from '../../../../src-shared/domain/server-json/parse-server-json'
import type { Remote } from '../../../../src-shared/domain/server-json/server-json'
import { buildRemotePlan } from './build-launch-plan'
import { planHash, toPreview } from './launch-preview'

function remoteOf(parts: object): Remote {
  const raw = { type: 'streamable-http', url: 'https://h.example/mcp', ...parts }
  const [remote] = parseServerJson({ name: 'a/b', version: '1', remotes: [raw] }).server.remotes
  if (remote === undefined) throw new Error('The remote was ignored.')
  return remote
}

const planOf = (parts: object, values: Record<string, string> = {}) =>
  buildRemotePlan(remoteOf(parts), values, new Map())

describe('A1: the plan of a remote', () => {
  it.each<[string, string[]]>([
    ['https://h.example/mcp', []],
    ['http://127.0.0.1:3000/mcp', []],
    ['http://localhost/mcp', []],
    ['http://[::1]/mcp', []],
    [
      'http://h.example/mcp',
      [
        'The URL starts with http:, so anyone on the network path can read what is sent, including secrets.',
      ],
    ],
    ['https://', ['"https://" isn’t a URL.']],
  ])('warns of a risky address: %s', (url, warnings) => {
    expect(buildRemotePlan({ ...remoteOf({}), url }, {}, new Map()).warnings).toEqual(warnings)
  })

  it("doesn't warn of an address that isn't filled in yet", () => {
    const plan = planOf({ url: 'https://{tenant}.example/{extra}', variables: { extra: {} } })
    expect(plan).toMatchObject({ url: { value: 'https://{tenant}.example/' }, warnings: [] })
  })

  it("doesn't parse a value as a template, and warns of where it leads", () => {
    const url = 'https://{tenant}.example/mcp'
    expect(planOf({ url }, { url_url_tenant: '{tenant}' }).url.value).toBe(
      'https://{tenant}.example/mcp',
    )
    expect(planOf({ url }, { url_url_tenant: 'a b' }).warnings).toEqual([
      '"https://a b.example/mcp" isn’t a URL.',
    ])
  })

  it('shows no secret, not even in the address', () => {
    const remote = remoteOf({
      url: 'https://h.example/{api_key}',
      headers: [{ name: 'Authorization', value: 'Bearer {token}' }],
    })
    const secrets = new Map([
      ['url_url_api_key', 's3cret-one'],
      ['head_Authorization_token', 's3cret-two'],
    ])
    const plan = buildRemotePlan(remote, {}, secrets)
    expect([plan.url.value, plan.headers[0]?.value]).toEqual([
      'https://h.example/s3cret-one',
      'Bearer s3cret-two',
    ])
    expect(toPreview(plan, [])).toMatchObject({
      url: { text: 'https://h.example/••••••••', secret: true },
      headers: [{ name: 'Authorization', text: 'Bearer ••••••••', secret: true }],
    })
    expect(JSON.stringify(toPreview(plan, []))).not.toContain('s3cret')
  })

  it('binds the approval to the address and the declared headers', () => {
    const url = 'https://{tenant}.example/mcp'
    const headers = [{ name: 'X-Region', default: 'eu' }]
    const hash = (parts: object, values: Record<string, string>) => planHash(planOf(parts, values))
    const approved = hash({ url, headers }, { url_url_tenant: 'a' })
    expect(hash({ url, headers }, { url_url_tenant: 'b' })).not.toBe(approved)
    expect(hash({ url, headers: [] }, { url_url_tenant: 'a' })).not.toBe(approved)
    expect(hash({ url, headers }, { url_url_tenant: 'a', 'head_X-Region': 'us' })).toBe(approved)
  })
})
