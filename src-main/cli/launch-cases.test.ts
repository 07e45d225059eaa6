import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

import { planCase } from './plan'

type LaunchCase = { name: string; expect: object }

const file = process.env.PATCHBAY_LAUNCH_CASES ?? resolve('../shared/data/launch-cases.json')
const isPresent = existsSync(file)
const cases = isPresent ? (JSON.parse(readFileSync(file, 'utf8')) as LaunchCase[]) : []

describe('A1, A4 and A5: plans of packages, remotes and values', () => {
  if (!isPresent) it.skip('none: launch-cases.json is optional test data and is not here')

  it.each(cases)('$name', (one) => {
    expect(planCase(one)).toEqual(one.expect)
  })
})
