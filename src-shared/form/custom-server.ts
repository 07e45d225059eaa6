import {
  type CustomFieldPath,
  type CustomServer,
  type CustomServerText,
  hasSecret,
  plainText,
  type TextSegment,
} from '../domain/installation/custom-server'
import type { SecretPlaces } from '../domain/installation/secret-place'
import type { FieldValues } from '../domain/server-json/field-values'
import type { Offer, OfferRef } from '../domain/server-json/offer'
import { CUSTOM_ENTRY, OWN_COMMAND } from '../domain/server-json/own-command'
import type {
  InputVariable,
  KeyValueInput,
  PositionalArgument,
  Remote,
  ServerJson,
} from '../domain/server-json/server-json'
import type { FieldTarget, FormField } from './form-field'
import { fieldsOfOffer } from './to-form-fields'

/** The last name before a value: `--api-key=`, `?key=`, `TOKEN=`, `Authorization: Bearer `. */
const BEFORE_VALUE = /([A-Za-z][\w.-]*)(?:=|:\s*(?:[A-Za-z]+\s+)?)$/

/**
 * Returns the label of a text's secret: from its configuration, the flag before the text or the text before the secret; undefined if
 * nothing names it or the text has no secret.
 */
function nameOfSecret(text: CustomServerText, flag: string): string | undefined {
  const at = text.findIndex(({ kind }) => kind !== 'text')
  if (at === -1) return undefined
  const secret = text[at]
  if (secret?.kind === 'secret' && secret.label !== undefined) return secret.label
  const before = text
    .slice(0, at)
    .map((piece) => (piece.kind === 'text' ? piece.text : ''))
    .join('')
    .slice(-300)
  const inText = BEFORE_VALUE.exec(before)?.[1]
  if (inText !== undefined) return inText
  return before === '' ? /^--?([A-Za-z][\w-]*)$/.exec(flag.slice(0, 300))?.[1] : undefined
}

/** A server made manually in the common shape of all servers. */
export type CustomServerSource = {
  readonly server: ServerJson
  readonly ref: OfferRef
  readonly offer: Offer
  /** Typed secrets by field key; secrets still to be filled in are missing. */
  readonly values: FieldValues
  /** Saved secrets that stay: old key and new key of each. */
  readonly kept: readonly { readonly from: string; readonly to: string }[]
  /** Stored secrets and environment variables that its fields use. */
  readonly secrets: SecretPlaces
  /** Path of each field of the form. */
  readonly fieldPaths: ReadonlyMap<string, CustomFieldPath>
}

type Input = {
  value?: string
  title?: string
  isSecret?: boolean
  isRequired?: boolean
  variables?: Variables
}
type Variables = Record<string, InputVariable>
/** A secret part with the target of its field. */
type SecretPart = {
  readonly piece: TextSegment
  readonly target: FieldTarget
  readonly fieldPath: CustomFieldPath
}

/** Creates a field for a secret, with the label of its configuration. */
function secretInput(piece: TextSegment): InputVariable {
  const title = piece.kind === 'secret' ? piece.label : undefined
  return { ...(title !== undefined && { title }), isSecret: true, isRequired: true }
}

/** Converts typed parts to a server with one offer. Texts are literal: a brace is a brace. */
export function toServerJson(made: CustomServer): CustomServerSource {
  const parts: SecretPart[] = []
  const blank: ServerJson = {
    name: CUSTOM_ENTRY,
    description: '',
    version: '',
    packages: [],
    remotes: [],
  }
  if (made.kind === 'address') {
    const remote = remoteOf(made, parts)
    const ref = { kind: 'remote', index: 0 } as const
    return withFields({ ...blank, remotes: [remote] }, ref, { kind: 'remote', remote }, parts)
  }
  const pkg = {
    registryType: OWN_COMMAND,
    identifier: made.command.trim(),
    transport: { type: 'stdio' },
    runtimeArguments: [],
    packageArguments: made.args.map((text, index) => argumentOf(made.args, text, index, parts)),
    environmentVariables: made.env.map(({ name, value }, index) =>
      pairOf(name, value, { place: 'environmentVariables', index }, parts),
    ),
  } satisfies ServerJson['packages'][number]
  const ref = { kind: 'package', index: 0 } as const
  return withFields({ ...blank, packages: [pkg] }, ref, { kind: 'package', pkg }, parts)
}

