import { type JSX, useEffect, useRef, useState } from 'react'

import { ConfirmDialog } from '../ui/overlays/dialog'
import { LEAVING } from './hash-route'

/** State of a guarded page: the requested location and both responses. */
type LeaveGuard = {
  readonly isOpen: boolean
  readonly stay: () => void
  readonly leave: () => void
  /** Lets the next navigation pass; returns the hash of an already requested location, if any. */
  readonly open: () => string | null
}

/** Cancels every navigation while `dirty` until the user agrees; also asks before the window closes. */
export function useLeaveGuard(dirty: boolean): LeaveGuard {
  const [isOpen, setIsOpen] = useState(false)
  const wanted = useRef<string | null>(null)
  const mayLeave = useRef(false)

  useEffect(() => {
    if (!dirty) return
    const here = window.location.hash
    function block(hash: string): boolean {
      if (mayLeave.current || hash === here) return false
      wanted.current = hash
      setIsOpen(true)
      return true
    }
    function blockLink(event: Event): void {
      if (event instanceof CustomEvent && block(String(event.detail))) event.preventDefault()
    }
    function blockHistory(event: Event): void {
      if (!event.isTrusted || !block(window.location.hash)) return
      // In the capture phase, so that the router does not receive it and the form stays mounted.
      event.stopImmediatePropagation()
      window.history.pushState(null, '', here)
    }
    function warn(event: BeforeUnloadEvent): void {
      if (!mayLeave.current) event.preventDefault()
    }
    window.addEventListener(LEAVING, blockLink)
    // A history navigation fires popstate first, and React renders before hashchange.
    window.addEventListener('popstate', blockHistory, true)
    window.addEventListener('hashchange', blockHistory, true)
    window.addEventListener('beforeunload', warn)
    return () => {
      window.removeEventListener(LEAVING, blockLink)
      window.removeEventListener('popstate', blockHistory, true)
      window.removeEventListener('hashchange', blockHistory, true)
      window.removeEventListener('beforeunload', warn)
    }
  }, [dirty])

  function open(): string | null {
    mayLeave.current = true
    return wanted.current
  }
  return {
    isOpen,
    stay: () => {
      wanted.current = null
      setIsOpen(false)
    },
    leave: () => {
      const hash = open()
      if (hash !== null) window.location.hash = hash
    },
    open,
  }
}

const UNSAVED = {
  title: 'Leave without saving?',
  description: 'Your changes will be discarded.',
} as const

/** Asks whether unsaved input of a guarded page may be lost; `isBusy` while it is being saved, after which navigation continues. */
export function LeaveDialog(props: {
  readonly guard: LeaveGuard
  readonly isBusy: boolean
  readonly texts?: { readonly title: string; readonly description: string }
}): JSX.Element {
  const { guard, isBusy, texts = UNSAVED } = props
  return (
    <ConfirmDialog
      open={guard.isOpen && !isBusy}
      onClose={guard.stay}
      {...texts}
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => {
        guard.leave()
        return 'done'
      }}
    />
  )
}
