import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

import { AppError } from '../../../src-shared/domain/app-error'
import type { FieldValues } from '../../../src-shared/domain/field-values'
import { parseServerJson } from '../../../src-shared/domain/parse-server-json'
import type { Package, ParseNotice } from '../../../src-shared/domain/server-json'
import type { FormField } from '../../../src-shared/form/form-field'
import { findProblems } from '../../../src-shared/form/form-schema'
import { toFormFields } from '../../../src-shared/form/to-form-fields'
import { buildCommandPlan } from './build-command-plan'

type CaseValue = string | Record<string, string> | (string | Record<string, string>)[] | null
type LaunchCase = {
  name: string
  package?: object | null
  values: {
    runtimeArguments?: CaseValue[]
    packageArguments?: CaseValue[]
    environmentVariables?: Record<string, CaseValue>
  }
  expect: {
    error?: keyof typeof MESSAGES
    at?: string
    command?: string
    args?: string[]
    env?: Record<string, string>
    notices?: number
    transport?: object
  }
}

const MESSAGES = {
  'missing-required': /^Enter|^Choose/,
  'invalid-choice': /^Choose one of/,
  'invalid-number': /^Enter a number\.$/,
  'invalid-boolean': /^Choose on or off\.$/,
  'invalid-character': /NUL/,
  'invalid-argument-type': /argument type/,
  'unsupported-registry-type': /cannot start packages/,
}

const file = process.env.PATCHBAY_LAUNCH_CASES ?? resolve('../shared/data/launch-cases.json')
const isPresent = existsSync(file)
const cases = isPresent ? (JSON.parse(readFileSync(file, 'utf8')) as LaunchCase[]) : []
const withPackage = cases.filter((one) => one.package && one.expect.transport === undefined)
const others = cases.filter((one) => !withPackage.includes(one))

describe('A1 A4 A5 what packages and values become, case by case', () => {
  if (!isPresent) it.skip('none: launch-cases.json is optional test data and is not here')
  for (const one of others) it.skip(`${one.name} (a remote, a package that serves HTTP, or none)`)

  it.each(withPackage)('$name', (one) => {
    const { pkg, notices } = parsePackage(one.package ?? {})
    const fields = toFormFields(pkg)
    const values = toFieldValues(fields, pkg, one)
    if (one.expect.error) {
      expect(refusal(pkg, fields, values, notices)).toEqual({
        at: one.expect.at,
        message: expect.stringMatching(MESSAGES[one.expect.error]) as string,
      })
      return
    }
    const plan = buildCommandPlan(pkg, values, new Map())
    expect({
      command: plan.command,
      args: plan.args.map(({ value }) => value),
      env: Object.fromEntries(plan.env.map(({ name, value }) => [name, value])),
      problems: findProblems(fields, values, []),
    }).toEqual({
      command: one.expect.command,
      args: one.expect.args,
      env: one.expect.env,
      problems: [],
    })
    if (one.expect.notices !== undefined) expect(notices).toHaveLength(one.expect.notices)
  })
})

function parsePackage(raw: object): { pkg: Package; notices: ParseNotice[] } {
  const { server, notices } = parseServerJson({ name: 'a/b', version: '1', packages: [raw] })
  const [pkg] = server.packages
  if (pkg === undefined) throw new Error('The package was set aside.')
  return { pkg, notices }
}

function refusal(
  pkg: Package,
  fields: FormField[],
  values: FieldValues,
  notices: ParseNotice[],
): { at?: string | undefined; message: string } | undefined {
  const [problem] = findProblems(fields, values, [])
  const field = fields.find(({ key }) => key === problem?.fieldKey)
  if (problem && field) return { at: placeOf(pkg, field), message: problem.message }
  const [notice] = notices
  if (notice) return { at: notice.path.replace('packages[0].', ''), message: notice.message }
  try {
    buildCommandPlan(pkg, values, new Map())
  } catch (error) {
    if (error instanceof AppError) return { message: error.message }
    throw error
  }
  return undefined
}

function placeOf(pkg: Package, { target }: FormField): string {
  const place =
    target.place === 'environmentVariables'
      ? `environmentVariables.${pkg.environmentVariables[target.index]?.name ?? ''}`
      : `${target.place}[${target.index}]`
  return target.variable === undefined ? place : `${place}.variables.${target.variable}`
}

/** The cases name values by the place of the input; a form names them by the key of the field. */
function toFieldValues(fields: FormField[], pkg: Package, { values }: LaunchCase): FieldValues {
  return Object.fromEntries(
    fields.flatMap((field): [string, string | string[]][] => {
      const { place, index, variable } = field.target
      if (place === 'headers' || place === 'url') throw new Error('No field of a package.')
      const given =
        place === 'environmentVariables'
          ? values.environmentVariables?.[pkg.environmentVariables[index]?.name ?? '']
          : values[place]?.[index]
      const value = variable === undefined ? given : pick(given, variable)
      return typeof value === 'string' || isTexts(value) ? [[field.key, value]] : []
    }),
  )
}

function pick(given: CaseValue | undefined, variable: string): string | string[] | undefined {
  if (Array.isArray(given)) {
    const picked = given.flatMap((row) => (typeof row === 'string' ? [] : [row[variable]]))
    return picked.some((text) => text === undefined) ? undefined : (picked as string[])
  }
  return typeof given === 'string' ? undefined : given?.[variable]
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}
