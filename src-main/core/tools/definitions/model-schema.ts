import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { resolveRef } from '../../../../src-shared/json-schema/resolve-ref'
import { type GeminiProblem, geminiProblems, names, withoutGeminiProblems } from './gemini-schema'
import { mapSubschemas } from './subschemas'

/** Keywords that model APIs reject at the top level of an input schema. */
const REJECTED = ['oneOf', 'anyOf', 'allOf', 'not', 'enum']
/** Keywords that a simplified schema lacks at its top level. */
const MERGED = [...REJECTED, 'if', 'then', 'else']
/** Descriptions of the parts that all Gemini models reject; unions are so common that apps convert them. */
const GEMINI: Readonly<Partial<Record<GeminiProblem, string>>> = {
  arrayWithoutItems: 'arrays without the type of their "items"',
  itemsNotOneSchema: '"items" that are a list or have several types',
  enumNotText: '"enum" values that are empty or aren’t text',
  booleanSchema: 'true or false as a schema',
  requiredUnknown: '"required" names without a property',
}
/** Property names that every API accepts. */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/u
const NAMED = 3
const MAX_SHOWN_LENGTH = 80
/** Maximum number of visited schemas, including inlined references. */
const MAX_NODES = 20_000
/** Maximum nesting of followed references. */
const MAX_DEPTH = 12
/** A reference by JSON pointer (RFC 6901), as a fragment. */
const POINTER = /^#(?:\/|$)/u

/** An input schema that all model APIs accept, with the server's own name of each renamed property. */
export type SimplifiedSchema = {
  readonly schema: JsonObject
  /** By the new name. */
  readonly ownNames: ReadonlyMap<string, string>
}

/** Returns why the APIs of some models reject an input schema that MCP allows, as sentences; empty for most schemas. */
export function modelProblems(schema: JsonObject): string[] {
  const gemini = geminiProblems(schema)
  const top = REJECTED.filter((keyword) => schema[keyword] !== undefined)
  const names = Object.keys(asObject(schema.properties)).filter((name) => !PROPERTY_NAME.test(name))
  return [
    ...(top.length === 0
      ? []
      : [`Claude and OpenAI models reject ${quoted(top)} at the top level of an input schema.`]),
    ...(gemini.has('reference') ? ['Some Gemini models reject "$ref" in an input schema.'] : []),
    ...(names.length === 0
      ? []
      : [
          `Claude models reject these property names: ${quoted(names)}. Use up to 64 of A–Z, a–z, 0–9, "_", ".", and "-".`,
        ]),
    ...[...gemini].flatMap(([kind, paths]) => {
      const what = GEMINI[kind]
      return what === undefined ? [] : [`Gemini models reject ${what}${resolved(paths)}.`]
    }),
  ]
}

/**
 * Returns an input schema in a form that all model APIs accept. References are inlined (a recursive one becomes any value), and properties
 * are renamed. The arms of top-level combinators are merged into one object that accepts what any of them accepts. Parts that Gemini models
 * reject are removed or replaced by the nearest form. Where that is narrower, calls are still validated against the server's own schema.
 */
export function simplifiedSchema(schema: JsonObject): SimplifiedSchema {
  const isFine = modelProblems(schema).length === 0 && geminiProblems(schema).size === 0
  if (isFine) return { schema, ownNames: new Map() }
  return renamed(withoutGeminiProblems(merged(inlined(schema))))
}

/** Returns arguments with the server's own names; the same object if none was renamed. */
export function ownArguments(ownNames: SimplifiedSchema['ownNames'], args: unknown): unknown {
  if (ownNames.size === 0 || !isJsonObject(args)) return args
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [ownNames.get(name) ?? name, value]),
  )
}

function inlined(root: JsonObject): JsonObject {
  let remaining = MAX_NODES
  const write = (node: unknown, open: readonly string[]): unknown => {
    remaining -= 1
    if (!isJsonObject(node)) return node
    const { $ref, $defs: _defs, definitions: _definitions, ...inlineMembers } = node
    const members = mapSubschemas(inlineMembers, (inner) => write(inner, open))
    if (typeof $ref !== 'string') return members
    const isFollowed = POINTER.test($ref) && !open.includes($ref) && open.length < MAX_DEPTH
    const target = remaining > 0 && isFollowed ? resolveRef(root, $ref) : undefined
    const written = isJsonObject(target) ? write(target, [...open, $ref]) : {}
    return { ...(written as JsonObject), ...members }
  }
  return write(root, []) as JsonObject
}

