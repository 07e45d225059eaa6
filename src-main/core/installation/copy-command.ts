import { randomUUID } from 'node:crypto'

import type { FieldValues } from '../../../src-shared/domain/field-values'
import type { Offer } from '../../../src-shared/domain/offer'
import type { ShellKind, ShellText } from '../../../src-shared/domain/shell-text'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { buildLaunchPlan } from '../launch/build-launch-plan'
import { markSecrets, remoteText, toShellCommand } from '../launch/shell-command'
import { shellText } from '../launch/shell-text'
import { splitSecrets } from './split-secrets'

/** What is copied: an offer with its typed values, the secrets that are saved, and a folder of its own. */
export type CopiedCommand = {
  readonly offer: Offer
  readonly values: FieldValues
  readonly savedSecrets: readonly string[]
  /** Empty or missing: the home folder, which is not written. */
  readonly cwd?: string | undefined
}

/**
 * The command for these values in a shell's own language, with variables for all secrets; a remote is JSON in each. Throws
 * UNSUPPORTED_PACKAGE, and NOT_AVAILABLE_HERE for what that language cannot carry.
 */
export function copyCommand(
  { offer, values, savedSecrets, cwd }: CopiedCommand,
  shell: ShellKind,
): ShellText {
  const fields = fieldsOfOffer(offer)
  const { plain, secrets, cleared } = splitSecrets(fields, values)
  const kept = savedSecrets.filter((key) => !cleared.includes(key))
  const marks = markSecrets([...new Set([...secrets.keys(), ...kept])], randomUUID())
  const plan = buildLaunchPlan(offer, plain, marks)
  if (plan.kind === 'remote') return remoteText(plan, fields, marks)
  const folder = cwd?.trim() ?? ''
  const command = toShellCommand(plan, fields, marks, folder === '' ? undefined : folder)
  return shellText(shell, command)
}
