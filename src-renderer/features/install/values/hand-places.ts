import type { FieldPath } from 'react-hook-form'

import {
  type CustomFieldPath,
  type CustomServer,
  type CustomServerPair,
  hasSecret,
  type TextSegment,
} from '../../../../src-shared/domain/installation/custom-server'
import { problemsOfCustomServer } from '../../../../src-shared/form/custom-server-problems'

/** A part of a text in the form; one that took the place of a saved secret knows its field, to which it can give way again. */
export type EditedPiece = TextSegment & { readonly fieldKey?: string }

/** A text in the form: open, or with at least one secret part. */
export type EditedText = EditedPiece[]

/** One line of a list; `name` is empty for an argument. */
export type CustomServerRow = { name: string; value: EditedText }

/** The lists of lines. */
export type RowPlace = 'args' | 'env' | 'headers'

/** What the form holds of a server made manually. What belongs to the other kind is kept while the user tries both. */
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

/** The parts as the form takes them; nothing yet for a new server. */
export function editedParts(made?: CustomServer): CustomServerFieldParts {
  if (made?.kind !== 'command') return { ...NOTHING, ...made }
  return { ...NOTHING, ...made, args: made.args.map((value) => ({ name: '', value })) }
}

/** What is sent to main. Lines of the environment and of headers that hold nothing are left out. */
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

/** Whether a line was never typed into. */
export function isBlank({ name, value }: CustomServerRow): boolean {
  return name === '' && !hasSecret(value) && value.every(isEmpty)
}

function isEmpty(piece: EditedPiece): boolean {
  return piece.kind === 'text' ? piece.text === '' : piece.kind === 'secret' && piece.secret === ''
}

/** The problem of a field whose stored secret was removed. */
export const NO_SECRET = 'The shared secret no longer exists. Choose another one, or enter a value.'

/** What a line of each list is called. */
export const ROW_NAMES = { args: 'Argument', env: 'Variable', headers: 'Header' } as const

type HandPath = `hand.${FieldPath<CustomServerFieldParts>}`

type HandPlace = {
  readonly path: HandPath
  readonly elementId: string
  readonly label: string
  /** As main names it, which is not sent lines that hold nothing. */
  readonly spot: { readonly fieldKey: CustomFieldPath }
  readonly text: EditedText
}

/** Element id of the control of a part: `command`, `args.0.value`, `env.2.name`. */
export function customServerId(part: string): string {
  return `hand-${part}`
}

/** Every control of the parts, in the order of the page. */
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

/** What keeps the parts from being saved, by the path of its control; `storedIds` are the secrets that are there to be chosen. */
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
