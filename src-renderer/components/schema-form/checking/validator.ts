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

import { put } from '../reading/json-object'
import { checkValues } from './check-values'
import { type CheckedSchema, checkedSchema } from './checked-schema'
import { problemsOf, type ValueProblem } from './problem-messages'

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

/** The values against a schema, in sentences; `isChecked` is false where the server has to decide. */
export function checkAgainst(
  schema: CheckedSchema,
  values: unknown,
): { readonly problems: ValueProblem[]; readonly isChecked: boolean } {
  const { units, isChecked } = checkValues(schema, values)
  return { problems: problemsOf(schema, units), isChecked }
}

/** What a form asks about values, answered by an interpreter: no code is made of a schema, and every check is bounded. */
export class InterpretingValidator implements ValidatorType<unknown> {
  readonly #known = new WeakMap<object, CheckedSchema>()

  #checked(schema: RJSFSchema, root: RJSFSchema): CheckedSchema {
    if (schema === root) return this.#whole(root)
    // A part of the form: what it refers to is found in the whole.
    return checkedSchema({ ...schema, $defs: root.$defs as unknown }, this.#whole(root).lookup)
  }

  #whole(root: RJSFSchema): CheckedSchema {
    const known = this.#known.get(root)
    if (known) return known
    const made = checkedSchema(root)
    this.#known.set(root, made)
    return made
  }

  validateFormData(
    formData: unknown,
    schema: RJSFSchema,
    _customValidate?: CustomValidator,
    transformErrors?: ErrorTransformer,
    uiSchema?: UiSchema,
  ): ValidationData<unknown> {
    const { problems } = checkAgainst(this.#whole(schema), formData ?? {})
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
    return checkValues(this.#checked(schema, rootSchema), formData).units.length === 0
  }

  readonly rawValidation: ValidatorType<unknown>['rawValidation'] = (schema, formData) => {
    const { units } = checkValues(this.#whole(schema), formData)
    return { errors: units as never[] }
  }
}
