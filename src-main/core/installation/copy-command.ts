import { randomUUID } from 'node:crypto'

import type { ShellKind, ShellText } from '../../../src-shared/domain/installation/command-text'
import { type SecretPlaces, valueCount } from '../../../src-shared/domain/installation/secret-place'
import type { FieldValues } from '../../../src-shared/domain/server-json/field-values'
import type { Offer } from '../../../src-shared/domain/server-json/offer'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { buildLaunchPlan } from '../launch/building/build-launch-plan'
import {
  markedSecrets,
  markSecrets,
  remoteText,
  toShellCommand,
} from '../launch/command-text/command-text'
import { shellText } from '../launch/command-text/quoted-text'
import { placeSecrets, splitSecrets } from './secrets/move-secrets'

/** What is copied: an offer with its typed values, the secrets that are saved, and a folder of its own. */
export type CopiedCommand = {
  readonly offer: Offer
  readonly values: FieldValues
  readonly secrets: SecretPlaces
  /** Empty or missing: the home folder, which is not written. */
  readonly cwd?: string | undefined
}

/**
 * The command for these values in a shell's own language, with variables for all secrets; a remote is JSON in each. Throws
 * UNSUPPORTED_PACKAGE, and NOT_AVAILABLE_HERE for what that language cannot carry.
 */
export function copyCommand(
  { offer, values, secrets: places, cwd }: CopiedCommand,
  shell: ShellKind,
): ShellText {
  const fields = fieldsOfOffer(offer)
  const split = splitSecrets(fields, values)
  const held = placeSecrets(fields, places, split)
  const counts = new Map(Object.entries(held).map(([key, place]) => [key, valueCount(place)]))
  const marks = markSecrets(counts, randomUUID())
  const plan = buildLaunchPlan(offer, split.plain, markedSecrets(marks))
  if (plan.kind === 'remote') return remoteText(plan, fields, marks)
  const folder = cwd?.trim() ?? ''
  const command = toShellCommand(plan, fields, marks, folder === '' ? undefined : folder)
  return shellText(shell, command)
}
