import type { FieldPath } from 'react-hook-form'

import {
  type CustomFieldPath,
  type CustomServer,
  type CustomServerPair,
  hasSecret,
  type TextSegment,
} from '../../../../src-shared/domain/installation/custom-server'
import { problemsOfCustomServer } from '../../../../src-shared/form/custom-server-problems'

/** A part of a text in the form. A part that replaced a saved secret keeps its field, so that the user can revert. */
export type EditedPiece = TextSegment & { readonly fieldKey?: string }

/** A text in the form: open, or with at least one secret part. */
export type EditedText = EditedPiece[]

/** One line of a list; `name` is empty for an argument. */
export type CustomServerRow = { name: string; value: EditedText }

/** The lists of lines. */
export type RowPlace = 'args' | 'env' | 'headers'

/** The form values of a custom server. Values of the other kind are kept while the user switches between both. */
export type CustomServerFieldParts = {
  kind: CustomServer['kind']
  command: string
  args: CustomServerRow[]
  env: CustomServerRow[]
  type: 'streamable-http' | 'sse'
  url: EditedText
  headers: CustomServerRow[]
}

const NOTHING: CustomServerFieldParts = {
  kind: 'command',
  command: '',
  args: [],
  env: [],
  type: 'streamable-http',
  url: [],
  headers: [],
}

/** Returns the form values of a custom server; empty ones for a new server. */
export function editedParts(made?: CustomServer): CustomServerFieldParts {
  if (made?.kind !== 'command') return { ...NOTHING, ...made }
  return { ...NOTHING, ...made, args: made.args.map((value) => ({ name: '', value })) }
}

/** Returns the server to send to main, without empty environment and header lines. */
export function madeOf(parts: CustomServerFieldParts): CustomServer {
  const { kind, command, args, env, type, url, headers } = parts
  if (kind === 'address') return { kind, type, url, headers: sentPairs(headers) }
  return { kind, command, args: args.map(({ value }) => value), env: sentPairs(env) }
}

function sentPairs(rows: readonly CustomServerRow[]): CustomServerPair[] {
  return rows.filter(isFilled).map(({ name, value }) => ({ name: name.trim(), value }))
}

function isFilled({ name, value }: CustomServerRow): boolean {
  return name !== '' || value.some((piece) => !isEmpty(piece))
}

/** Whether a line was never edited. */
export function isBlank({ name, value }: CustomServerRow): boolean {
  return name === '' && !hasSecret(value) && value.every(isEmpty)
}

function isEmpty(piece: EditedPiece): boolean {
  return piece.kind === 'text' ? piece.text === '' : piece.kind === 'secret' && piece.secret === ''
}

/** Problem of a field whose shared secret was removed. */
export const NO_SECRET = 'The shared secret no longer exists. Choose another one, or enter a value.'

/** Label of a line in each list. */
export const ROW_NAMES = { args: 'Argument', env: 'Variable', headers: 'Header' } as const

type HandPath = `hand.${FieldPath<CustomServerFieldParts>}`

type HandPlace = {
  readonly path: HandPath
  readonly elementId: string
  readonly label: string
  /** Main's name of the place: main doesn't count empty lines, which are not sent. */
  readonly spot: { readonly fieldKey: CustomFieldPath }
  readonly text: EditedText
}

/** Returns the element id of a part's control: `command`, `args.0.value`, `env.2.name`. */
export function customServerId(part: string): string {
  return `hand-${part}`
}

/** Returns every control of the parts in page order. */
export function fieldPathsOf(parts: CustomServerFieldParts): HandPlace[] {
  const { kind, args, env, url, headers } = parts
  if (kind === 'address')
    return [placeAt('url', 'url', 'Address', url), ...pairPlaces('headers', headers)]
  const places = args.map(({ value }, index) =>
    placeAt(`args.${index}.value`, `args.${index}`, `${ROW_NAMES.args} ${index + 1}`, value),
  )
  return [placeAt('command', 'command', 'Command'), ...places, ...pairPlaces('env', env)]
}

function placeAt(
  part: FieldPath<CustomServerFieldParts>,
  spot: CustomFieldPath,
  label: string,
  text: EditedText = [],
): HandPlace {
  return {
    path: `hand.${part}`,
    elementId: customServerId(part),
    label,
    spot: { fieldKey: spot },
    text,
  }
}

function pairPlaces(list: 'env' | 'headers', rows: readonly CustomServerRow[]): HandPlace[] {
  const indices = rows.flatMap((row, index) => (isFilled(row) ? [index] : []))
  return indices.flatMap((index, sent) => {
    const { name = '', value = [] } = rows[index] ?? {}
    const label = `${ROW_NAMES[list]} ${name.trim() === '' ? String(sent + 1) : name.trim()}`
    const valueLabel = hasSecret(value) ? name.trim() || 'The secret' : label
    return [
      placeAt(`${list}.${index}.name`, `${list}.${sent}.name`, label),
      placeAt(`${list}.${index}.value`, `${list}.${sent}.value`, valueLabel, value),
    ]
  })
}

/** Returns the problems of the parts by control path; `storedIds` are the available shared secrets. */
export function customServerProblems(
  parts: CustomServerFieldParts,
  storedIds: readonly string[],
): { readonly path: string; readonly message: string }[] {
  const problems = problemsOfCustomServer(madeOf(parts))
  return fieldPathsOf(parts).flatMap(({ path, spot, text }) => {
    const message =
      problems.find((problem) => problem.spot === spot.fieldKey)?.message ??
      secretFault(text, storedIds)
    return message === undefined ? [] : [{ path, message }]
  })
}

function secretFault(text: EditedText, storedIds: readonly string[]): string | undefined {
  if (text.some((piece) => piece.kind === 'secret' && piece.secret.trim() === ''))
    return 'Enter the secret.'
  const isGone = text.some(
    (piece) => piece.kind === 'stored' && !storedIds.includes(piece.secretId),
  )
  return isGone ? NO_SECRET : undefined
}
