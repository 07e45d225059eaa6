import * as z from 'zod'

import { PhaseBudgets, ProtocolOptions, WorkingFolder } from './installation'
import { LaunchPreview } from './launch-plan'
import { VariableName } from './secret-place'
import { StoredSecretId } from './stored-secret'

/** Characters, equal to the limit of a pasted text. A field reports what the system cannot pass. */
const MAX_TEXT = 1_000_000
const MAX_PIECES = 40
/** Equal to the limit for inputs of a registry package. */
const MAX_ROWS = 400

/**
 * A part of a text: open text, a secret as typed (empty until filled in), a secret already saved under that field of the installation,
 * whose value never comes back, a stored secret, or the value of an environment variable at each start.
 */
export const TextSegment = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string().max(MAX_TEXT) }),
  z.object({
    kind: z.literal('secret'),
    secret: z.string().max(MAX_TEXT),
    /** Its name in the configuration. */
    label: z.string().max(200).optional(),
  }),
  z.object({ kind: z.literal('saved'), fieldKey: z.string().max(200) }),
  z.object({ kind: z.literal('stored'), secretId: StoredSecretId }),
  z.object({ kind: z.literal('environment'), name: VariableName }),
])
export type TextSegment = z.infer<typeof TextSegment>

/** A text that a user wrote for a server, as ordered parts; the empty text has no part. */
export const CustomServerText = z.array(TextSegment).max(MAX_PIECES)
export type CustomServerText = z.infer<typeof CustomServerText>

/** An environment variable or a header. */
export const CustomServerPair = z.object({ name: z.string().max(1_000), value: CustomServerText })
export type CustomServerPair = z.infer<typeof CustomServerPair>

/** A server without a registry package, as a user describes it: a command on this computer or an address. */
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

/** All saved settings of a server made manually. */
export const CustomServerDraft = z.object({
  name: z.string().max(120),
  server: CustomServer,
  /** Empty or missing: the home folder. */
  cwd: WorkingFolder.optional(),
  budgets: PhaseBudgets.default({}),
  /** Missing: unchanged. */
  protocol: ProtocolOptions.optional(),
})
export type CustomServerDraft = z.infer<typeof CustomServerDraft>

/** Path of a part of it: `command`, `args.2`, `env.0.name`, `headers.1.value`, `url`. */
export const CustomFieldPath = z.string()
export type CustomFieldPath = z.infer<typeof CustomFieldPath>

/** Why a server made manually cannot be saved or approved, with the path. */
export const CustomServerProblem = z.object({
  fieldPath: CustomFieldPath,
  label: z.string(),
  message: z.string(),
})
export type CustomServerProblem = z.infer<typeof CustomServerProblem>

/** Launch preview of a server made manually. Its origins name paths instead of fields; null if it has no command or address. */
export const CustomServerPreview = z.object({
  preview: LaunchPreview.nullable(),
  problems: z.array(CustomServerProblem),
})
export type CustomServerPreview = z.infer<typeof CustomServerPreview>

/** Returns a text without secrets. */
export function openText(text: string): CustomServerText {
  return text === '' ? [] : [{ kind: 'text', text }]
}

/** Returns the text with each secret part replaced by `placeholder`. */
export function plainText(text: CustomServerText, placeholder: string): string {
  return text.map((piece) => (piece.kind === 'text' ? piece.text : placeholder)).join('')
}

/** Whether a text has a secret part. */
export function hasSecret(text: CustomServerText): boolean {
  return text.some(({ kind }) => kind !== 'text')
}
