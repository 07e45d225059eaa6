import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'

import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../../src-shared/domain/catalog/catalog-entry'
import type {
  AddedServer,
  AddedServers,
  ConfiguredServer,
  ReadConfiguration,
  ServerChoice,
  TextProblem,
} from '../../../../src-shared/domain/installation/configuration'
import { UNDECIDED } from '../../../components/configuration/server-choices'
import { call, toErrorShape } from '../../../ipc/call'
import { withMember } from '../../../ui/controls/members'
import { setUpOf, useMachine } from '../entry/entry-facts'

/** Progress of a paste. */
export type PasteStep =
  | {
      readonly kind: 'text'
      /** Problems in the text, by line. */
      readonly broken: readonly TextProblem[]
      readonly problem: AppErrorShape | null
    }
  | { readonly kind: 'entry'; readonly entry: CatalogEntry }
  | {
      readonly kind: 'servers'
      readonly servers: readonly ConfiguredServer[]
      /** Indexes of the servers to add. */
      readonly picked: ReadonlySet<number>
      readonly choices: ReadonlyMap<number, ServerChoice>
      /** Servers that were added before one failed. */
      readonly added: readonly AddedServer[]
      readonly problem: AppErrorShape | null
    }
  | { readonly kind: 'added'; readonly servers: readonly AddedServer[] }

/** The step that chooses servers. */
export type ServersStep = Extract<PasteStep, { kind: 'servers' }>

/** Options of the paste dialog. */
export type PasteOptions = {
  /** The text of a link, read immediately; missing if the user types the text. */
  readonly given?: string
  readonly onClose: () => void
  /** Called with every parsed server.json. */
  readonly onRead?: (entry: CatalogEntry) => void
}

/** State and actions of the paste dialog. */
export type Paste = {
  readonly text: string
  readonly step: PasteStep
  readonly busy: boolean
  readonly change: (text: string) => void
  readonly back: () => void
  readonly read: () => void
  readonly pick: (index: number, isPicked: boolean) => void
  readonly choose: (choice: ServerChoice) => void
  /** Adds the selected servers. With `approves`, approves exactly the shown commands and starts the servers. */
  readonly add: (approval: { readonly approves: boolean }) => void
  readonly setUp: (entry: CatalogEntry) => void
}

const BLANK: PasteStep = { kind: 'text', broken: [], problem: null }

/** Returns the default choice for a server. */
export function noChoice(index: number): ServerChoice {
  return { index, ...UNDECIDED }
}

/** Sends requests to main; only the newest response counts. */
function useLatestRequest(): Pick<UseMutationResult, 'isPending' | 'reset'> & {
  readonly run: <T>(
    work: Promise<T>,
    onSuccess: (response: T) => void,
    failed: (problem: AppErrorShape) => void,
  ) => void
} {
  const { mutate, isPending, reset } = useMutation({ mutationFn: (work: Promise<unknown>) => work })
  return {
    ...{ isPending, reset },
    // Callbacks of `mutate` run for the last call only, and not after a reset.
    run: (work, onSuccess, failed) =>
      mutate(work, {
        onSuccess: (value) => onSuccess(value as Awaited<typeof work>),
        onError: (thrown) => failed(toErrorShape(thrown)),
      }),
  }
}

function stepOf(response: ReadConfiguration): PasteStep {
  switch (response.kind) {
    case 'broken':
      return { kind: 'text', broken: response.problems, problem: null }
    case 'entry':
      return response
    case 'servers': {
      const usable = response.servers.filter(({ preview }) => preview !== null)
      const picked = new Set(usable.map(({ index }) => index))
      return { ...response, picked, choices: new Map(), added: [], problem: null }
    }
  }
}

function chosenOf({ picked, choices, servers }: ServersStep, approves: boolean): ServerChoice[] {
  return [...picked]
    .toSorted((a, b) => a - b)
    .map((index) => {
      const choice = choices.get(index) ?? noChoice(index)
      const shown = servers.find((server) => server.index === index)?.preview
      return approves && shown ? { ...choice, approvedPlan: shown.planHash } : choice
    })
}

/** Returns the step after a response: if a server failed, the added ones are deselected. */
export function afterAdding(
  step: ServersStep,
  { added, problem }: AddedServers,
): Exclude<PasteStep, { kind: 'text' | 'entry' }> {
  const all = [...step.added, ...added]
  if (problem === null) return { kind: 'added', servers: all }
  const addedIndexes = new Set(added.map(({ index }) => index))
  const picked = new Set([...step.picked].filter((index) => !addedIndexes.has(index)))
  return { ...step, picked, added: all, problem }
}

/**
 * Reads pasted text, `given` first, step by step; every response applies to the newest text and choices only. Opens the form of a
 * server.json, or the review of a single added server.
 */
export function usePaste({ given: initialText = '', onClose, onRead }: PasteOptions): Paste {
  const [, navigate] = useLocation()
  const machine = useMachine()
  const [text, setText] = useState(initialText)
  const [step, setStep] = useState<PasteStep>(BLANK)
  const { isPending: busy, run: request, reset } = useLatestRequest()

  function goTo(next: PasteStep): void {
    reset()
    setStep(next)
  }
  function setUp(entry: CatalogEntry): void {
    onClose()
    navigate(setUpOf(entry, machine).path)
  }
  function read(): void {
    request(
      call('configuration.read', { text, choices: [] }),
      (response) => {
        setStep(stepOf(response))
        if (response.kind !== 'entry') return
        const { entry } = response
        onRead?.(entry)
        const isPlain = entry.notices.length === 0
        if (isPlain && setUpOf(entry, machine).obstacle === undefined) setUp(entry)
      },
      (problem) => setStep({ kind: 'text', broken: [], problem }),
    )
  }
  function choose(choice: ServerChoice): void {
    if (step.kind !== 'servers') return
    const choices = new Map(step.choices).set(choice.index, choice)
    setStep({ ...step, choices })
    const update = (change: Partial<typeof step>): void =>
      setStep((now) => (now.kind === 'servers' ? { ...now, ...change } : now))
    request(
      call('configuration.read', { text, choices: [...choices.values()] }),
      (response) =>
        response.kind === 'servers' && update({ servers: response.servers, problem: null }),
      (problem) => update({ problem }),
    )
  }
  function add({ approves }: { readonly approves: boolean }): void {
    if (step.kind !== 'servers' || busy) return
    request(
      call('configuration.add', { text, choices: chosenOf(step, approves) }),
      (response) => {
        const next = afterAdding(step, response)
        setStep(next)
        const [first, ...more] = next.kind === 'added' ? next.servers : []
        // A single server needs no list.
        if (!first || more.length > 0) return
        onClose()
        navigate(`/servers/${first.installationId}/configure`)
      },
      (problem) => setStep({ ...step, problem }),
    )
  }
  return {
    text,
    step,
    busy,
    change: (next) => {
      setText(next)
      goTo(BLANK)
    },
    back: () => goTo(BLANK),
    read,
    pick: (index, isPicked) =>
      step.kind === 'servers' &&
      setStep({ ...step, picked: new Set(withMember(step.picked, index, isPicked)) }),
    choose,
    add,
    setUp,
  }
}
