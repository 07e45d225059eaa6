import { zodResolver } from '@hookform/resolvers/zod'
import {
  type QueryClient,
  QueryObserver,
  type QueryObserverOptions,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type Control, type Resolver, useForm, type UseFormReturn } from 'react-hook-form'
import { createStore, type StoreApi } from 'zustand/vanilla'

import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'
import {
  placeAt,
  placesOfKind,
  type SecretPlace,
} from '../../../../src-shared/domain/installation/secret-place'
import type { FormField } from '../../../../src-shared/form/form-field'
import { toErrorShape } from '../../../ipc/call'
import { useApp, useSecretsInMemory, useServers } from '../../../stores/app-store'
import type { FormView } from '../values/field-places'
import { madeOf } from '../values/hand-places'
import {
  type CheckedDraft,
  type CommandQuestion,
  type DraftRules,
  draftSchema,
  type InstallDraft,
  isFullPath,
  protocolChoice,
  sentPlaces,
  sentValues,
  touchedValues,
  typedLimits,
} from '../values/install-values'
import { type Channel, channelOf, type InstallSubject } from './install-subject'

/** The form of React Hook Form, typed for a draft. */
export type InstallFormApi = UseFormReturn<InstallDraft, unknown, CheckedDraft>

type CommandBoard = PreviewBoard<CommandQuestion>

/** A form with what its parts need to know of it and of the app; the same object as long as nothing of that changes. */
export type InstallFormModel = {
  readonly subject: InstallSubject
  readonly form: InstallFormApi
  readonly control: Control<InstallDraft, unknown, CheckedDraft>
  readonly view: FormView
  readonly board: CommandBoard
  readonly channel: Channel
  readonly fields: readonly FormField[]
  /** Secrets are held in memory only and end with this run. */
  readonly secretsInMemory: boolean
  readonly savedWords: string
  /** The place of a field's own secret; null for one that has none. */
  readonly ownPlace: (fieldKey: string) => SecretPlace | null
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

function useCheck(subject: InstallSubject, fields: readonly FormField[]): DraftResolver {
  const stored = useApp((state) => state.app?.secrets.stored)
  const takenNames = useTakenNames(subject.installationId)
  const rules = { takenNames, storedIds: (stored ?? []).map(({ secretId }) => secretId) }
  // One text, which stays while servers and secrets change otherwise.
  const text = JSON.stringify(rules)
  return useMemo(
    () => draftResolver({ ...(JSON.parse(text) as typeof rules), fields }),
    [fields, text],
  )
}

/** Lines that were written manually count for one another: once the user has tried to go on, every change checks them all. */
function useWholeCheck(form: InstallFormApi, isOn: boolean, check: DraftResolver): void {
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

/** The form of one subject, with its live preview. */
export function useInstallForm(
  subject: InstallSubject,
  fields: readonly FormField[],
): InstallFormModel {
  const channel = useMemo(() => channelOf(subject), [subject])
  const check = useCheck(subject, fields)
  const [defaultValues] = useState(() => initialDraft(subject, fields))
  const [view] = useState((): FormView =>
    createStore(() => ({ place: null, isAdvancedOpen: false, query: '' })),
  )
  const form = useForm<InstallDraft, unknown, CheckedDraft>({
    resolver: check,
    defaultValues,
    mode: 'onSubmit',
    shouldFocusError: false,
  })
  useWholeCheck(form, 'parts' in subject, check)
  const board = useBoard(form, channel, fields)
  const secretsInMemory = useSecretsInMemory()
  return useMemo(() => {
    const own = placesOfKind(subject.secrets, 'own')
    return {
      ...{ subject, form, control: form.control, view, board, channel, fields, secretsInMemory },
      savedWords: secretsInMemory ? 'Saved in memory' : 'Saved in keychain',
      ownPlace: (fieldKey) => placeAt(own, fieldKey) ?? null,
    }
  }, [subject, form, view, board, channel, fields, secretsInMemory])
}

type DraftResolver = Resolver<InstallDraft, unknown, CheckedDraft>

/** Checks a draft by its schema; a field whose secret is somewhere has a value. */
export function draftResolver(rules: Omit<DraftRules, 'savedSecrets'>): DraftResolver {
  return (draft, context, options) => {
    const savedSecrets = Object.keys(sentPlaces(draft.secrets))
    const isAddress = draft.hand?.kind === 'address'
    const schema = draftSchema({ ...rules, savedSecrets, isAddress })
    return zodResolver(schema)(draft, context, options)
  }
}

/** The newest answer; the last good preview stays while a newer one is on its way or failed. */
type PreviewState = {
  readonly preview: LaunchPreview | null
  /** An answer came, which may be that there is nothing to show yet. */
  readonly isAnswered: boolean
  readonly problem: AppErrorShape | null
}

const DEBOUNCE_MS = 120

/**
 * The command that a form makes: asked for when typing rests, and drawn by who looks at `state` alone. `ask` gets what
 * `ask` and `refresh` of the board are called with.
 */
export class PreviewBoard<Question> implements Disposable {
  readonly state: StoreApi<PreviewState> = createStore<PreviewState>(() => ({
    preview: null,
    isAnswered: false,
    problem: null,
  }))
  /** Tells its questions from those of other forms. */
  readonly #name = crypto.randomUUID()
  #observer: QueryObserver<LaunchPreview | null> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly queries: QueryClient,
    private readonly preview: (question: Question) => Promise<LaunchPreview | null>,
  ) {}

  /** Asks soon, the first time immediately; the same question again asks nothing. */
  ask(read: () => Question): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(read()), this.#observer ? DEBOUNCE_MS : 0)
  }

  /** Asks immediately and again, for an answer that is acted upon; rejects with an `AppError`. */
  async refresh(question: Question): Promise<LaunchPreview | null> {
    clearTimeout(this.#timer)
    const query = this.#queryOf(question)
    await this.queries.cancelQueries({ queryKey: query.queryKey })
    const answer = this.queries.query({ ...query, staleTime: 0 })
    this.#look(question)
    return await answer
  }

  /** Forgets what is under way; the board can be asked again. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#observer?.destroy()
    this.#observer = undefined
  }

  #queryOf(question: Question) {
    return {
      queryKey: ['preview', this.#name, question],
      queryFn: () => this.preview(question),
      staleTime: Infinity,
      // What is typed once more is asked for once more.
      gcTime: 0,
    } satisfies QueryObserverOptions<LaunchPreview | null>
  }

  #look(question: Question): void {
    const query = this.#queryOf(question)
    if (this.#observer) {
      this.#observer.setOptions(query)
      return
    }
    this.#observer = new QueryObserver<LaunchPreview | null>(this.queries, query)
    this.#observer.subscribe(({ data: preview, error }) => {
      if (preview !== undefined) this.state.setState({ preview, isAnswered: true, problem: null })
      else if (error) this.state.setState({ problem: toErrorShape(error) })
    })
  }
}
