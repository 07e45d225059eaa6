import { useEffect, useEffectEvent } from 'react'

import { isCovered } from '../../ui/overlays/is-covered'

/** Ctrl+Enter, or Cmd+Enter, commits from anywhere on the page; with null the key is left to others. */
export function useCommitKey(commit: (() => void) | null): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (commit === null) return
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
    if (isCovered()) return
    event.preventDefault()
    commit()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => press(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
