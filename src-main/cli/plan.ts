import { resolve } from 'node:path'

import { AppError } from '../../src-shared/domain/app-error'
import type { ProblemCode } from '../../src-shared/domain/installation/launch-plan'
import { isJsonObject, type JsonObject } from '../../src-shared/domain/json-object'
import type { FieldValue, FieldValues } from '../../src-shared/domain/server-json/field-values'
import type { Offer } from '../../src-shared/domain/server-json/offer'
import { parsePackage } from '../../src-shared/domain/server-json/parse-package'
import { parseRemote } from '../../src-shared/domain/server-json/parse-remote'
import type { KeyValueInput, ParseNotice } from '../../src-shared/domain/server-json/server-json'
import { declaredIndex, TolerantReader } from '../../src-shared/domain/server-json/tolerant-reader'
import type { FormField } from '../../src-shared/form/form-field'
import { findProblems } from '../../src-shared/form/form-schema'
import { splitSeveral } from '../../src-shared/form/split-several'
import { fieldsOfOffer } from '../../src-shared/form/to-form-fields'
import { buildLaunchPlan } from '../core/launch/building/build-launch-plan'
import { startsKind } from '../core/launch/packages/package-runners'
import type { LaunchPlan, PlannedVariable } from '../core/launch/plan/launch-plan'
import { readJson } from './read-json'

/** `patchbay plan FILE`: prints the plan of one case or each of a list, as JSON. Throws INVALID_REQUEST. */
export function plan(file: string): void {
  const cases = readJson(resolve(file))
  const result = Array.isArray(cases) ? cases.map(planCase) : planCase(cases)
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
}

type CaseErrorCode =
  | Exclude<ProblemCode, 'invalid-list'>
  | 'invalid-argument-type'
  | 'unsupported-registry-type'
  | 'no-package'
  | 'internal'

type Pairs = Readonly<Record<string, string>>
type Address = {
  readonly type: string
  readonly url?: string | undefined
  readonly headers?: Pairs
}

/** The result of a case; `notices` counts ignored parts that nothing needs. */
type CaseResult =
  | { readonly error: CaseErrorCode; readonly at?: string }
  | {
      readonly command: string
      readonly args: readonly string[]
      readonly env: Pairs
      readonly transport?: Address
      readonly notices?: number
    }
  | (Address & { readonly notices?: number })

/** Plans a package or remote with a user's values, by the app's rules. Never throws. */
export function planCase(raw: unknown): CaseResult {
  try {
    return isJsonObject(raw) ? planOf(raw) : { error: 'no-package' }
  } catch (error) {
    // The list's other cases are planned anyway.
    return error instanceof AppError && error.code === 'UNSUPPORTED_PACKAGE'
      ? { error: 'invalid-character', at: 'identifier' }
      : { error: 'internal', at: String(error).slice(0, 200) }
  }
}

function planOf(raw: JsonObject): CaseResult {
  const reader = new TolerantReader()
  const offer = readOffer(reader, raw)
  const notices = reader.notices.map((notice) => ({ ...notice, path: notice.path.slice(1) }))
  const refusal = refusalOf(offer, notices, raw)
  if (refusal !== undefined || offer === undefined) return refusal ?? { error: 'no-package' }
  const leftOut = new Set([...reader.leftOut].map((path) => path.slice(1)))
  const places = { offer, leftOut }
  const fields = fieldsOfOffer(offer)
  const given = isJsonObject(raw.values) ? raw.values : {}
  const values = toFieldValues(fields, given, places)
  for (const { code, fieldKey } of findProblems(fields, values, [])) {
    const field = fields.find(({ key }) => key === fieldKey)
    // A form field with one value instead of several is no fault of the case.
    if (field && code !== 'invalid-list') return { error: code, at: placeOf(field, places) }
  }
  const ignored = notices.filter(({ code }) => code !== 'implied-variable').length
  const plan = print(buildLaunchPlan(offer, values, new Map()))
  return ignored === 0 ? plan : { ...plan, notices: ignored }
}

function readOffer(reader: TolerantReader, raw: JsonObject): Offer | undefined {
  if (isJsonObject(raw.package)) {
    const pkg = parsePackage(reader, raw.package, '')
    return pkg === null ? undefined : { kind: 'package', pkg }
  }
  const remote = isJsonObject(raw.remote) ? parseRemote(reader, raw.remote, '') : null
  return remote === null ? undefined : { kind: 'remote', remote }
}

function refusalOf(
  offer: Offer | undefined,
  notices: readonly ParseNotice[],
  raw: JsonObject,
): CaseResult | undefined {
  const isForeign = notices.some(
    ({ code, path }) => code === 'unsupported-registry-type' || path === 'registryType',
  )
  if (isForeign || (offer?.kind === 'package' && !startsKind(offer.pkg.registryType)))
    return { error: 'unsupported-registry-type' }
  if (offer === undefined) {
    const [notice] = notices
    return notice?.path ? { error: 'no-package', at: notice.path } : { error: 'no-package' }
  }
  const wrongType = notices.find(({ code }) => code === 'invalid-argument-type')
  if (wrongType) return { error: 'invalid-argument-type', at: wrongType.path }
  const character = notices.find(({ code }) => code === 'invalid-character')
  return character && { error: 'invalid-character', at: inputPlace(character.path, raw) }
}

