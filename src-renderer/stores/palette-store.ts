import { create } from 'zustand'

/** Overlay on request. */
export type Overlay = 'none' | 'palette' | 'shortcuts'

const MAX_RECENT = 5

type PaletteState = {
  readonly overlay: Overlay
  /** Ids of the commands that were run last, newest first. */
  readonly recent: readonly string[]
}

/** The command palette and the list of shortcuts: which is open, and recent commands. */
export const usePalette = create<PaletteState>(() => ({ overlay: 'none', recent: [] }))

/** Opens one of them, or closes the open one. */
export function showOverlay(overlay: Overlay): void {
  usePalette.setState({ overlay })
}

/** Adds a command to the recent ones. */
export function recordCommand(id: string): void {
  usePalette.setState(({ recent }) => ({
    recent: [id, ...recent.filter((one) => one !== id)].slice(0, MAX_RECENT),
  }))
}
