import { useEffect, useRef, useState } from 'react'

/** What a guarded page needs: the place that was asked for, and the two answers. */
export type LeaveGuard = {
  /** True while the person has to choose. */
  readonly asking: boolean
  readonly stay: () => void
  readonly leave: () => void
  /** Lets the next navigation pass. */
  readonly open: () => void
}

/** Holds every navigation back while `dirty`, until the person agrees; also asks before the window closes. */
export function useLeaveGuard(dirty: boolean): LeaveGuard {
  const [wanted, setWanted] = useState<string | null>(null)
  const isOpen = useRef(false)

  useEffect(() => {
    if (!dirty) return
    const here = window.location.href
    function hold(event: Event): void {
      const target = window.location.href
      if (isOpen.current || target === here) return
      // In the capture phase, so that the router never hears of it and the form stays drawn.
      event.stopImmediatePropagation()
      setWanted(target)
      if (event.isTrusted) {
        window.history.pushState(null, '', here)
        return
      }
      // A link of the app made a new step, which is taken back.
      window.history.replaceState(null, '', here)
      window.history.back()
    }
    function warn(event: BeforeUnloadEvent): void {
      if (!isOpen.current) event.preventDefault()
    }
    // A step through the history tells of itself here first, and what it draws is drawn before the other event.
    window.addEventListener('popstate', hold, true)
    window.addEventListener('hashchange', hold, true)
    window.addEventListener('beforeunload', warn)
    return () => {
      window.removeEventListener('popstate', hold, true)
      window.removeEventListener('hashchange', hold, true)
      window.removeEventListener('beforeunload', warn)
    }
  }, [dirty])

  return {
    asking: wanted !== null,
    stay: () => setWanted(null),
    leave: () => {
      isOpen.current = true
      if (wanted !== null) window.location.hash = new URL(wanted).hash
    },
    open: () => {
      isOpen.current = true
    },
  }
}
