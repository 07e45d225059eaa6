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
    function hold(event: HashChangeEvent): void {
      if (isOpen.current) return
      // In the capture phase, so that the router never hears of it and the form stays drawn.
      event.stopImmediatePropagation()
      const target = window.location.href
      if (event.isTrusted) window.history.pushState(null, '', here)
      else window.history.replaceState(null, '', here)
      if (target !== here) setWanted(target)
    }
    function warn(event: BeforeUnloadEvent): void {
      if (!isOpen.current) event.preventDefault()
    }
    window.addEventListener('hashchange', hold, true)
    window.addEventListener('beforeunload', warn)
    return () => {
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
