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
export type RowKind = 'args' | 'env' | 'headers'

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
export function editedParts(server?: CustomServer): CustomServerFieldParts {
  if (server?.kind !== 'command') return { ...NOTHING, ...server }
  return { ...NOTHING, ...server, args: server.args.map((value) => ({ name: '', value })) }
}

/** Returns the server to send to main, without empty environment and header lines. */
export function customServerOf(parts: CustomServerFieldParts): CustomServer {
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

type CustomServerPath = `customServer.${FieldPath<CustomServerFieldParts>}`

type CustomServerControl = {
  readonly path: CustomServerPath
  readonly elementId: string
  readonly label: string
  /** Main's name of the place: main doesn't count empty lines, which are not sent. */
  readonly fieldRef: { readonly fieldKey: CustomFieldPath }
  readonly text: EditedText
}

/** Returns the element id of a part's control: `command`, `args.0.value`, `env.2.name`. */
export function customServerId(part: string): string {
  return `customServer-${part}`
}

/** Returns every control of the parts in page order. */
export function fieldPathsOf(parts: CustomServerFieldParts): CustomServerControl[] {
  const { kind, args, env, url, headers } = parts
  if (kind === 'address')
    return [controlAt('url', 'url', 'Address', url), ...pairControls('headers', headers)]
  const argControls = args.map(({ value }, index) =>
    controlAt(`args.${index}.value`, `args.${index}`, `${ROW_NAMES.args} ${index + 1}`, value),
  )
  return [controlAt('command', 'command', 'Command'), ...argControls, ...pairControls('env', env)]
}

function controlAt(
  part: FieldPath<CustomServerFieldParts>,
  fieldPath: CustomFieldPath,
  label: string,
  text: EditedText = [],
): CustomServerControl {
  return {
    path: `customServer.${part}`,
    elementId: customServerId(part),
    label,
    fieldRef: { fieldKey: fieldPath },
    text,
  }
}

function pairControls(
  list: 'env' | 'headers',
  rows: readonly CustomServerRow[],
): CustomServerControl[] {
  const indices = rows.flatMap((row, index) => (isFilled(row) ? [index] : []))
  return indices.flatMap((index, sent) => {
    const { name = '', value = [] } = rows[index] ?? {}
    const label = `${ROW_NAMES[list]} ${name.trim() === '' ? String(sent + 1) : name.trim()}`
    const valueLabel = hasSecret(value) ? name.trim() || 'The secret' : label
    return [
      controlAt(`${list}.${index}.name`, `${list}.${sent}.name`, label),
      controlAt(`${list}.${index}.value`, `${list}.${sent}.value`, valueLabel, value),
    ]
  })
}

/** Returns the problems of the parts by control path; `storedIds` are the available shared secrets. */
export function customServerProblems(
  parts: CustomServerFieldParts,
  storedIds: readonly string[],
): { readonly path: string; readonly message: string }[] {
  const problems = problemsOfCustomServer(customServerOf(parts))
  return fieldPathsOf(parts).flatMap(({ path, fieldRef, text }) => {
    const message =
      problems.find((problem) => problem.fieldPath === fieldRef.fieldKey)?.message ??
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
