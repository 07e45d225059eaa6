import type {
  CustomValidator,
  ErrorSchema,
  ErrorTransformer,
  RJSFSchema,
  RJSFValidationError,
  UiSchema,
  ValidationData,
  ValidatorType,
} from '@rjsf/utils'

import { BudgetError } from '../../../../src-shared/json-schema/check-budget'
import { checkSchema, type SchemaFault } from '../../../../src-shared/json-schema/check-schema'
import { put } from '../reading/json-object'
import { withoutUnset } from '../reading/json-text'
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

/** What a form asks about values, answered by an interpreter: no code is made of a schema, and every check is bounded. */
export class InterpretingValidator implements ValidatorType<unknown> {
  validateFormData(
    formData: unknown,
    schema: RJSFSchema,
    _customValidate?: CustomValidator,
    transformErrors?: ErrorTransformer,
    uiSchema?: UiSchema,
  ): ValidationData<unknown> {
    const { problems } = checkAgainst(schema, formData ?? {})
    const found: RJSFValidationError[] = problems.map(({ path, message }) => ({
      property: `.${path.join('.')}`,
      message,
      stack: message,
    }))
    const errors = transformErrors ? transformErrors(found, uiSchema) : found
    return { errors, errorSchema: errorSchemaOf(problems) }
  }

  /** Whether values fit; what cannot be checked here counts as fitting. */
  isValid(schema: RJSFSchema, formData: unknown, rootSchema: RJSFSchema): boolean {
    if (formData === undefined) return false
    return faultsOf(schema, formData, rootSchema).faults.length === 0
  }

  readonly rawValidation: ValidatorType<unknown>['rawValidation'] = (schema, formData) => {
    const { faults } = faultsOf(schema, formData, schema)
    return { errors: faults as never[] }
  }
}
