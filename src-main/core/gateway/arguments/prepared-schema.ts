import { dereference, type SchemaDraft, validate } from '@cfworker/json-schema'

import { type LeanSchema, leanSchema, type SchemaFindings } from './lean-schema'

/** A schema of a server made ready for checks. */
export type PreparedSchema = {
  readonly lean: LeanSchema
  readonly draft: SchemaDraft
  /** Every part that a `$ref` may name, by its address. */
  readonly parts: Record<string, LeanSchema | boolean>
  /** Steps that are left for the validation under way. */
  readonly budget: { left: number }
  readonly findings: SchemaFindings
}

/** Steps of one validation: some 50 ms for a schema that is made to take long, some 5 µs for a usual one. */
const MOST_STEPS = 500_000
/** Values of an enumeration that take as long as a step. */
const VALUES_PER_STEP = 4

/** A validation that would block the main thread was given up. */
export class BudgetError extends Error {}

/** Reads a schema of any draft from 4 to 2020-12, which is taken where it names none (MCP). Throws where it cannot be read. */
export function prepareSchema(schema: unknown): PreparedSchema {
  const draft = draftOf(schema)
  const { lean, findings } = leanSchema(schema, draft)
  const parts = dereference(lean)
  dropUnresolved(parts, findings)
  if (findings.isLoose) for (const part of Object.values(parts)) loosen(part)
  const budget = { left: MOST_STEPS }
  for (const part of Object.values(parts)) if (typeof part !== 'boolean') count(part, budget)
  return { lean, draft, parts, budget, findings }
}

/** Runs one validation; throws a `BudgetError` where that takes too long. */
export function withBudget<T>(
  { budget, findings }: PreparedSchema,
  value: unknown,
  work: () => T,
): T {
  budget.left = MOST_STEPS - (findings.hasUnique ? longestList(value) ** 2 : 0)
  return work()
}

function longestList(value: unknown): number {
  let longest = 0
  const waiting: unknown[] = [value]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (Array.isArray(one)) longest = Math.max(longest, one.length)
    if (typeof one === 'object' && one !== null)
      for (const inner of Object.values(one)) if (typeof inner === 'object') waiting.push(inner)
  }
  return longest
}

/** Takes steps from the budget with each visit: the validator reads this keyword of every part, and none has it. */
function count(part: LeanSchema, budget: { left: number }): void {
  const { required = [], enum: values = [] } = part
  const steps = 1 + required.length + Math.ceil(values.length / VALUES_PER_STEP)
  Object.defineProperty(part, '$recursiveAnchor', {
    get: (): undefined => {
      budget.left -= steps
      if (budget.left < 0)
        throw new BudgetError('the schema takes too long to check for these values')
      return undefined
    },
  })
}

/** Whether a value fits; throws where that cannot be told. */
export function fits(prepared: PreparedSchema, value: unknown): boolean {
  const { lean, draft, parts } = prepared
  return withBudget(prepared, value, () => validate(value, lean, draft, parts, true).valid)
}

function draftOf(schema: unknown): SchemaDraft {
  const named: unknown =
    typeof schema === 'object' && schema !== null && '$schema' in schema ? schema.$schema : ''
  if (typeof named !== 'string') return '2020-12'
  if (named.includes('draft-04')) return '4'
  if (named.includes('draft-06') || named.includes('draft-07')) return '7'
  return named.includes('2019-09') ? '2019-09' : '2020-12'
}

/** The address of what a part refers to, as the validator looks it up. */
export function targetOf(part: LeanSchema): string | undefined {
  const { $ref } = part
  return $ref === undefined ? undefined : (part.__absolute_ref__ ?? $ref)
}

/** A reference to nowhere asserts nothing. */
function dropUnresolved(parts: PreparedSchema['parts'], findings: SchemaFindings): void {
  for (const part of Object.values(parts)) {
    if (typeof part === 'boolean') continue
    const target = targetOf(part)
    if (target === undefined || parts[target] !== undefined) continue
    delete part.$ref
    findings.isLoose = true
  }
}

/** Where less is checked than it asserts, what stands on the contrary would let less pass than it says. */
function loosen(part: LeanSchema | boolean): void {
  if (typeof part === 'boolean') return
  const { oneOf } = part
  if (oneOf !== undefined) {
    delete part.oneOf
    // Both may be there.
    part.anyOf ??= oneOf
  }
  delete part.not
  delete part.if
  delete part.maxContains
  delete part.unevaluatedProperties
  delete part.unevaluatedItems
}
