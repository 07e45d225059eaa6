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
import { customServerOf } from '../values/custom-server-controls'
import type { FormView } from '../values/form-controls'
import {
  type CheckedDraft,
  type CommandInput,
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

/** React Hook Form's form, typed for a draft. */
export type InstallFormApi = UseFormReturn<InstallDraft, unknown, CheckedDraft>

type CommandPreview = LivePreviewQuery<CommandInput>

/** A form with its context in the app; keeps its identity while nothing changes. */
export type InstallFormModel = {
  readonly subject: InstallSubject
  readonly form: InstallFormApi
  readonly control: Control<InstallDraft, unknown, CheckedDraft>
  readonly view: FormView
  readonly commandPreview: CommandPreview
  readonly channel: Channel
  readonly fields: readonly FormField[]
  /** Whether secrets are kept in memory only and end with this session. */
  readonly secretsInMemory: boolean
  readonly savedLabel: string
  /** Returns the place of a field's own secret; null if the field has none. */
  readonly ownPlace: (fieldKey: string) => SecretPlace | null
}

/** Returns the names of all servers except the one with this id. */
export function useTakenNames(exceptId?: string): string[] {
  const servers = useServers()
  return servers.filter(({ installationId }) => installationId !== exceptId).map(({ name }) => name)
}

/** Builds the preview request of a draft; a partially typed folder counts as the home folder. */
export function commandInput(
  fields: readonly FormField[],
  { values, secrets, cwd, customServer }: InstallDraft,
): CommandInput {
  const folder = cwd.trim()
  return {
    values: sentValues(fields, touchedValues(values)),
    secrets: sentPlaces(secrets),
    cwd: isFullPath(folder) ? folder : '',
    made: customServer && customServerOf(customServer),
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
    ...('parts' in subject && { customServer: subject.parts }),
  }
}

function useCommandPreview(
  form: InstallFormApi,
  channel: Channel,
  fields: readonly FormField[],
): CommandPreview {
  const queries = useQueryClient()
  const [commandPreview] = useState(
    (): CommandPreview => new LivePreviewQuery(queries, channel.preview),
  )
  const { getValues, subscribe } = form
  useEffect(() => {
    const refresh = (): void => commandPreview.request(() => commandInput(fields, getValues()))
    refresh()
    const stop = subscribe({ formState: { values: true }, callback: refresh })
    return () => {
      stop()
      commandPreview[Symbol.dispose]()
    }
  }, [commandPreview, fields, getValues, subscribe])
  return commandPreview
}

function useCheck(subject: InstallSubject, fields: readonly FormField[]): DraftResolver {
  const stored = useApp((state) => state.app?.secrets.stored)
  const takenNames = useTakenNames(subject.installationId)
  const rules = { takenNames, storedIds: (stored ?? []).map(({ secretId }) => secretId) }
  // A string stays equal while unrelated parts of servers and secrets change.
  const text = JSON.stringify(rules)
  return useMemo(
    () => draftResolver({ ...(JSON.parse(text) as typeof rules), fields }),
    [fields, text],
  )
}

/** Validates all lines of a custom server on every change after the first submit, because the lines depend on each other. */
function useFullValidation(form: InstallFormApi, isOn: boolean, check: DraftResolver): void {
  const { subscribe, trigger, formState } = form
  const isDue = formState.isSubmitted && isOn
  const last = useRef(check)
  useEffect(() => {
    const isNew = last.current !== check
    last.current = check
    if (!isDue) return
    // Revalidates if names or shared secrets changed; otherwise main's errors stay until a line changes.
    if (isNew) void trigger()
    return subscribe({ formState: { values: true }, callback: () => void trigger() })
  }, [isDue, check, subscribe, trigger])
}

/** Returns the form of a subject, with its live preview. */
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
  useFullValidation(form, 'parts' in subject, check)
  const commandPreview = useCommandPreview(form, channel, fields)
  const secretsInMemory = useSecretsInMemory()
  return useMemo(() => {
    const own = placesOfKind(subject.secrets, 'own')
    return {
      ...{
        subject,
        form,
        control: form.control,
        view,
        commandPreview,
        channel,
        fields,
        secretsInMemory,
      },
      savedLabel: secretsInMemory ? 'Saved in memory' : 'Saved in keychain',
      ownPlace: (fieldKey) => placeAt(own, fieldKey) ?? null,
    }
  }, [subject, form, view, commandPreview, channel, fields, secretsInMemory])
}

type DraftResolver = Resolver<InstallDraft, unknown, CheckedDraft>

/** Returns the resolver that validates a draft by its schema; a field with a secret elsewhere counts as filled in. */
export function draftResolver(rules: Omit<DraftRules, 'savedSecrets'>): DraftResolver {
  return (draft, context, options) => {
    const savedSecrets = Object.keys(sentPlaces(draft.secrets))
    const isAddress = draft.customServer?.kind === 'address'
    const schema = draftSchema({ ...rules, savedSecrets, isAddress })
    return zodResolver(schema)(draft, context, options)
  }
}

/** The newest result; the last valid preview stays while a newer one is loading or failed. */
type PreviewState = {
  readonly preview: LaunchPreview | null
  /** Whether a result arrived, even one without a preview. */
  readonly isAnswered: boolean
  readonly problem: AppErrorShape | null
}

const DEBOUNCE_MS = 120

/**
 * The live preview of a form's command: debounced requests, with `state` for subscribers. `ask` and `refresh` pass their argument to
 * `preview`.
 */
export class LivePreviewQuery<Input> implements Disposable {
  readonly state: StoreApi<PreviewState> = createStore<PreviewState>(() => ({
    preview: null,
    isAnswered: false,
    problem: null,
  }))
  /** Separates the query keys of this form from those of others. */
  readonly #name = crypto.randomUUID()
  #observer: QueryObserver<LaunchPreview | null> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly queries: QueryClient,
    private readonly preview: (input: Input) => Promise<LaunchPreview | null>,
  ) {}

  /** Requests a preview after the debounce time, the first time immediately; an unchanged request is not repeated. */
  request(read: () => Input): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(read()), this.#observer ? DEBOUNCE_MS : 0)
  }

  /** Requests a fresh preview immediately, for a result that is acted upon; rejects with an `AppError`. */
  async refresh(input: Input): Promise<LaunchPreview | null> {
    clearTimeout(this.#timer)
    const query = this.#queryOf(input)
    await this.queries.cancelQueries({ queryKey: query.queryKey })
    const preview = this.queries.query({ ...query, staleTime: 0 })
    this.#look(input)
    return await preview
  }

  /** Cancels pending requests; the query can be used again afterwards. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#observer?.destroy()
    this.#observer = undefined
  }

  #queryOf(input: Input) {
    return {
      queryKey: ['preview', this.#name, input],
      queryFn: () => this.preview(input),
      staleTime: Infinity,
      // A repeated input needs a new request.
      gcTime: 0,
    } satisfies QueryObserverOptions<LaunchPreview | null>
  }

  #look(input: Input): void {
    const query = this.#queryOf(input)
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
