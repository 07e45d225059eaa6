import { useCallback, useEffect, useMemo, useState } from 'react'

import type { HostChangePreview, ImportChoice } from '../../../src-shared/domain/agents/host'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { Adjustment } from '../../../src-shared/domain/installation/configuration'
import { type Decided, UNDECIDED } from '../../components/configuration/server-choices'
import { call } from '../../ipc/call'
import { useAction, useRequest } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'
import { withMember } from '../../ui/controls/members'
import { outcomeStore } from './import-outcome'
import {
  BLANK_DRAFT,
  choicesOf,
  entriesToSwitchOff,
  entryKey,
  type ImportableRow,
  type ImportDraft,
  importRows,
  isDecided,
  isImportable,
  tickedRows,
} from './import-rows'

/** Debounce time of decisions, in ms. */
const DEBOUNCE_MS = 120

/** Reads the servers of all apps with these choices, and again when choices or files change. The old list stays meanwhile. */
function useHostServers() {
  const hosts = useApp(({ app }) => app?.hosts)
  const [first] = useState((): ImportChoice[] => [])
  const [choices, setChoices] = useState(first)
  const choose = useCallback(
    (next: ImportChoice[]) =>
      setChoices((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next)),
    [],
  )
  // The choices follow from the response. Repeated choices are a new request, because a cached response from before a file change could
  // make the choices alternate forever.
  const { value, problem, loaded, retry } = useRequest(
    'hosts.servers',
    { choices },
    { state: [hosts, choices], debounceMs: choices === first ? 0 : DEBOUNCE_MS },
  )
  /** Whether the servers belong to the newest choices. */
  const isSettled = choices !== first && loaded.kind === 'ready'
  return { servers: value, problem, isSettled, again: retry, choose }
}

/** Maximum number of servers in one request to main. */
export const MAX_BATCH = 1_000

/** The servers to import, as the user saw them: apps may meanwhile add entries, which are selected automatically. */
export type Selection = {
  readonly ticked: readonly ImportableRow[]
  readonly choices: readonly ImportChoice[]
}

/** The file changes that turn entries off, and which files to change. */
export type FilesStep = Selection & {
  readonly files: readonly HostChangePreview[]
  /** Ids of the files to leave unchanged. */
  readonly left: ReadonlySet<string>
}

/** Returns the files of apps that change with the import. */
export function changedFiles({ step }: Pick<Import, 'step'>): readonly HostChangePreview[] {
  const files = step?.files ?? []
  return files.filter(({ fileId, obstacle }) => obstacle === undefined && !step?.left.has(fileId))
}

/** State and actions of an import, from the first list to main's response. */
export type Import = {
  /** The servers of all apps in the last response; undefined before the first one. */
  readonly reading: Omit<ReturnType<typeof useHostServers>, 'choose'>
  readonly rows: readonly ImportableRow[]
  readonly ticked: readonly ImportableRow[]
  readonly draft: ImportDraft
  readonly switchesOff: boolean
  /** Null unless the file changes are shown. */
  readonly step: FilesStep | null
  readonly review: Selection | null
  readonly isBusy: boolean
  readonly problem: AppErrorShape | undefined
  readonly isDirty: boolean
  readonly tick: (rows: readonly ImportableRow[], isTicked: boolean) => void
  /** Imports this entry of the row instead of the equivalent ones. */
  readonly count: (row: ImportableRow, key: string) => void
  readonly decide: (row: ImportableRow, decided: Decided) => void
  readonly setSwitchesOff: (switchesOff: boolean) => void
  readonly leave: (fileId: string, isLeft: boolean) => void
  readonly back: () => void
  readonly goOn: () => void
  /** Imports rows of the review, each with its command approved or not. Rejects like `hosts.import`. */
  readonly add: (rows: readonly ImportableRow[], approves: boolean) => Promise<void>
  /** Reads a row of the review again with the change applied. Rejects like `hosts.servers`. */
  readonly adjust: (rowKey: string, change: Adjustment['change']) => Promise<void>
}

function withKey<T>(map: ReadonlyMap<string, T>, key: string, value: T): ReadonlyMap<string, T> {
  return new Map(map).set(key, value)
}

function withoutRows(draft: ImportDraft, rows: readonly ImportableRow[]): ImportDraft {
  const keys = new Set(rows.map(({ key }) => key))
  return { ...draft, ticks: new Map([...draft.ticks].filter(([key]) => !keys.has(key))) }
}

/** Adds one decision about an entry to the current draft. */
export function decidedAlso(
  draft: ImportDraft,
  key: string,
  change: Adjustment['change'],
): ImportDraft {
  const decided = { ...(draft.decided.get(key) ?? UNDECIDED), [change]: true }
  return { ...draft, decided: withKey(draft.decided, key, decided) }
}

/** Returns the functions that change decisions about rows, each based on the current draft. */
function decisionsOn(
  setDraft: (change: (now: ImportDraft) => ImportDraft) => void,
): Pick<Import, 'tick' | 'count' | 'decide'> {
  return {
    tick: (some, isTicked) => {
      const rows = some.filter(isImportable)
      setDraft((now) => {
        const ticks = new Map(now.ticks)
        for (const { key } of rows) ticks.set(key, isTicked)
        return { ...now, ticks }
      })
    },
    count: (row, key) =>
      setDraft((now) => ({ ...now, counting: withKey(now.counting, row.key, key) })),
    decide: ({ entry }, decided) =>
      setDraft((now) => ({ ...now, decided: withKey(now.decided, entryKey(entry), decided) })),
  }
}

