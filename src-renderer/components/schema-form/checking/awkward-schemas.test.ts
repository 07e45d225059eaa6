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

  it.each(ALL)('$name: a form is made of it, and begins with what fits', ({ schema }) => {
    const model = formModel(schema)
    if (model.kind !== 'fields') return
    const isFit = (part: unknown, value: unknown): boolean =>
      checkAgainst(part, value, schema).problems.length === 0
    const start = startValues(model.schema, isFit)
    const { problems } = checkAgainst(schema, start)
    const missing = problems.filter(({ message }) => message !== 'Enter a value.')
    // What the user has yet to fill in may be missing; nothing that is there may be wrong.
    expect(missing.map(({ path }) => path.join('.')).filter((place) => place in start)).toEqual([])
  })

  it.each(ALL)('$name: what fits it is let pass', ({ schema, good }) => {
    expect(checkAgainst(schema ?? true, good).problems).toEqual([])
  })

  it.each(ALL.filter(({ bad }) => bad !== undefined))(
    '$name: what does not fit is reported in sentences',
    ({ schema, bad }) => {
      const { problems } = checkAgainst(schema, bad)
      expect(problems.length).toBeGreaterThan(0)
      for (const { message } of problems) expect(message).toMatch(/^[A-Z].*\.$/u)
    },
  )

  it('checks none of them for long', () => {
    for (const { schema, good, bad } of ALL) {
      const took = cpuMsOf(() => {
        checkAgainst(schema ?? true, good)
        checkAgainst(schema ?? true, bad ?? {})
      })
      expect(took).toBeLessThan(2_000)
    }
  })
})
