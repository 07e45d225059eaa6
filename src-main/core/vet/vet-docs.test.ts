import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { describe, expect, it } from 'vitest'
import * as z from 'zod'

import { VetReport } from '../../../src-shared/domain/vet/vet-report'
import { allChecks } from './vet-server'

const DOCS = resolve(import.meta.dirname, '../../../docs')
const checks = allChecks(undefined, '')

describe('E14: documentation of the checks', () => {
  it('lists every check with its level, and its limits', () => {
    const rows = readFileSync(`${DOCS}/vet.md`, 'utf8').matchAll(
      /^\| `(?<id>[a-z.-]+)` +\| (?<level>\w+) +\| (?<rest>[^|]{10,})\|$/gmu,
    )
    const documented = [...rows].map(({ groups }) => `${groups?.id ?? ''} ${groups?.level ?? ''}`)
    expect(documented.toSorted()).toEqual(
      checks.map(({ id, level }) => `${id} ${level}`).toSorted(),
    )
  })

  it('has the schema of a report', () => {
    const published: unknown = JSON.parse(readFileSync(`${DOCS}/vet-report.schema.json`, 'utf8'))
    expect(published).toEqual(JSON.parse(JSON.stringify(z.toJSONSchema(VetReport))))
  })

  it('names each check once, beginning with its group', () => {
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
  })
})
