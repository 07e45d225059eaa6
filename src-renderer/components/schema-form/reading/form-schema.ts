import type { RJSFSchema } from '@rjsf/utils'

import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { resolveRef } from '../../../../src-shared/json-schema/resolve-ref'
import { drawingCounter, fieldOf, MAX_DRAWN_PARTS, type SchemaContext } from './form-fields'
import { schemaFault } from './json-text'

const MAX_SCANNED = 50_000

function refsIn(part: unknown, budget: { left: number }): Set<string> {
  const refs = new Set<string>()
  const pending: unknown[] = [part]
  while (pending.length > 0 && budget.left > 0) {
    const node = pending.pop()
    budget.left -= 1
    if (Array.isArray(node)) for (const one of node as unknown[]) pending.push(one)
    else if (isJsonObject(node)) {
      if (typeof node.$ref === 'string') refs.add(node.$ref)
      pending.push(...Object.values(node))
    }
  }
  return refs
}

/** Returns a predicate for whether the target of a reference contains itself at any depth; also true if that takes too long to find out. */
export function recursionFinder(root: unknown): (ref: string) => boolean {
  const budget = { left: MAX_SCANNED }
  const edges = new Map<string, Set<string>>()
  const next = (ref: string): Set<string> => {
    const targets = edges.get(ref) ?? refsIn(resolveRef(root, ref), budget)
    edges.set(ref, targets)
    return targets
  }
  return (ref) => {
    const target = resolveRef(root, ref)
    const seen = new Set<string>()
    const pending = [...next(ref)]
    for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
      if (resolveRef(root, current) === target) return true
      if (seen.has(current)) continue
      seen.add(current)
      pending.push(...next(current))
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

function hasNoMembers(schema: JsonObject): boolean {
  const { properties, patternProperties, additionalProperties } = schema
  const has = (map: unknown): boolean => isJsonObject(map) && Object.keys(map).length > 0
  if (has(properties) || has(patternProperties)) return false
  return !isJsonObject(additionalProperties) && KINDS.every((key) => schema[key] === undefined)
}

function allowsObjects(type: unknown): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
}

function objectProblem(schema: JsonObject): string | undefined {
  const fault = schemaFault(schema)
  if (fault !== undefined) return `The tool’s schema is invalid: ${fault}. Enter arguments as JSON.`
  return allowsObjects(schema.type)
    ? undefined
    : 'The tool’s schema must describe an object. Enter arguments as JSON.'
}

function fieldsModel(inputSchema: JsonObject): FormModel {
  const partsOf = drawingCounter(inputSchema)
  const made = { root: inputSchema, defs: {}, names: new Map<string, string>(), waiting: [] }
  const isRecursive = recursionFinder(inputSchema)
  const context: SchemaContext = { ...made, count: 0, partsOf, isRecursive, isInside: false }
  const field = fieldOf({ ...inputSchema, type: 'object' }, context, { depth: 0, isRequired: true })
  for (let next = context.waiting.pop(); next; next = context.waiting.pop()) next()
  const schema = { ...field, $defs: context.defs }
  const isDrawn = field['x-json'] !== true && drawingCounter(schema)(schema) <= MAX_DRAWN_PARTS
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
  const why = objectProblem(inputSchema)
  if (why !== undefined) return raw(why)
  if (!hasNoMembers(inputSchema)) return fieldsModel(inputSchema)
  const isClosed = [false, undefined].some((rest) => rest === inputSchema.additionalProperties)
  return isClosed
    ? { kind: 'none' }
    : raw('This tool accepts arguments with any name. Enter them as JSON.')
}
