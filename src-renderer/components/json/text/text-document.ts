import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import { toErrorShape } from '../../../ipc/call'
import type { DocumentFacts } from '../reading/json-calls'
import type { JsonRemote } from '../reading/json-thread'
import { borrowThread } from '../reading/json-thread'
import { partsOf, type TextSource } from './text-source'

/** Longer texts are not read to be shown, in UTF-16 units; they can be saved. */
const MOST_SHOWN = 64 * 1024 * 1024

/** A text on the way to the thread, and there. */
export type TextDocument =
  | { readonly kind: 'reading' }
  | { readonly kind: 'tooLong' }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }
  | { readonly kind: 'ready'; readonly facts: DocumentFacts; readonly remote: JsonRemote }

/** What holds a text on the thread, for as many as show it. */
type Holder = { users: number; readonly end: () => void }

/** How long a text is kept that nobody shows any more: another tab may show it next. In ms. */
const REST_MS = 2_000
const READING: TextDocument = { kind: 'reading' }

const holders = new Map<string, Holder>()
const documentStore = createStore<{ readonly known: Readonly<Record<string, TextDocument>> }>(
  () => ({ known: {} }),
)

function note(key: string, document: TextDocument): void {
  documentStore.setState(({ known }) => ({ known: { ...known, [key]: document } }))
}

function forget(key: string): void {
  documentStore.setState(({ known }) => ({
    known: Object.fromEntries(Object.entries(known).filter(([one]) => one !== key)),
  }))
}

async function readInto(
  remote: JsonRemote,
  source: TextSource,
  isWanted: () => boolean,
): Promise<DocumentFacts> {
  const { key } = source
  await remote.drop(key)
  for await (const { text } of partsOf(source, MOST_SHOWN)) {
    if (!isWanted()) break
    await remote.add(key, text)
  }
  return remote.finish(key)
}

function open(source: TextSource): Holder {
  const { key, length } = source
  if (length > MOST_SHOWN) {
    note(key, { kind: 'tooLong' })
    return { users: 0, end: () => forget(key) }
  }
  note(key, READING)
  const state = { isOver: false }
  const fail = (problem: AppErrorShape): void => {
    if (!state.isOver) note(key, { kind: 'failed', problem })
  }
  const { remote, giveBack } = borrowThread((message) => fail({ code: 'INTERNAL', message }))
  readInto(remote, source, () => !state.isOver).then(
    (facts) => {
      if (!state.isOver) note(key, { kind: 'ready', facts, remote })
    },
    (thrown: unknown) => fail(toErrorShape(thrown)),
  )
  const end = (): void => {
    state.isOver = true
    forget(key)
    // Where the thread is lost, nothing is held any more.
    remote.drop(key).then(giveBack, giveBack)
  }
  return { users: 0, end }
}

/** Has a text read and held until the returned function is called. */
function hold(source: TextSource): () => void {
  const { key } = source
  const holder = holders.get(key) ?? open(source)
  holders.set(key, holder)
  holder.users += 1
  return () => {
    holder.users -= 1
    setTimeout(() => {
      if (holder.users > 0 || holders.get(key) !== holder) return
      holders.delete(key)
      holder.end()
    }, REST_MS)
  }
}

/** Reads a text again that could not be read. */
export function readAgain(source: TextSource): void {
  const before = holders.get(source.key)
  if (!before) return
  before.end()
  const holder = open(source)
  holder.users = before.users
  // Those who hold it let go of the one they know.
  holders.set(source.key, Object.assign(before, { end: holder.end }))
}

/** A text that is read and held while the caller stands. */
export function useDocument(source: TextSource): TextDocument {
  const { key } = source
  // A source is made again with each drawing; the key tells whether it is another.
  useEffect(() => hold(source), [key])
  return useStore(documentStore, ({ known }) => known[key]) ?? READING
}
