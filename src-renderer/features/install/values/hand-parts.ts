import {
  type CustomServer,
  type CustomServerPair,
  hasSecret,
  type TextSegment,
} from '../../../../src-shared/domain/installation/custom-server'

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

/** Whether a line of a list of pairs counts. */
export function isFilled({ name, value }: CustomServerRow): boolean {
  return name !== '' || value.some((piece) => !isEmpty(piece))
}

/** Whether a line was never typed into. */
export function isBlank({ name, value }: CustomServerRow): boolean {
  return name === '' && !hasSecret(value) && value.every(isEmpty)
}

function isEmpty(piece: EditedPiece): boolean {
  return piece.kind === 'text' ? piece.text === '' : piece.kind === 'secret' && piece.secret === ''
}
