import { useEffect } from 'react'

import { navigate, parseHash } from './hash-route'

/** The place one level above a path, for those pages that hold no unsaved values. */
export function placeAbove(path: string): string | null {
  if (/^\/servers\/[^/]+\/configure$/.test(path)) return null
  if (/^\/servers\/[^/]+(\/[^/]+)?$/.test(path)) return '/servers'
  return /^\/(servers|catalog|settings)$/.test(path) ? '/' : null
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  if (isTyping(event.target) || document.querySelector('[role="dialog"], [role="alertdialog"]')) {
    return
  }
  if (event.key === '/') {
    const search = document.querySelector<HTMLInputElement>('[data-page-search]')
    if (!search) return
    event.preventDefault()
    search.focus()
    search.select()
  } else if (event.key === 'Escape') {
    const above = placeAbove(parseHash(window.location.hash).path)
    if (above !== null) navigate(above)
  }
}

/** `/` goes to the search of the page, Esc one level back. */
export function useShortcuts(): void {
  useEffect(() => {
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
