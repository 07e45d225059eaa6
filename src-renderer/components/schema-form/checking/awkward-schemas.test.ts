import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../../e2e/fixtures/cpu-time'
import { AWKWARD } from '../../../../e2e/servers/awkward-schemas.mjs'
import { startValues } from '../../../features/tool-run/use-tool-arguments'
import { formModel } from '../reading/form-schema'
import { checkAgainst } from './validator'

const ALL = Object.entries(AWKWARD).map(([name, one]) => ({
  name,
  ...one,
}))

describe('60 awkward schemas', () => {
  it('are 60', () => {
    expect(ALL).toHaveLength(60)
  })

  it.each(ALL)('$name: becomes a form with valid initial values', ({ schema }) => {
    const model = formModel(schema)
    if (model.kind !== 'fields') return
    const isFit = (part: unknown, value: unknown): boolean =>
      checkAgainst(part, value, schema).problems.length === 0
    const start = startValues(model.schema, isFit)
    const { problems } = checkAgainst(schema, start)
    const missing = problems.filter(({ message }) => message !== 'Enter a value.')
    // Values that the user has yet to fill in may be missing; present values must be valid.
    expect(missing.map(({ path }) => path.join('.')).filter((place) => place in start)).toEqual([])
  })

  it.each(ALL)('$name: accepts valid values', ({ schema, good }) => {
    expect(checkAgainst(schema ?? true, good).problems).toEqual([])
  })

  it.each(ALL.filter(({ bad }) => bad !== undefined))(
    '$name: reports invalid values in sentences',
    ({ schema, bad }) => {
      const { problems } = checkAgainst(schema, bad)
      expect(problems.length).toBeGreaterThan(0)
      for (const { message } of problems) expect(message).toMatch(/^[A-Z].*\.$/u)
    },
  )

  it('take only a short time to check', () => {
    for (const { schema, good, bad } of ALL) {
      const took = cpuMsOf(() => {
        checkAgainst(schema ?? true, good)
        checkAgainst(schema ?? true, bad ?? {})
      })
      expect(took).toBeLessThan(2_000)
    }
  })
})
