import {
  type HandDraft,
  type HandMade,
  type HandPair,
  type HandText,
  hasSecret,
  openText,
} from '../../../../src-shared/domain/installation/by-hand'
import { type TypedLimits, typedLimits } from '../values/limits'

/** A part of a text under editing; an undefined secret is the saved one of `fieldKey`, to which a stored one gives way again. */
export type EditedPiece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'secret'
      readonly secret: string | undefined
      readonly fieldKey?: string | undefined
    }
  | {
      readonly kind: 'shared'
      readonly secretId: string
      readonly fieldKey?: string | undefined
    }

/** A text under editing: open, or with at least one secret part. */
export type EditedText =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'secret'; readonly pieces: readonly EditedPiece[] }

/** One line of a list; `rowId` stays with it when it moves, `name` is empty for an argument. */
export type HandRow = {
  readonly rowId: string
  readonly name: string
  readonly value: EditedText
}

/** All that the editor holds. What belongs to the other kind is kept while the person tries both. */
export type HandForm = {
  readonly kind: HandMade['kind']
  readonly name: string
  readonly command: string
  readonly args: readonly HandRow[]
  readonly env: readonly HandRow[]
  readonly cwd: string
  readonly type: 'streamable-http' | 'sse'
  readonly url: EditedText
  readonly headers: readonly HandRow[]
  readonly limits: TypedLimits
}

/** The lists of an editor. */
export type RowPlace = 'args' | 'env' | 'headers'

const NOTHING: EditedText = { kind: 'plain', text: '' }

/** A line that holds nothing yet. */
export function blankRow(name = '', value = NOTHING): HandRow {
  return { rowId: crypto.randomUUID(), name, value }
}

/** An editor for a new server. */
export function blankForm(): HandForm {
  return {
    kind: 'command',
    name: '',
    command: '',
    args: [],
    env: [],
    cwd: '',
    type: 'streamable-http',
    url: NOTHING,
    headers: [],
    limits: typedLimits({}),
  }
}

/** An editor for what is saved. */
export function formOf({ name, made, cwd = '', budgets }: HandDraft): HandForm {
  const form = { ...blankForm(), kind: made.kind, name, cwd, limits: typedLimits(budgets) }
  if (made.kind === 'address')
    return {
      ...form,
      type: made.type,
      url: editedText(made.url),
      headers: made.headers.map(rowOf),
    }
  return {
    ...form,
    command: made.command,
    args: made.args.map((value) => rowOf({ name: '', value })),
    env: made.env.map(rowOf),
  }
}

/** The same without its saved secrets, for another copy; stored ones are there for it too. */
export function withoutSaved(form: HandForm): HandForm {
  const forget = (text: EditedText): EditedText =>
    text.kind === 'plain'
      ? text
      : {
          kind: 'secret',
          pieces: text.pieces.map((piece) =>
            piece.kind === 'secret' ? { kind: 'secret', secret: '' } : piece,
          ),
        }
  const forgetAll = (rows: readonly HandRow[]): HandRow[] =>
    rows.map((row) => ({ ...row, value: forget(row.value) }))
  const { args, env, url, headers } = form
  return {
    ...form,
    args: forgetAll(args),
    env: forgetAll(env),
    url: forget(url),
    headers: forgetAll(headers),
  }
}

function rowOf({ name, value }: HandPair): HandRow {
  return blankRow(name, editedText(value))
}

function editedText(text: HandText): EditedText {
  if (!hasSecret(text))
    return {
      kind: 'plain',
      text: text.map((piece) => ('text' in piece ? piece.text : '')).join(''),
    }
  return {
    kind: 'secret',
    pieces: text.map((piece): EditedPiece => {
      if (piece.kind === 'saved')
        return { kind: 'secret', secret: undefined, fieldKey: piece.fieldKey }
      return piece
    }),
  }
}

/** What is sent to main. Lines of the environment and of headers that hold nothing are left out. */
export function madeOf(form: HandForm): HandMade {
  if (form.kind === 'address')
    return {
      kind: 'address',
      type: form.type,
      url: handText(form.url),
      headers: pairsOf(form.headers),
    }
  return {
    kind: 'command',
    command: form.command,
    args: form.args.map(({ value }) => handText(value)),
    env: pairsOf(form.env),
  }
}

/** The lines that count, in order; spots are counted among them. */
export function filledRows(rows: readonly HandRow[]): HandRow[] {
  return rows.filter(({ name, value }) => name !== '' || !isNothing(value))
}

function pairsOf(rows: readonly HandRow[]): HandPair[] {
  return filledRows(rows).map(({ name, value }) => ({ name: name.trim(), value: handText(value) }))
}

function isNothing(text: EditedText): boolean {
  if (text.kind === 'plain') return text.text === ''
  return text.pieces.every(
    (piece) =>
      piece.kind !== 'shared' && (piece.kind === 'text' ? piece.text : piece.secret) === '',
  )
}

function handText(text: EditedText): HandText {
  if (text.kind === 'plain') return openText(text.text)
  return text.pieces.map((piece) => {
    if (piece.kind === 'text') return piece
    if (piece.kind === 'shared') return { kind: 'shared', secretId: piece.secretId }
    const { secret, fieldKey } = piece
    if (secret === undefined && fieldKey !== undefined) return { kind: 'saved', fieldKey }
    return { kind: 'secret', secret: secret ?? '' }
  })
}