function chosenOf(
  { ticked, choices }: Selection,
  rows: readonly ImportableRow[],
  approves: boolean,
): Selection {
  const keys = new Set(rows.map(({ key }) => key))
  const chosen = ticked.flatMap((row, index) => {
    const choice = choices[index]
    if (choice === undefined || !keys.has(row.key)) return []
    const plan = approves ? row.entry.server.preview?.planHash : undefined
    return [{ row, choice: plan === undefined ? choice : { ...choice, approvedPlan: plan } }]
  })
  return { ticked: chosen.map(({ row }) => row), choices: chosen.map(({ choice }) => choice) }
}

function useDraft() {
  const { choose, ...reading } = useHostServers()
  const [draft, setDraft] = useState(() => outcomeStore.getState().rest)
  useEffect(() => outcomeStore.setState({ rest: BLANK_DRAFT }), [])
  const { servers } = reading
  const rows = useMemo(() => (servers ? importRows(servers, draft) : []), [servers, draft])
  const ticked = useMemo(() => tickedRows(rows, draft), [rows, draft])
  const choices = useMemo(() => choicesOf(rows, draft), [rows, draft])
  useEffect(() => {
    choose([...choices.ticked, ...choices.others].slice(0, MAX_BATCH))
  }, [choose, choices])
  return { reading, draft, setDraft, rows, ticked, choices: choices.ticked }
}

/** Selects servers of all apps, previews the changes, and imports them. */
export function useImport(
  /** Starts with the review of everything that is selected by default, and is called after the import. */
  onReviewed?: () => void,
): Import {
  const { reading, draft, setDraft, rows, ticked, choices } = useDraft()
  const [switchesOff, setSwitchesOff] = useState(false)
  const [step, setStep] = useState<FilesStep | null>(null)
  const [review, setReview] = useState<Selection | null>(null)
  const preview = useAction(
    ({ ticked }: Selection) => call('hosts.previewSwitchOff', { refs: entriesToSwitchOff(ticked) }),
    ({ files }, chosen) => setStep({ ...chosen, files, left: new Set() }),
  )
  const selection: Selection = review ?? step ?? { ticked, choices }
  const [isReviewDue, setIsReviewDue] = useState(onReviewed !== undefined)
  if (isReviewDue && reading.isSettled) {
    setIsReviewDue(false)
    if (choices.length > 0) setReview({ ticked, choices })
  }

  async function add(rows: readonly ImportableRow[], approves: boolean): Promise<void> {
    const sent = chosenOf(selection, rows, approves)
    const switchOff = changedFiles({ step }).map(({ fileId, previewHash }) => ({
      fileId,
      previewHash,
    }))
    const outcome = await call('hosts.import', { choices: [...sent.choices], switchOff })
    const addedIndexes = new Set(outcome.added.map(({ index }) => index))
    const added = sent.ticked.filter((_, index) => addedIndexes.has(index))
    if (onReviewed && outcome.problem === null) onReviewed()
    else {
      const wanted = sent.choices.length
      outcomeStore.setState({ outcome: { ...outcome, wanted }, rest: withoutRows(draft, added) })
    }
  }
  async function adjust(rowKey: string, change: Adjustment['change']): Promise<void> {
    const at = review?.ticked.findIndex(({ key }) => key === rowKey) ?? -1
    const row = review?.ticked[at]
    if (!row) return
    const changed = (some: readonly ImportChoice[]): ImportChoice[] =>
      some.map((choice, index) => (index === at ? { ...choice, [change]: true } : choice))
    const { servers } = await call('hosts.servers', { choices: changed(review.choices) })
    const key = entryKey(row.entry)
    const entry = servers.find((one) => entryKey(one) === key)
    if (!entry) return
    setReview(
      (now) =>
        now && {
          ticked: now.ticked.map((one, index) => (index === at ? { ...one, entry } : one)),
          choices: changed(now.choices),
        },
    )
    setDraft((now) => decidedAlso(now, key, change))
  }
  function goOn(): void {
    const { length } = selection.choices
    if (length === 0 || length > MAX_BATCH) return
    const refs = entriesToSwitchOff(selection.ticked)
    if (step !== null || !switchesOff || refs.length === 0) {
      setReview(selection)
      return
    }
    preview.run(selection)
  }
  return {
    ...{ reading, rows, draft, switchesOff, setSwitchesOff, step, goOn },
    leave: (fileId, isSkipped) =>
      setStep((now) => now && { ...now, left: new Set(withMember(now.left, fileId, isSkipped)) }),
    ...{ isBusy: preview.isBusy, problem: preview.problem },
    ...{ review, add, adjust },
    ticked: selection.ticked,
    isDirty: isDecided(draft) || switchesOff,
    ...decisionsOn(setDraft),
    back: () => {
      preview.clear()
      if (review === null) setStep(null)
      else setReview(null)
    },
  }
}