/** `environmentVariables[0].value` is the place of that variable's name. */
function inputPlace(path: string, raw: JsonObject): string {
  const place = path.replace(/\.(value|default)$/, '')
  const [whole, list = '', index] = /^(environmentVariables|headers)\[(\d+)\]/.exec(place) ?? []
  const source = isJsonObject(raw.package) ? raw.package : raw.remote
  const inputs = isJsonObject(source) ? source[list] : undefined
  const input: unknown = Array.isArray(inputs) ? inputs[Number(index)] : undefined
  return whole !== undefined && isJsonObject(input) && typeof input.name === 'string'
    ? `${list}.${input.name}${place.slice(whole.length)}`
    : place
}

function print(plan: LaunchPlan): Exclude<CaseResult, { error: unknown }> {
  if (plan.kind === 'remote')
    return { type: plan.type, url: plan.url.value, headers: printPairs(plan.headers) }
  const { command, args, env, transport } = plan
  const line = { command, args: args.map(({ value }) => value), env: printPairs(env) }
  if (transport === undefined) return line
  const { type, url, headers } = transport
  const address = { type, url: url?.value }
  return {
    ...line,
    transport: headers.length === 0 ? address : { ...address, headers: printPairs(headers) },
  }
}

function printPairs(pairs: readonly PlannedVariable[]): Pairs {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]))
}

/** A form's values by their place in the document, as a case names them. */
export function caseValues(offer: Offer, raw: unknown): FieldValues {
  const values = isJsonObject(raw) ? raw : {}
  return toFieldValues(fieldsOfOffer(offer), values, { offer, leftOut: new Set() })
}

/** Information about a field's place in the case's document. */
type CasePlaces = {
  readonly offer: Offer
  /** Elements of the document missing in the offer; see `TolerantReader`. */
  readonly leftOut: ReadonlySet<string>
}

/**
 * A case's values by field key: lists match the declared arguments, maps contain environment variables, headers and address variables by
 * name. Null or missing values stay unset.
 */
function toFieldValues(
  fields: readonly FormField[],
  values: JsonObject,
  places: CasePlaces,
): FieldValues {
  return Object.fromEntries(
    fields.flatMap((field): [string, FieldValue][] => {
      const raw = rawValueFor(field, values, places)
      const { variable, place } = field.target
      const value =
        variable === undefined || place === 'url'
          ? asValue(asList(raw, field))
          : pick(raw, variable, field)
      return value === undefined ? [] : [[field.key, value]]
    }),
  )
}

/** A field's place as cases name it: `packageArguments[0]`, `headers.X-Key`, `variables.tenant`. */
function placeOf({ target }: FormField, places: CasePlaces): string {
  const { place, index, variable } = target
  if (place === 'url') return `variables.${variable ?? ''}`
  const isList = place === 'runtimeArguments' || place === 'packageArguments'
  const at = isList
    ? `${place}[${declaredIndex(places.leftOut, place, index)}]`
    : `${place}.${namedInput(target, places.offer)?.name ?? ''}`
  return variable === undefined ? at : `${at}.variables.${variable}`
}

function rawValueFor({ target }: FormField, values: JsonObject, places: CasePlaces): unknown {
  const { place, index, variable } = target
  if (place === 'url') return ownOf(values.variables, variable ?? '')
  if (place === 'headers' || place === 'environmentVariables')
    return ownOf(values[place], namedInput(target, places.offer)?.name ?? '')
  const list = values[place]
  return Array.isArray(list)
    ? (list[declaredIndex(places.leftOut, place, index)] as unknown)
    : undefined
}

function namedInput(
  { place, index }: FormField['target'],
  offer: Offer,
): KeyValueInput | undefined {
  if (offer.kind === 'remote') return offer.remote.headers[index]
  const { environmentVariables, transport } = offer.pkg
  return place === 'headers' ? transport.headers?.[index] : environmentVariables[index]
}

function ownOf(map: unknown, name: string): unknown {
  return isJsonObject(map) && Object.hasOwn(map, name) ? map[name] : undefined
}

/** Comma-separated text is several values if the input is repeated (A4). */
function asList(raw: unknown, { repeated }: FormField): unknown {
  if (!repeated || typeof raw !== 'string' || !raw.includes(',')) return raw
  return splitSeveral(raw)
}

function asValue(raw: unknown): FieldValue | undefined {
  if (!Array.isArray(raw)) return asText(raw)
  const texts = raw.map(asText)
  return texts.every((text) => text !== undefined) ? asOne(texts) : undefined
}

function asOne(texts: string[]): FieldValue {
  const [first] = texts
  return texts.length === 1 && first !== undefined ? first : texts
}

function asText(raw: unknown): string | undefined {
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw)
  return typeof raw === 'string' ? raw : undefined
}

/** A template variable of one row, or of each row of a list; a missing one takes its default. */
function pick(raw: unknown, variable: string, field: FormField): FieldValue | undefined {
  if (!Array.isArray(raw)) return asText(ownOf(raw, variable))
  const picked = raw.map((row) => asText(ownOf(row, variable)))
  if (picked.every((text) => text === undefined)) return raw.length === 0 ? [] : undefined
  return asOne(picked.map((text) => text ?? field.default ?? ''))
}
