import type { RJSFSchema } from '@rjsf/utils'

import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { resolveRef } from '../../../../src-shared/json-schema/resolve-ref'
import { drawingCounter, fieldOf, type FormWork, MOST_DRAWN_PARTS } from './form-fields'
import { schemaFault } from './json-text'

const MOST_LOOKED_AT = 50_000

function refsIn(part: unknown, budget: { left: number }): Set<string> {
  const found = new Set<string>()
  const waiting: unknown[] = [part]
  while (waiting.length > 0 && budget.left > 0) {
    const place = waiting.pop()
    budget.left -= 1
    if (Array.isArray(place)) for (const one of place as unknown[]) waiting.push(one)
    else if (isJsonObject(place)) {
      if (typeof place.$ref === 'string') found.add(place.$ref)
      waiting.push(...Object.values(place))
    }
  }
  return found
}

/** Returns a predicate for whether the target of a reference contains itself at any depth; also true if that takes too long to find out. */
export function recursionFinder(root: unknown): (ref: string) => boolean {
  const budget = { left: MOST_LOOKED_AT }
  const edges = new Map<string, Set<string>>()
  const next = (ref: string): Set<string> => {
    const known = edges.get(ref) ?? refsIn(resolveRef(root, ref), budget)
    edges.set(ref, known)
    return known
  }
  return (ref) => {
    const target = resolveRef(root, ref)
    const seen = new Set<string>()
    const waiting = [...next(ref)]
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      if (resolveRef(root, one) === target) return true
      if (seen.has(one)) continue
      seen.add(one)
      waiting.push(...next(one))
    }
    return budget.left <= 0
  }
}

/** How the user fills in the arguments of a tool. */
export type FormModel =
  | { readonly kind: 'fields'; readonly schema: RJSFSchema }
  | { readonly kind: 'none' }
  | { readonly kind: 'raw'; readonly why: string }

function raw(why: string): FormModel {
  return { kind: 'raw', why }
}

const KINDS = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if']

function isSilent(schema: JsonObject): boolean {
  const { properties, patternProperties, additionalProperties } = schema
  const has = (map: unknown): boolean => isJsonObject(map) && Object.keys(map).length > 0
  if (has(properties) || has(patternProperties)) return false
  return !isJsonObject(additionalProperties) && KINDS.every((key) => schema[key] === undefined)
}

function isObjects(type: unknown): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
}

function whyNone(schema: JsonObject): string | undefined {
  const fault = schemaFault(schema)
  if (fault !== undefined) return `The tool’s schema is invalid: ${fault}. Enter arguments as JSON.`
  return isObjects(schema.type)
    ? undefined
    : 'The tool’s schema must describe an object. Enter arguments as JSON.'
}

function drawn(inputSchema: JsonObject): FormModel {
  const partsOf = drawingCounter(inputSchema)
  const made = { root: inputSchema, defs: {}, names: new Map<string, string>(), waiting: [] }
  const isRecursive = recursionFinder(inputSchema)
  const work: FormWork = { ...made, count: 0, partsOf, isRecursive, isInside: false }
  const field = fieldOf({ ...inputSchema, type: 'object' }, work, { depth: 0, isRequired: true })
  for (let next = work.waiting.pop(); next; next = work.waiting.pop()) next()
  const schema = { ...field, $defs: work.defs }
  const isDrawn = field['x-json'] !== true && drawingCounter(schema)(schema) <= MOST_DRAWN_PARTS
  return isDrawn
    ? { kind: 'fields', schema: schema as RJSFSchema }
    : raw('Can’t show the tool’s schema as a form. Enter arguments as JSON.')
}

/** Builds the form model of a tool's input schema, whatever the schema is; never throws. */
export function formModel(inputSchema: unknown): FormModel {
  if (inputSchema === undefined || inputSchema === null)
    return raw('This tool declares no argument schema. Enter arguments as JSON.')
  if (inputSchema === true) return raw('This tool accepts any arguments. Enter them as JSON.')
  if (inputSchema === false) return raw('The tool’s schema allows no arguments.')
  if (!isJsonObject(inputSchema))
    return raw('The tool’s argument schema is invalid. Enter arguments as JSON.')
  const why = whyNone(inputSchema)
  if (why !== undefined) return raw(why)
  if (!isSilent(inputSchema)) return drawn(inputSchema)
  const isClosed = [false, undefined].some((rest) => rest === inputSchema.additionalProperties)
  return isClosed
    ? { kind: 'none' }
    : raw('This tool accepts arguments with any name. Enter them as JSON.')
}
