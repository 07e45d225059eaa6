import { create } from 'zustand'

/** What lies over the page on request. */
export type Overlay = 'none' | 'palette' | 'shortcuts'

const MOST_RECENT = 5

type PaletteState = {
  readonly overlay: Overlay
  /** Ids of the commands that were run last, newest first. */
  readonly recent: readonly string[]
}

/** The command palette and the sheet of shortcuts: which is open, and what was run before. */
export const usePalette = create<PaletteState>(() => ({ overlay: 'none', recent: [] }))

/** Opens one of the two, or closes what is open. */
export function showOverlay(overlay: Overlay): void {
  usePalette.setState({ overlay })
}

/** Remembers a command that was run. */
export function noteCommand(id: string): void {
  usePalette.setState(({ recent }) => ({
    recent: [id, ...recent.filter((one) => one !== id)].slice(0, MOST_RECENT),
  }))
}