function argumentOf(
  args: readonly CustomServerText[],
  text: CustomServerText,
  index: number,
  parts: SecretPart[],
): PositionalArgument {
  const before = args[index - 1] ?? []
  const flag = hasSecret(before) ? '' : plainText(before, '')
  const name = nameOfSecret(text, flag)
  const target = { place: 'packageArguments', index } as const
  return { type: 'positional', valueHint: name, ...inputOf(text, name, target, parts) }
}

function pairOf(
  name: string,
  value: CustomServerText,
  target: FieldTarget,
  parts: SecretPart[],
): KeyValueInput {
  return { name, ...inputOf(value, name, target, parts) }
}

function remoteOf(made: Extract<CustomServer, { kind: 'address' }>, parts: SecretPart[]): Remote {
  const target = { place: 'url', index: 0 } as const
  // An empty `variables` marks an address without a secret as deliberately open.
  const { value = '', variables = {} } = inputOf(trimmed(made.url), undefined, target, parts, true)
  return {
    type: made.type,
    url: value,
    variables,
    headers: made.headers.map((header, index) =>
      pairOf(header.name, header.value, { place: 'headers', index }, parts),
    ),
  }
}

/** White space around an address is not part of it. */
function trimmed(url: CustomServerText): CustomServerText {
  return url.map((piece, index) => {
    if (piece.kind !== 'text') return piece
    const start = index === 0 ? piece.text.trimStart() : piece.text
    return { ...piece, text: index === url.length - 1 ? start.trimEnd() : start }
  })
}

/** Converts open text to a fixed value, one secret to its own input, and a mixture to a template of its secrets. */
function inputOf(
  text: CustomServerText,
  name: string | undefined,
  target: FieldTarget,
  parts: SecretPart[],
  asTemplate = false,
): Input {
  const fieldPath = fieldPathOf(target)
  const [only] = text
  if (only && only.kind !== 'text' && text.length === 1 && !asTemplate) {
    parts.push({ piece: only, target, fieldPath })
    return secretInput(only)
  }
  const variables: Variables = {}
  const open = text.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('\n')
  const pieces = text.map((piece, index) => {
    if (piece.kind === 'text') return piece.text
    const preferred = name ?? nameOfSecret(text.slice(0, index + 1), '') ?? 'secret'
    const variable = freeName(preferred.replace(/[{}]/g, ''), open, variables)
    variables[variable] = secretInput(piece)
    parts.push({ piece, target: { ...target, variable }, fieldPath })
    return `{${variable}}`
  })
  // What the user left open stays open, whatever its name.
  if (Object.keys(variables).length === 0) return { value: pieces.join(''), isSecret: false }
  return { value: pieces.join(''), variables }
}

/** Returns a name that is not used in braces in the open text. */
function freeName(preferred: string, open: string, taken: Variables): string {
  const base = preferred === '' || preferred === '__proto__' ? 'secret' : preferred
  let name = base
  for (let copy = 2; Object.hasOwn(taken, name) || open.includes(`{${name}}`); copy += 1)
    name = `${base}_${copy}`
  return name
}

function fieldPathOf({ place, index }: FieldTarget): CustomFieldPath {
  switch (place) {
    case 'url':
      return 'url'
    case 'headers':
      return `headers.${index}.value`
    case 'environmentVariables':
      return `env.${index}.value`
    case 'packageArguments':
    case 'runtimeArguments':
      return `args.${index}`
  }
}

function withFields(
  server: ServerJson,
  ref: OfferRef,
  offer: Offer,
  parts: readonly SecretPart[],
): CustomServerSource {
  const fields = fieldsOfOffer(offer)
  const found = parts.flatMap(({ piece, target, fieldPath }) => {
    const field = fields.find((one) => isAt(one, target))
    return field === undefined ? [] : [{ key: field.key, piece, fieldPath }]
  })
  return {
    server,
    ref,
    offer,
    values: Object.fromEntries(
      found.flatMap(({ key, piece }) =>
        piece.kind === 'secret' && piece.secret !== '' ? [[key, piece.secret]] : [],
      ),
    ),
    kept: found.flatMap(({ key, piece }) =>
      piece.kind === 'saved' ? [{ from: piece.fieldKey, to: key }] : [],
    ),
    secrets: Object.fromEntries(
      found.flatMap(({ key, piece }) =>
        piece.kind === 'stored' || piece.kind === 'environment' ? [[key, piece]] : [],
      ),
    ),
    fieldPaths: new Map(found.map(({ key, fieldPath }) => [key, fieldPath])),
  }
}

function isAt({ target }: FormField, wanted: FieldTarget): boolean {
  return (
    target.place === wanted.place &&
    target.index === wanted.index &&
    target.variable === wanted.variable
  )
}