/** Merges a schema with its combinators into one object that accepts at least the same. */
function merged(schema: JsonObject): JsonObject {
  const directEntries = Object.entries(schema).filter(([key]) => !MERGED.includes(key))
  const all = lists(schema.allOf).map(merged)
  const arms = [...lists(schema.anyOf), ...lists(schema.oneOf)].map(merged)
  const branches = lists([schema.then, schema.else]).map(merged)
  const parts = [...all, ...arms, ...branches]
  const properties: Record<string, unknown> = { ...asObject(schema.properties) }
  for (const part of parts)
    for (const [name, property] of Object.entries(asObject(part.properties)))
      properties[name] = either(properties[name], property)
  const inEveryArm = [lists(schema.anyOf), lists(schema.oneOf)].flatMap(commonNames)
  const required = [...names(schema.required), ...all.flatMap((one) => names(one.required))]
  const { required: _, additionalProperties, ...members } = Object.fromEntries(directEntries)
  const isOpen = parts.length > 0 && additionalProperties === false
  return {
    ...members,
    type: 'object',
    properties,
    ...(required.length + inEveryArm.length > 0 && {
      required: [...new Set([...required, ...inEveryArm])],
    }),
    // Another keyword may allow names that are unknown to this one.
    ...(additionalProperties !== undefined && !isOpen && { additionalProperties }),
  }
}

function commonNames(arms: readonly JsonObject[]): string[] {
  const [first = [], ...others] = arms.map((arm) => names(merged(arm).required))
  return first.filter((name) => others.every((other) => other.includes(name)))
}

/** Combines two schemas of the same property. */
function either(one: unknown, other: unknown): unknown {
  if (one === undefined || one === true) return other
  if (other === true || JSON.stringify(one) === JSON.stringify(other)) return one
  const arms = [one, other].flatMap((each) =>
    isJsonObject(each) && Object.keys(each).length === 1 && Array.isArray(each.anyOf)
      ? (each.anyOf as unknown[])
      : [each],
  )
  return { anyOf: arms }
}

function renamed(schema: JsonObject): SimplifiedSchema {
  const propertyNames = Object.keys(asObject(schema.properties))
  const usedNames = new Set(propertyNames.filter((name) => PROPERTY_NAME.test(name)))
  const newNames = new Map(
    propertyNames.map((name) => [name, usedNames.has(name) ? name : unusedName(name, usedNames)]),
  )
  const newName = (name: string): string => newNames.get(name) ?? name
  const properties = Object.entries(asObject(schema.properties)).map(([name, property]) => [
    newName(name),
    property,
  ])
  const required = names(schema.required)
  return {
    schema: {
      ...schema,
      properties: Object.fromEntries(properties) as JsonObject,
      ...(required.length > 0 && { required: required.map(newName) }),
    },
    ownNames: new Map(
      [...newNames].flatMap(([name, other]) => (name === other ? [] : [[other, name] as const])),
    ),
  }
}

/** Returns a valid unused name, and adds it to `usedNames`. */
function unusedName(name: string, usedNames: Set<string>): string {
  const base = name.replaceAll(/[^a-zA-Z0-9_.-]/gu, '_').slice(0, 60) || '_'
  let valid = base
  for (let count = 2; usedNames.has(valid); count += 1) valid = `${base}_${count}`
  usedNames.add(valid)
  return valid
}

function lists(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter((one) => isJsonObject(one)) : []
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Describes the paths of a problem; empty for the schema itself. */
function resolved(paths: readonly string[]): string {
  const named = paths.filter((path) => path !== '')
  return named.length === 0 ? '' : `: ${quoted(named)}`
}

function quoted(texts: readonly string[]): string {
  const shown = texts.slice(0, NAMED).map((text) => JSON.stringify(text.slice(0, MAX_SHOWN_LENGTH)))
  const more = texts.length > NAMED ? ` and ${texts.length - NAMED} more` : ''
  return shown.join(', ') + more
}
