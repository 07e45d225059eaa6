import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import type { Offer } from '../../../../src-shared/domain/server-json/offer'
import { parseServerJson } from '../../../../src-shared/domain/server-json/parse-server-json'
import { ServerJson } from '../../../../src-shared/domain/server-json/server-json'
import type { FormField } from '../../../../src-shared/form/form-field'
import { findProblems } from '../../../../src-shared/form/form-schema'
import { fieldsOfOffer } from '../../../../src-shared/form/to-form-fields'
import { buildLaunchPlan } from './build-launch-plan'
import { toPreview } from './launch-preview'

type RawEntry = { server: { name: string; packages?: unknown[]; remotes?: unknown[] } }

const file =
  process.env.PATCHBAY_REGISTRY_ENTRIES ?? resolve('../shared/data/registry-entries.json')
const isPresent = existsSync(file)
const entries = isPresent
  ? (JSON.parse(readFileSync(file, 'utf8')) as { servers: RawEntry[] }).servers
  : []
const servers = entries.map((raw) => parseServerJson(raw).server)
const offers = servers.flatMap(({ name, packages, remotes }) => [
  ...packages.map((pkg): { name: string; offer: Offer } => ({
    name,
    offer: { kind: 'package', pkg },
  })),
  ...remotes.map((remote): { name: string; offer: Offer } => ({
    name,
    offer: { kind: 'remote', remote },
  })),
])

/** A valid value for each control. */
function filled(fields: readonly FormField[]): FieldValues {
  const sample = ({ control, choices }: FormField): string => {
    if (control === 'choice') return choices[0] ?? ''
    if (control === 'number') return '8080'
    if (control === 'switch') return 'true'
    return control === 'path' ? '/tmp/a b' : 'x, {y} $1'
  }
  return Object.fromEntries(fields.map((field) => [field.key, sample(field)]))
}

describe.skipIf(!isPresent)('A1 A3: real registry entries (optional test data)', () => {
  it('are all parsed, with every package and remote', () => {
    const count = (list: 'packages' | 'remotes') =>
      entries.reduce((sum, { server }) => sum + (server[list]?.length ?? 0), 0)
    expect(servers).toHaveLength(1_898)
    expect(servers.flatMap(({ packages }) => packages)).toHaveLength(count('packages'))
    expect(servers.flatMap(({ remotes }) => remotes)).toHaveLength(count('remotes'))
    expect(servers.map(({ name }) => name)).toEqual(entries.map(({ server }) => server.name))
  })

  it('stay the same when written and read again', () => {
    for (const server of servers) {
      const again = parseServerJson(JSON.stringify(server))
      // The written form omits everything that was ignored.
      const packages = server.packages.map((pkg) => ({ ...pkg, ignoredParts: undefined }))
      expect(again.server).toEqual({ ...server, packages })
      expect(again.notices).toEqual([])
      expect(ServerJson.parse(server)).toEqual(server)
    }
  })

  it('become forms with unique keys and labels', () => {
    for (const { offer } of offers) {
      const fields = fieldsOfOffer(offer)
      const keys = fields.map(({ key }) => key)
      expect(new Set(keys).size).toBe(keys.length)
      for (const { key, label } of fields) {
        expect(key).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(label.trim()).not.toBe('')
      }
    }
    expect(offers.some(({ offer }) => fieldsOfOffer(offer).length > 20)).toBe(true)
  })

  it('become plans or named errors when filled in', () => {
    const planned = new Map<string, number>()
    for (const { offer } of offers) {
      const fields = fieldsOfOffer(offer)
      const values = filled(fields)
      expect(findProblems(fields, values, [])).toEqual([])
      const kind = offer.kind === 'remote' ? 'remote' : offer.pkg.registryType
      try {
        const plan = buildLaunchPlan(offer, values, new Map())
        expect(JSON.stringify(toPreview(plan, []))).not.toContain('undefined')
        planned.set(kind, (planned.get(kind) ?? 0) + 1)
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
        expect(error).toMatchObject({ code: 'UNSUPPORTED_PACKAGE' })
        expect(kind).toBe('mcpb')
      }
    }
    const startable = offers.filter(({ offer }) =>
      offer.kind === 'remote' ? true : offer.pkg.registryType !== 'mcpb',
    )
    const sum = [...planned.values()].reduce((total, count) => total + count, 0)
    expect(sum).toBe(startable.length)
    expect([...planned.keys()].toSorted()).toEqual(['npm', 'nuget', 'oci', 'pypi', 'remote'])
  })

  it('name their required fields until filled in', () => {
    for (const { offer } of offers) {
      const fields = fieldsOfOffer(offer)
      const missing = fields.filter((field) => field.required && field.default === undefined)
      expect(findProblems(fields, {}, []).map(({ fieldKey }) => fieldKey)).toEqual(
        missing.map(({ key }) => key),
      )
    }
  })
})
