import type { ErrorSchema, ValidatorType } from '@rjsf/utils'

import { BudgetError } from '../../../../src-shared/json-schema/check-budget'
import { checkSchema, type SchemaFault } from '../../../../src-shared/json-schema/check-schema'
import { setOwn, withoutUnset } from '../reading/json-text'
import { problemsOf, type ValueProblem } from './problem-messages'

const MAX_FAULTS = 500

/** Converts problems to the error shape that the form shows at its fields. */
export function errorSchemaOf(problems: readonly ValueProblem[]): ErrorSchema<unknown> {
  const root: Record<string, unknown> = {}
  for (const { path, message } of problems) {
    let target = root
    for (const step of path) {
      if (!Object.hasOwn(target, step)) setOwn(target, step, {})
      target = target[step] as Record<string, unknown>
    }
    const existing = Array.isArray(target.__errors) ? (target.__errors as unknown[]) : []
    target.__errors = [...existing, message]
  }
  return root
}

/**
 * Validates values against a schema and returns the problems as sentences. `isChecked` is false if only the server can decide. `root` is
 * the schema that references resolve in.
 */
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
  const options = { root, mostFaults: MAX_FAULTS, checksFormats: true }
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
 * Interpreting validator with which the form distinguishes variants. It generates no code from schemas, and every check is bounded. A value
 * that cannot be checked counts as valid. The form itself validates nothing: it gets the problems from outside.
 */
export const interpretingValidator: ValidatorType<unknown> = {
  isValid: (schema, formData, rootSchema) =>
    formData !== undefined && faultsOf(schema, formData, rootSchema).faults.length === 0,
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({}),
}
