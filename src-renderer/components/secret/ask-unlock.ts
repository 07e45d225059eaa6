import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** Open from the start of the page on, so that a locked file is asked for. */
const asked = createStore<{ readonly isOpen: boolean }>(() => ({ isOpen: true }))

/** Asks for the passphrase of the locked file. */
export function askUnlock(): void {
  asked.setState({ isOpen: true })
}

/** Puts the question away; secrets stay locked. */
export function closeUnlock(): void {
  asked.setState({ isOpen: false })
}

/** Whether the passphrase is asked for, where the file is locked. */
export function useUnlockRequested(): boolean {
  return useStore(asked, ({ isOpen }) => isOpen)
}
