import * as z from 'zod'

import { PhaseBudgets, ProtocolOptions, WorkingFolder } from './installation'
import { LaunchPreview } from './launch-plan'
import { VariableName } from './secret-place'
import { StoredSecretId } from './stored-secret'

/** Linux passes no single argument or variable that is longer than 128 KiB. */
const MAX_TEXT = 131_072
const MAX_PIECES = 40
/** As many inputs as a package of the registry may have. */
const MAX_ROWS = 400

/**
 * A part of a text: open, secret as it was typed (empty while it has to be filled in), secret and saved
 * already under that field of the installation, whose value never comes back, that of a stored secret,
 * or the value that a variable of the environment has at each start.
 */
export const HandPiece = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string().max(MAX_TEXT) }),
  z.object({
    kind: z.literal('secret'),
    secret: z.string().max(MAX_TEXT),
    /** What its configuration calls it. */
    label: z.string().max(200).optional(),
  }),
  z.object({ kind: z.literal('saved'), fieldKey: z.string().max(200) }),
  z.object({ kind: z.literal('stored'), secretId: StoredSecretId }),
  z.object({ kind: z.literal('environment'), name: VariableName }),
])
export type HandPiece = z.infer<typeof HandPiece>

/** A text that a person wrote for a server, its parts in order; no part is the empty text. */
export const HandText = z.array(HandPiece).max(MAX_PIECES)
export type HandText = z.infer<typeof HandText>

/** A variable of the environment or a header. */
export const HandPair = z.object({ name: z.string().max(1_000), value: HandText })
export type HandPair = z.infer<typeof HandPair>

/** A server that is no package of a registry, as a person describes it: a command of this machine, or an address. */
export const HandMade = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('command'),
    command: z.string().max(4_096),
    args: z.array(HandText).max(MAX_ROWS),
    env: z.array(HandPair).max(MAX_ROWS),
  }),
  z.object({
    kind: z.literal('address'),
    type: z.enum(['streamable-http', 'sse']),
    url: HandText,
    headers: z.array(HandPair).max(MAX_ROWS),
  }),
])
export type HandMade = z.infer<typeof HandMade>

/** All that is saved of a server that was made by hand. */
export const HandDraft = z.object({
  name: z.string().max(120),
  made: HandMade,
  /** Empty or missing: the home folder. */
  cwd: WorkingFolder.optional(),
  budgets: PhaseBudgets.default({}),
  /** Missing: as it was before. */
  protocol: ProtocolOptions.optional(),
})
export type HandDraft = z.infer<typeof HandDraft>

/** Where something of it stands: `command`, `args.2`, `env.0.name`, `headers.1.value`, `url`. */
export const HandSpot = z.string()
export type HandSpot = z.infer<typeof HandSpot>

/** What keeps a server made by hand from being saved or approved, at its place. */
export const HandProblem = z.object({ spot: HandSpot, label: z.string(), message: z.string() })
export type HandProblem = z.infer<typeof HandProblem>

/** How a server made by hand would start. Its origins name spots instead of fields; null while it has no command or address. */
export const HandPreview = z.object({
  preview: LaunchPreview.nullable(),
  problems: z.array(HandProblem),
})
export type HandPreview = z.infer<typeof HandPreview>

/** A text without secrets. */
export function openText(text: string): HandText {
  return text === '' ? [] : [{ kind: 'text', text }]
}

/** The text with each secret part as `stand`. */
export function plainText(text: HandText, stand: string): string {
  return text.map((piece) => (piece.kind === 'text' ? piece.text : stand)).join('')
}

/** True for a text with a secret part. */
export function hasSecret(text: HandText): boolean {
  return text.some(({ kind }) => kind !== 'text')
}
