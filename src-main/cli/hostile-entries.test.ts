import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../e2e/fixtures/cpu-time'
import { checkCatalog } from './catalog-check'
import { planCase } from './plan'

/** Generous: the difference is seconds against hours, even on a busy machine. */
const LIMIT_MS = 10_000

const npm = { registryType: 'npm', identifier: 't', version: '1.0.0' }

function timed<T>(work: () => T): { result: T; tookMs: number } {
  let result: T | undefined
  const tookMs = cpuMsOf(() => (result = work()))
  return { result: result as T, tookMs }
}

/** Texts that make careless patterns backtrack. */
const LENGTH = 96_000
const torments: [string, string][] = [
  ['digits and a letter', `${'1'.repeat(LENGTH)}x`],
  ['open braces', '{'.repeat(LENGTH)],
  ['a brace without an end', `{${'a'.repeat(LENGTH)}`],
  ['braces in braces', '{a'.repeat(LENGTH / 2)],
  ['dollars and braces', '${'.repeat(LENGTH / 2)],
  ['spaces and a letter', `${' '.repeat(LENGTH)}x`],
  ['dashes', '-'.repeat(LENGTH)],
  ['equals signs and a slash', `${'=='.repeat(LENGTH / 2)}/`],
  ['digests and a line break', `${'@sha256:'.repeat(LENGTH / 8)}\n`],
  ['colons', `${':a'.repeat(LENGTH / 2)}/`],
  ['letters with marks', 'a\u0301'.repeat(LENGTH / 2)],
]

describe('A1: texts that try to hang a reader', () => {
  it.each(torments)('as fixed values and defaults: %s', (_what, text) => {
    const kinds = ['npm', 'pypi', 'oci', 'nuget']
    for (const [index, format] of ['string', 'number', 'boolean'].entries()) {
      const runtimeArguments = [{ type: 'positional', value: text }]
      const packageArguments = [{ type: 'named', name: '--x', default: text, format }]
      for (const [at, parts] of [{ runtimeArguments }, { packageArguments }].entries()) {
        // Each kind once or twice, because a text of this length takes time.
        const pkg = { ...npm, registryType: kinds[(index + 2 * at) % kinds.length], ...parts }
        const { result, tookMs } = timed(() => planCase({ package: pkg }))
        expect(result).toMatchObject({ args: expect.arrayContaining([text]) as string[] })
        expect(tookMs).toBeLessThan(LIMIT_MS)
      }
    }
  })

  it.each(torments)('as typed values: %s', (_what, text) => {
    const inputs = ['string', 'number', 'boolean', 'filepath'].map((format, index) => ({
      name: `V${String(index)}`,
      format,
    }))
    const environmentVariables = Object.fromEntries(inputs.map(({ name }) => [name, text]))
    const { tookMs } = timed(() =>
      planCase({
        package: { ...npm, environmentVariables: inputs },
        values: { environmentVariables },
      }),
    )
    expect(tookMs).toBeLessThan(LIMIT_MS)
  })

  it.each(torments)('as names and addresses: %s', (_what, text) => {
    const { result, tookMs } = timed(() => [
      planCase({ package: { ...npm, identifier: text } }),
      planCase({ package: { ...npm, version: text } }),
      planCase({ package: { ...npm, registryBaseUrl: text } }),
      planCase({ package: { ...npm, transport: { type: 'sse', url: text } } }),
      planCase({ package: { ...npm, packageArguments: [{ type: 'named', name: text }] } }),
      planCase({ package: { ...npm, environmentVariables: [{ name: text, default: 'x' }] } }),
      planCase({ remote: { type: 'sse', url: text } }),
      planCase({ remote: { type: 'sse', url: `https://h.example/${text}` } }),
    ])
    expect(tookMs).toBeLessThan(LIMIT_MS)
    expect(result.filter((one) => 'error' in one && one.error === 'internal')).toEqual([])
  })
})

describe('A1: oversized entries', () => {
  it.each<[string, object]>([
    [
      '10,000 arguments',
      {
        packages: [{ ...npm, packageArguments: Array(10_000).fill({ type: 'named', name: '-x' }) }],
      },
    ],
    [
      '10,000 headers',
      {
        remotes: [
          { type: 'sse', url: 'https://h.example', headers: Array(10_000).fill({ name: 'A' }) },
        ],
      },
    ],
  ])('are rejected with their place: %s', (_what, parts) => {
    const { result, tookMs } = timed(() => checkCatalog({ name: 'a/b', version: '1', ...parts }))
    expect(result).toMatchObject({
      entries: 1,
      parsed: 1,
      withForm: 0,
      errors: [{ name: 'a/b', version: '1', code: 'too-large' }],
    })
    expect(tookMs).toBeLessThan(LIMIT_MS)
  })

  it('are planned quickly at the limit', () => {
    const names = Array.from({ length: 195 }, (_, index) => `v${String(index)}`)
    const variables = Object.fromEntries(names.map((name) => [name, { isSecret: true }]))
    const value = names.map((name) => `{${name}}`).join('')
    const argument = { type: 'named', name: '--api-key', value, variables }
    const environmentVariables = names.map((name) => ({ name: `${name}_API_KEY`, isSecret: true }))
    const pkg = { ...npm, packageArguments: [argument], environmentVariables }
    const { result, tookMs } = timed(() => planCase({ package: { ...pkg } }))
    expect(result).toMatchObject({ command: 'npx' })
    expect(tookMs).toBeLessThan(LIMIT_MS)
  })

  it('are plain text, whatever they look like', () => {
    const evil = '<script>alert(1)</script>'
    const environmentVariables = [{ name: evil, description: evil, default: evil }]
    expect(planCase({ package: { ...npm, environmentVariables } })).toMatchObject({
      env: { [evil]: evil },
    })
  })
})
