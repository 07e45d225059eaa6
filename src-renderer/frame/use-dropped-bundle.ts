import { useEffect } from 'react'
import { createStore } from 'zustand/vanilla'

import { call, pathOfFile } from '../ipc/call'
import { showFailure } from '../ipc/show-failure'
import { useApp } from '../stores/app-store'
import { isDialogOpen } from '../ui/focus/restore-focus'
import { showToast } from '../ui/overlays/toast'
import { navigate, parseHash } from './hash-route'

const PLACE = '/bundle'

/** Returns the file to open among dropped ones; undefined if none is a bundle. */
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
  storeDropped(path)
  navigateToBundle()
}

/** A page that looks for a newer file of one server stays open. */
function navigateToBundle(): void {
  if (parseHash(window.location.hash).path !== PLACE) navigate(PLACE)
}

function onDragOver(event: DragEvent): void {
  if (!hasFiles(event) || !event.dataTransfer) return
  // Otherwise the window would navigate to the file.
  event.preventDefault()
  event.dataTransfer.dropEffect = isDialogOpen() ? 'none' : 'copy'
}

function drop(event: DragEvent): void {
  if (!hasFiles(event) || !event.dataTransfer) return
  event.preventDefault()
  if (!isDialogOpen()) openDropped([...event.dataTransfer.files])
}

/** Opens a bundle that the system opened the app with, like a dropped one. */
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
    window.addEventListener('dragover', onDragOver)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', onDragOver)
      window.removeEventListener('drop', drop)
    }
  }, [])
}

/** Path of a dropped bundle that no page has taken yet. */
const droppedStore = createStore<{ readonly path: string | null }>(() => ({ path: null }))

/** Stores a path for the page that opens bundles. */
export function storeDropped(path: string): void {
  droppedStore.setState({ path })
}

/** Passes the stored path and each later one to `listener` until the returned function is called. */
export function followDropped(listener: (path: string) => void): () => void {
  let isClosed = false
  const hand = (): void => {
    const { path } = droppedStore.getState()
    if (isClosed || path === null) return
    droppedStore.setState({ path: null })
    listener(path)
  }
  // The listener must not run before this function has returned.
  queueMicrotask(hand)
  const unsubscribe = droppedStore.subscribe(hand)
  return () => {
    isClosed = true
    unsubscribe()
  }
}
