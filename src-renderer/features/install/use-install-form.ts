import { zodResolver } from '@hookform/resolvers/zod'
import type { UseFormReturn } from 'react-hook-form'
import { useForm, useWatch } from 'react-hook-form'

import type { FieldValues } from '../../../src-shared/domain/field-values'
import type { PhaseBudgets } from '../../../src-shared/domain/installation'
import type { Offer } from '../../../src-shared/domain/offer'
import type { ServerJson } from '../../../src-shared/domain/server-json'
import type { FormField } from '../../../src-shared/form/form-field'
import { useServers } from '../../stores/app-store'
import type { CheckedDraft, DraftValues, InstallDraft } from './install-values'
import { draftSchema, isFullPath, sentValues, touchedValues } from './install-values'
import type { CommandQuestion, PreviewSubject } from './use-preview'
import { usePreview } from './use-preview'

/** What the form fills in: a new copy of a catalog entry, or one that is installed. */
export type InstallSubject = {
  readonly of: PreviewSubject
  readonly server: ServerJson
  readonly offer: Offer
  /** Set for an installation. */
  readonly installationId?: string
  readonly name: string
  readonly values: FieldValues
  readonly savedSecrets: readonly string[]
  readonly budgets: PhaseBudgets
  /** Empty for the home folder. */
  readonly cwd: string
}

/** The form of React Hook Form, typed for a draft. */
export type InstallFormApi = UseFormReturn<InstallDraft, unknown, CheckedDraft>

/** Names of all servers but the one with this id. */
export function useTakenNames(exceptId?: string): string[] {
  const servers = useServers()
  return servers.filter(({ installationId }) => installationId !== exceptId).map(({ name }) => name)
}

function initialDraft(subject: InstallSubject, fields: readonly FormField[]): InstallDraft {
  const { installMs, handshakeMs, requestMs } = subject.budgets
  return {
    name: subject.name,
    cwd: subject.cwd,
    install: secondsOf(installMs),
    handshake: secondsOf(handshakeMs),
    request: secondsOf(requestMs),
    values: Object.fromEntries(fields.map(({ key }) => [key, subject.values[key] ?? null])),
  }
}

function secondsOf(ms: number | undefined): string {
  return ms === undefined ? '' : String(ms / 1000)
}

/** Form, present values and live preview of one subject. */
export function useInstallForm(
  subject: InstallSubject,
  fields: readonly FormField[],
): {
  readonly form: InstallFormApi
  readonly values: DraftValues
  readonly command: CommandQuestion
} {
  const takenNames = useTakenNames(subject.installationId)
  const { savedSecrets, budgets } = subject
  const form = useForm<InstallDraft, unknown, CheckedDraft>({
    resolver: zodResolver(draftSchema({ fields, savedSecrets, takenNames, budgets })),
    defaultValues: initialDraft(subject, fields),
    mode: 'onSubmit',
    shouldFocusError: false,
  })
  const values = useWatch({ control: form.control, name: 'values' })
  const typed = useWatch({ control: form.control, name: 'cwd' }).trim()
  // One that is being typed is no folder yet; its field says so once it is left like this.
  const cwd = isFullPath(typed) ? typed : ''
  const command = usePreview(subject.of, sentValues(touchedValues(values)), cwd)
  return { form, values, command }
}
