import { useEffect, useMemo, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useForm } from 'react-hook-form'

import type { PhaseBudgets } from '../../../../src-shared/domain/installation/installation'
import type { SharedSecrets } from '../../../../src-shared/domain/installation/stored-secret'
import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import type { Offer } from '../../../../src-shared/domain/server-json/offer'
import type { ServerJson } from '../../../../src-shared/domain/server-json/server-json'
import type { FormField } from '../../../../src-shared/form/form-field'
import type { RequestInput } from '../../../../src-shared/ipc/contract/contract'
import { call } from '../../../ipc/call'
import { useServers } from '../../../stores/app-store'
import { draftResolver } from '../values/draft-resolver'
import type { CheckedDraft, InstallDraft } from '../values/install-values'
import { chosenSecrets, isFullPath, sentValues, touchedValues } from '../values/install-values'
import { typedLimits } from '../values/limits'
import { PreviewBoard } from '../values/preview-board'

/** What is previewed: a catalog entry's offer, an installation with its saved secrets, or one in another version. */
export type PreviewSubject = RequestInput<'launch.preview'>['of']

/** What the form fills in: a new copy of a catalog entry, or one that is installed. */
export type InstallSubject = {
  readonly of: PreviewSubject
  readonly server: ServerJson
  readonly offer: Offer
  /** Set for an installation. */
  readonly installationId?: string
  /** The hash of the plan that the person approved before. */
  readonly approvedPlan?: string | undefined
  /** Set for an installation: what this page was made of. */
  readonly revision?: string
  readonly name: string
  readonly values: FieldValues
  readonly savedSecrets: readonly string[]
  /** The stored secrets that fields use; missing for none. */
  readonly sharedSecrets?: SharedSecrets
  readonly budgets: PhaseBudgets
  /** Empty for the home folder. */
  readonly cwd: string
}

/** The form of React Hook Form, typed for a draft. */
export type InstallFormApi = UseFormReturn<InstallDraft, unknown, CheckedDraft>

/** The values and the folder that a preview is asked for. */
export type CommandQuestion = {
  readonly values: FieldValues
  readonly sharedSecrets: SharedSecrets
  readonly cwd: string
}

/** The live preview of a form. */
export type CommandBoard = PreviewBoard<CommandQuestion>

/** Names of all servers but the one with this id. */
export function useTakenNames(exceptId?: string): string[] {
  const servers = useServers()
  return servers.filter(({ installationId }) => installationId !== exceptId).map(({ name }) => name)
}

/** What a draft asks of main; a folder that is still being typed counts for the home folder. */
export function questionOf(
  fields: readonly FormField[],
  { values, shared, cwd }: InstallDraft,
): CommandQuestion {
  const folder = cwd.trim()
  return {
    values: sentValues(fields, touchedValues(values)),
    sharedSecrets: chosenSecrets(shared),
    cwd: isFullPath(folder) ? folder : '',
  }
}

function initialDraft(subject: InstallSubject, fields: readonly FormField[]): InstallDraft {
  return {
    name: subject.name,
    cwd: subject.cwd,
    ...typedLimits(subject.budgets),
    values: Object.fromEntries(fields.map(({ key }) => [key, subject.values[key] ?? null])),
    shared: Object.fromEntries(
      fields
        .filter(({ secret }) => secret)
        .map(({ key }) => [key, subject.sharedSecrets?.[key] ?? null]),
    ),
  }
}

/** Asks for the preview now and after each change of the form. */
function useBoard(
  form: InstallFormApi,
  of: PreviewSubject,
  fields: readonly FormField[],
): CommandBoard {
  const [board] = useState(
    (): CommandBoard => new PreviewBoard((question) => call('launch.preview', { of, ...question })),
  )
  const { getValues, subscribe } = form
  useEffect(() => {
    const ask = (): void => board.ask(() => questionOf(fields, getValues()))
    ask()
    const stop = subscribe({ formState: { values: true }, callback: ask })
    return () => {
      stop()
      board[Symbol.dispose]()
    }
  }, [board, fields, getValues, subscribe])
  return board
}

/** Form and live preview of one subject; neither draws anything by itself when something is typed. */
export function useInstallForm(
  subject: InstallSubject,
  fields: readonly FormField[],
): { readonly form: InstallFormApi; readonly board: CommandBoard } {
  const takenNames = useTakenNames(subject.installationId)
  const { savedSecrets } = subject
  const taken = JSON.stringify(takenNames)
  const resolver = useMemo(
    () =>
      draftResolver({
        fields,
        savedSecrets,
        takenNames: JSON.parse(taken) as string[],
      }),
    [fields, savedSecrets, taken],
  )
  const [defaultValues] = useState(() => initialDraft(subject, fields))
  const form = useForm<InstallDraft, unknown, CheckedDraft>({
    resolver,
    defaultValues,
    mode: 'onSubmit',
    shouldFocusError: false,
  })
  return { form, board: useBoard(form, subject.of, fields) }
}
