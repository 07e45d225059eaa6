import * as z from 'zod'

import { PhaseBudgets, ProtocolOptions, WorkingFolder } from './installation'
import { LaunchPreview } from './launch-plan'
import { VariableName } from './secret-place'
import { StoredSecretId } from './stored-secret'

/** Characters, as many as a pasted text may have: what a system passes is said at the field. */
const MAX_TEXT = 1_000_000
const MAX_PIECES = 40
/** As many inputs as a package of the registry may have. */
const MAX_ROWS = 400

/**
 * A part of a text: open, secret as it was typed (empty while it has to be filled in), secret and saved
 * already under that field of the installation, whose value never comes back, that of a stored secret,
 * or the value that a variable of the environment has at each start.
 */
export const TextSegment = z.discriminatedUnion('kind', [
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
export type TextSegment = z.infer<typeof TextSegment>

/** A text that a user wrote for a server, its parts in order; no part is the empty text. */
export const CustomServerText = z.array(TextSegment).max(MAX_PIECES)
export type CustomServerText = z.infer<typeof CustomServerText>

/** A variable of the environment or a header. */
export const CustomServerPair = z.object({ name: z.string().max(1_000), value: CustomServerText })
export type CustomServerPair = z.infer<typeof CustomServerPair>

/** A server that is no package of a registry, as a user describes it: a command of this machine, or an address. */
export const CustomServer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('command'),
    command: z.string().max(4_096),
    args: z.array(CustomServerText).max(MAX_ROWS),
    env: z.array(CustomServerPair).max(MAX_ROWS),
  }),
  z.object({
    kind: z.literal('address'),
    type: z.enum(['streamable-http', 'sse']),
    url: CustomServerText,
    headers: z.array(CustomServerPair).max(MAX_ROWS),
  }),
])
export type CustomServer = z.infer<typeof CustomServer>

/** All that is saved of a server that was made manually. */
export const CustomServerDraft = z.object({
  name: z.string().max(120),
  made: CustomServer,
  /** Empty or missing: the home folder. */
  cwd: WorkingFolder.optional(),
  budgets: PhaseBudgets.default({}),
  /** Missing: as it was before. */
  protocol: ProtocolOptions.optional(),
})
export type CustomServerDraft = z.infer<typeof CustomServerDraft>

/** Where something of it stands: `command`, `args.2`, `env.0.name`, `headers.1.value`, `url`. */
export const CustomFieldPath = z.string()
export type CustomFieldPath = z.infer<typeof CustomFieldPath>

/** What keeps a server made manually from being saved or approved, at its place. */
export const CustomServerProblem = z.object({
  spot: CustomFieldPath,
  label: z.string(),
  message: z.string(),
})
export type CustomServerProblem = z.infer<typeof CustomServerProblem>

/** How a server made manually would start. Its origins name spots instead of fields; null while it has no command or address. */
export const CustomServerPreview = z.object({
  preview: LaunchPreview.nullable(),
  problems: z.array(CustomServerProblem),
})
export type CustomServerPreview = z.infer<typeof CustomServerPreview>

/** A text without secrets. */
export function openText(text: string): CustomServerText {
  return text === '' ? [] : [{ kind: 'text', text }]
}

/** The text with each secret part as `stand`. */
export function plainText(text: CustomServerText, stand: string): string {
  return text.map((piece) => (piece.kind === 'text' ? piece.text : stand)).join('')
}

/** True for a text with a secret part. */
export function hasSecret(text: CustomServerText): boolean {
  return text.some(({ kind }) => kind !== 'text')
}
