import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useForm } from 'react-hook-form'

import type { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'
import { placeAt } from '../../../../src-shared/domain/installation/secret-place'
import type { FormField } from '../../../../src-shared/form/form-field'
import { useApp, useServers } from '../../../stores/app-store'
import { draftResolver } from '../values/draft-resolver'
import { madeOf } from '../values/hand-parts'
import type { CheckedDraft, CommandQuestion, InstallDraft } from '../values/install-values'
import { isFullPath, sentPlaces, sentValues, touchedValues } from '../values/install-values'
import { typedLimits } from '../values/limits'
import { PreviewBoard } from '../values/preview-board'
import { protocolChoice } from '../values/protocol-choice'
import type { Channel } from './channel'
import { channelOf } from './channel'
import type { InstallSubject } from './install-subject'

/** The form of React Hook Form, typed for a draft. */
export type InstallFormApi = UseFormReturn<InstallDraft, unknown, CheckedDraft>

/** The live preview of a form. */
type CommandBoard = PreviewBoard<CommandQuestion, LaunchPreview | null>

/** A form with what is around it; nothing of it draws anything by itself when something is typed. */
export type InstallFormModel = {
  readonly form: InstallFormApi
  readonly board: CommandBoard
  readonly channel: Channel
  /** In the order of the page. */
  readonly fields: readonly FormField[]
}

/** Names of all servers but the one with this id. */
export function useTakenNames(exceptId?: string): string[] {
  const servers = useServers()
  return servers.filter(({ installationId }) => installationId !== exceptId).map(({ name }) => name)
}

/** What a draft asks of main; a folder that is still being typed counts for the home folder. */
export function questionOf(
  fields: readonly FormField[],
  { values, secrets, cwd, hand }: InstallDraft,
): CommandQuestion {
  const folder = cwd.trim()
  return {
    values: sentValues(fields, touchedValues(values)),
    secrets: sentPlaces(secrets),
    cwd: isFullPath(folder) ? folder : '',
    made: hand && madeOf(hand),
  }
}

function initialDraft(subject: InstallSubject, fields: readonly FormField[]): InstallDraft {
  return {
    name: subject.name,
    cwd: subject.cwd,
    ...typedLimits(subject.budgets),
    ...protocolChoice(subject.protocol),
    values: Object.fromEntries(fields.map(({ key }) => [key, subject.values[key] ?? null])),
    secrets: Object.fromEntries(
      fields.map(({ key }) => [key, placeAt(subject.secrets, key) ?? null]),
    ),
    ...('parts' in subject && { hand: subject.parts }),
  }
}

/** Asks for the preview now and after each change of the form. */
function useBoard(
  form: InstallFormApi,
  channel: Channel,
  fields: readonly FormField[],
): CommandBoard {
  const queries = useQueryClient()
  const [board] = useState((): CommandBoard => new PreviewBoard(queries, channel.preview))
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

type DraftCheck = ReturnType<typeof draftResolver>

function useCheck(subject: InstallSubject, fields: readonly FormField[]): DraftCheck {
  const stored = useApp((state) => state.app?.secrets.stored)
  const taken = JSON.stringify(useTakenNames(subject.installationId))
  const ids = JSON.stringify((stored ?? []).map(({ secretId }) => secretId))
  return useMemo(
    () =>
      draftResolver({
        fields,
        takenNames: JSON.parse(taken) as string[],
        storedIds: JSON.parse(ids) as string[],
      }),
    [fields, taken, ids],
  )
}

/** Lines that were written manually count for one another: once the user has tried to go on, every change checks them all. */
function useWholeCheck(form: InstallFormApi, isOn: boolean, check: DraftCheck): void {
  const { subscribe, trigger, formState } = form
  const isDue = formState.isSubmitted && isOn
  const last = useRef(check)
  useEffect(() => {
    const isNew = last.current !== check
    last.current = check
    if (!isDue) return
    // Other names or stored secrets are there; else what main found stays until a line changes.
    if (isNew) void trigger()
    return subscribe({ formState: { values: true }, callback: () => void trigger() })
  }, [isDue, check, subscribe, trigger])
}

/** Form, live preview and channel of one subject. */
export function useInstallForm(
  subject: InstallSubject,
  fields: readonly FormField[],
): InstallFormModel {
  const channel = useMemo(() => channelOf(subject), [subject])
  const check = useCheck(subject, fields)
  const [defaultValues] = useState(() => initialDraft(subject, fields))
  const form = useForm<InstallDraft, unknown, CheckedDraft>({
    resolver: check,
    defaultValues,
    mode: 'onSubmit',
    shouldFocusError: false,
  })
  useWholeCheck(form, 'parts' in subject, check)
  return { form, board: useBoard(form, channel, fields), channel, fields }
}
