import { type OutputUnit, validate } from '@cfworker/json-schema'

import type { SchemaProblem } from '../../../../src-shared/domain/agents/trial'
import { describeFault, STRUCTURED_CONTENT } from './describe-fault'
import { fits, type PreparedSchema, withBudget } from './prepared-schema'
import { loneSurrogateKey } from './text-faults'
import { pathOf } from './wording'

/** More than these no model mends at once. */
const MOST_FAULTS = 6
/** More than these no person reads. */
const MOST_PROBLEMS = 50

/** What does not fit a schema, as sentences that name place, what was expected and what came; empty where all fits. Throws where that cannot be told. */
export function findFaults(prepared: PreparedSchema, args: object): string[] {
  const surrogate = loneSurrogateKey(args)
  if (surrogate !== undefined) return [surrogate]
  const { value, units } = unitsOf(prepared, args)
  if (!units) return []
  const said = new Set(units.map((unit) => describeFault(prepared, value, unit)))
  said.delete('')
  const faults = [...said].slice(0, MOST_FAULTS)
  return faults.length > 0 ? faults : ['The arguments do not match the input schema.']
}

/** What of a tool's structured content does not fit its output schema, with its place; empty where all fits. Throws where that cannot be told. */
export function findProblems(prepared: PreparedSchema, content: unknown): SchemaProblem[] {
  const { value, units } = unitsOf(prepared, content)
  if (!units) return []
  const problems = new Map<string, SchemaProblem>()
  for (const unit of units) {
    const message = describeFault(prepared, value, unit, STRUCTURED_CONTENT)
    const path = pointerOf(unit)
    if (message !== '') problems.set(`${path} ${message}`, { path, message })
    if (problems.size === MOST_PROBLEMS) break
  }
  if (problems.size > 0) return [...problems.values()]
  return [{ path: '', message: 'The structured content does not match the output schema.' }]
}

/** What a value has against it; no units where it fits. */
function unitsOf(
  prepared: PreparedSchema,
  given: unknown,
): { readonly value: unknown; readonly units: readonly OutputUnit[] | undefined } {
  const { lean, draft, parts, findings } = prepared
  // What every object inherits is no field of it.
  const value = findings.hasInheritedName ? bareCopy(given) : given
  if (fits(prepared, value)) return { value, units: undefined }
  const { errors } = withBudget(prepared, value, () => validate(value, lean, draft, parts, false))
  return { value, units: tellingOf(errors) }
}

/** As RFC 6901 writes a place. */
function pointerOf({ instanceLocation }: OutputUnit): string {
  return pathOf(instanceLocation)
    .map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}

const FRAMES = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', '$ref', '$recursiveRef'],
  ...['allOf', 'dependentSchemas', 'if', 'propertyNames'],
])
const CHOICES = new Set(['anyOf', 'oneOf'])
const OTHERS = new Set(['additionalProperties', 'unevaluatedProperties'])

/** Those that say what is wrong: no frames around others, and of a choice that nothing fits the branch that was meant. */
function tellingOf(units: readonly OutputUnit[]): OutputUnit[] {
  const telling: OutputUnit[] = []
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at]
    if (!unit) continue
    const next = units[at + 1]
    if (OTHERS.has(unit.keyword) && next?.keyword === 'false') {
      // The first knows the schema around the field, the second the field.
      telling.push({ ...unit, keyword: 'unknown', instanceLocation: next.instanceLocation })
      at += 1
    }
    if (FRAMES.has(unit.keyword)) continue
    if (!CHOICES.has(unit.keyword)) {
      telling.push(unit)
      continue
    }
    const inner = innerUnits(units, at)
    const meant = meantBranch(unit, inner)
    telling.push(...(meant ? tellingOf(meant) : [unit]))
    at += inner.length
  }
  return telling
}

/** The units of the branches of a choice, which follow its own. */
function innerUnits(units: readonly OutputUnit[], at: number): OutputUnit[] {
  const begin = `${units[at]?.keywordLocation ?? ''}/`
  let end = at + 1
  while (units[end]?.keywordLocation.startsWith(begin) === true) end += 1
  return units.slice(at + 1, end)
}

/** The only branch whose type the value has: its faults are further in. */
function meantBranch(choice: OutputUnit, inner: readonly OutputUnit[]): OutputUnit[] | undefined {
  const begin = choice.keywordLocation.length + 1
  const branches = Map.groupBy(inner, ({ keywordLocation }) =>
    keywordLocation.slice(begin).split('/', 1).join(''),
  )
  const meant = [...branches.values()].filter((units) =>
    units.every(
      ({ keyword, instanceLocation }) =>
        instanceLocation !== choice.instanceLocation ||
        !['type', 'const', 'enum', 'false'].includes(keyword),
    ),
  )
  return meant.length === 1 ? meant[0] : undefined
}

/** A copy of parsed JSON whose objects inherit nothing; as deep as its nesting, which is why it is for small values only. */
function bareCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bareCopy)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.create(null) as Record<string, unknown>
  for (const [key, inner] of Object.entries(value)) copy[key] = bareCopy(inner)
  return copy
}
