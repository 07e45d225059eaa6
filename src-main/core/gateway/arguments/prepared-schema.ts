import { dereference, type SchemaDraft, validate } from '@cfworker/json-schema'

import { type LeanSchema, leanSchema, type SchemaFindings } from './lean-schema'

/** A schema of a server made ready for checks. */
export type PreparedSchema = {
  readonly lean: LeanSchema
  readonly draft: SchemaDraft
  /** Every part that a `$ref` may name, by its address. */
  readonly parts: Record<string, LeanSchema | boolean>
  /** How many steps it takes for one value; infinite for one that refers to itself. */
  readonly cost: number
  readonly findings: SchemaFindings
}

/** More expanded steps than this are the same as endless. */
const MOST_COST = 100_000

/** Reads a schema of any draft from 4 to 2020-12, which is taken where it names none (MCP). Throws where it cannot be read. */
export function prepareSchema(schema: unknown): PreparedSchema {
  const draft = draftOf(schema)
  const { lean, findings } = leanSchema(schema, draft)
  const parts = dereference(lean)
  dropUnresolved(parts, findings)
  if (findings.isLoose) for (const part of Object.values(parts)) loosen(part)
  return { lean, draft, parts, cost: costOf(lean, parts), findings }
}

/** Whether a value fits; throws where that cannot be told. */
export function fits({ lean, draft, parts }: PreparedSchema, value: unknown): boolean {
  return validate(value, lean, draft, parts, true).valid
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

function costOf(lean: LeanSchema, parts: PreparedSchema['parts']): number {
  const known = new Map<LeanSchema, number>()
  const cost = (part: LeanSchema | boolean | undefined): number => {
    if (part === undefined || typeof part === 'boolean') return 1
    const before = known.get(part)
    if (before !== undefined) return before
    // While it is looked at: whoever comes here again refers to itself.
    known.set(part, Number.POSITIVE_INFINITY)
    const target = targetOf(part)
    let sum = 1 + namesOf(part) + (target === undefined ? 0 : cost(parts[target]))
    if (part.$recursiveRef !== undefined) sum = Number.POSITIVE_INFINITY
    for (const inner of innerOf(part)) {
      sum += cost(inner)
      if (sum > MOST_COST) sum = Number.POSITIVE_INFINITY
    }
    known.set(part, sum)
    return sum
  }
  return cost(lean)
}

/** Names and values that are looked through one by one. */
function namesOf({ required, enum: values }: LeanSchema): number {
  return (required?.length ?? 0) + Math.ceil((values?.length ?? 0) / 4)
}

/** The parts that are applied to a value or to what is in it. */
function* innerOf(part: LeanSchema): Generator<LeanSchema | boolean | undefined> {
  const one = [part.additionalProperties, part.unevaluatedProperties, part.additionalItems]
  yield* [...one, part.unevaluatedItems, part.contains, part.propertyNames].filter(isPart)
  yield* [part.not, part.if, part.then, part.else].filter(isPart)
  for (const list of [part.allOf, part.anyOf, part.oneOf, part.prefixItems, part.items].flat())
    if (isPart(list)) yield list
  const maps = [part.properties, part.patternProperties, part.dependentSchemas]
  for (const map of [...maps, part.dependencies])
    for (const inner of Object.values(map ?? {})) if (isPart(inner)) yield inner
}

function isPart(value: unknown): value is LeanSchema | boolean {
  return typeof value === 'boolean' || (typeof value === 'object' && !Array.isArray(value))
}
