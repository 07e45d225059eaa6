import { useEffect } from 'react'

import { call, pathOfFile } from '../ipc/call'
import { showFailure } from '../ipc/show-failure'
import { useApp } from '../stores/app-store'
import { keepDropped } from '../stores/dropped-bundle'
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

/** A dialog is to be answered first. */
function isCovered(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
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
  event.dataTransfer.dropEffect = isCovered() ? 'none' : 'copy'
}

function drop(event: DragEvent): void {
  if (!hasFiles(event) || !event.dataTransfer) return
  event.preventDefault()
  if (!isCovered()) openDropped([...event.dataTransfer.files])
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
