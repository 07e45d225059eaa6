import type { ErrorSchema, ValidatorType } from '@rjsf/utils'

import { BudgetError } from '../../../../src-shared/json-schema/check-budget'
import { checkSchema, type SchemaFault } from '../../../../src-shared/json-schema/check-schema'
import { put, withoutUnset } from '../reading/json-text'
import { problemsOf, type ValueProblem } from './problem-messages'

const MOST_FAULTS = 500

/** What is wrong with values, in the shape that a form shows at its fields. */
export function errorSchemaOf(problems: readonly ValueProblem[]): ErrorSchema<unknown> {
  const root: Record<string, unknown> = {}
  for (const { path, message } of problems) {
    let place = root
    for (const step of path) {
      if (!Object.hasOwn(place, step)) put(place, step, {})
      place = place[step] as Record<string, unknown>
    }
    const said = Array.isArray(place.__errors) ? (place.__errors as unknown[]) : []
    place.__errors = [...said, message]
  }
  return root
}

/** The values against a schema, in sentences; `isChecked` is false where the server has to decide. `root` is what references lead into. */
export function checkAgainst(
  schema: unknown,
  values: unknown,
  root: unknown = schema,
): { readonly problems: ValueProblem[]; readonly isChecked: boolean } {
  const { faults, isChecked } = faultsOf(schema, values, root)
  return { problems: problemsOf(faults), isChecked }
}

function faultsOf(
  schema: unknown,
  values: unknown,
  root: unknown,
): { readonly faults: readonly SchemaFault[]; readonly isChecked: boolean } {
  const options = { root, mostFaults: MOST_FAULTS, checksFormats: true }
  try {
    const { faults, isUnsure } = checkSchema(schema, withoutUnset(values), options)
    return { faults, isChecked: !isUnsure }
  } catch (cause) {
    if (cause instanceof BudgetError || cause instanceof RangeError)
      return { faults: [], isChecked: false }
    throw cause
  }
}

/**
 * What a form asks about values to tell kinds apart, answered by an interpreter: no code is made of a schema, and every check is
 * bounded. What cannot be checked counts as fitting. The form checks nothing: problems are given to it.
 */
export const interpretingValidator: ValidatorType<unknown> = {
  isValid: (schema, formData, rootSchema) =>
    formData !== undefined && faultsOf(schema, formData, rootSchema).faults.length === 0,
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({}),
}
