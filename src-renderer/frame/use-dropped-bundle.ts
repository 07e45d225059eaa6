import { useEffect } from 'react'
import { createStore } from 'zustand/vanilla'

import { call, pathOfFile } from '../ipc/call'
import { showFailure } from '../ipc/show-failure'
import { useApp } from '../stores/app-store'
import { isDialogOpen } from '../ui/focus/restore-focus'
import { showToast } from '../ui/overlays/toast'
import { navigate, parseHash } from './hash-route'

const PLACE = '/bundle'

/** The file that is opened of those that were dropped; undefined where none is a bundle. */
export function bundleAmong<F extends { readonly name: string }>(
  files: readonly F[],
): F | undefined {
  return files.find(({ name }) => /\.(mcpb|dxt)$/i.test(name))
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}

function refuse(message: string): void {
  showToast({ message, tone: 'error' })
}

function openDropped(files: readonly File[]): void {
  const file = bundleAmong(files)
  if (file === undefined) {
    refuse('Can’t open this file. Drop a .mcpb or .dxt bundle.')
    return
  }
  const path = pathOfFile(file)
  if (path === undefined) {
    refuse('Browsers don’t share the path of a dropped file. Enter the path.')
    navigateToBundle()
  } else openBundle(path)
}

function openBundle(path: string): void {
  keepDropped(path)
  navigateToBundle()
}

/** A page that looks for a newer file of one server stays. */
function navigateToBundle(): void {
  if (parseHash(window.location.hash).path !== PLACE) navigate(PLACE)
}

function over(event: DragEvent): void {
  if (!hasFiles(event) || !event.dataTransfer) return
  // Otherwise the window would leave the app for the file.
  event.preventDefault()
  event.dataTransfer.dropEffect = isDialogOpen() ? 'none' : 'copy'
}

function drop(event: DragEvent): void {
  if (!hasFiles(event) || !event.dataTransfer) return
  event.preventDefault()
  if (!isDialogOpen()) openDropped([...event.dataTransfer.files])
}

/** Opens a bundle that the system opened the app with, as if it were dropped. */
export function useOpenedBundle(): void {
  const opened = useApp(({ app }) => app?.link)
  useEffect(() => {
    if (opened?.kind !== 'bundle') return
    openBundle(opened.text)
    call('app.dropLink', { linkId: opened.linkId }).catch(showFailure)
  }, [opened])
}

/** Opens a bundle that is dropped anywhere on the window. */
export function useDroppedBundle(): void {
  useEffect(() => {
    window.addEventListener('dragover', over)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', drop)
    }
  }, [])
}

/** The path of a bundle that was dropped on the window and that no page has taken yet. */
const droppedStore = createStore<{ readonly path: string | null }>(() => ({ path: null }))

/** Keeps a path for the page that opens bundles. */
export function keepDropped(path: string): void {
  droppedStore.setState({ path })
}

/** Hands over the path that waits, and each that comes later, until the returned function is called. */
export function followDropped(listener: (path: string) => void): () => void {
  let isOver = false
  const hand = (): void => {
    const { path } = droppedStore.getState()
    if (isOver || path === null) return
    droppedStore.setState({ path: null })
    listener(path)
  }
  // Who follows may be called once it has said so, not before.
  queueMicrotask(hand)
  const unsubscribe = droppedStore.subscribe(hand)
  return () => {
    isOver = true
    unsubscribe()
  }
}
