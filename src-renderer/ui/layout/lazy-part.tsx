import type { ComponentType, JSX, ReactNode } from 'react'
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'

import { keepFocus } from './page'

/** What stands in for the part while it is loaded. */
function Waiting({
  onLeave,
  children,
}: {
  readonly onLeave: () => void
  readonly children: ReactNode
}): ReactNode {
  // It still stands when this is called.
  useLayoutEffect(() => onLeave, [onLeave])
  return children
}

function Arrived({ onArrive }: { readonly onArrive: () => void }): null {
  useEffect(() => onArrive(), [onArrive])
  return null
}

/** Notes whether something has the focus as the stand-in goes, and gives it to the page where it went along. */
function useFocusAcross(): { readonly leave: () => void; readonly arrive: () => void } {
  const hadFocus = useRef(false)
  const [acts] = useState(() => ({
    leave: () => {
      hadFocus.current = document.activeElement !== document.body
    },
    arrive: () => {
      if (hadFocus.current) keepFocus()
    },
  }))
  return acts
}

/** A part whose code comes late. */
export type LazyPart<P extends object> = ((
  props: P & { readonly fallback: ReactNode },
) => JSX.Element) & {
  /** Loads the code, so that the part is drawn at once later on. Rejects where it cannot be had; drawing it tries anew. */
  readonly load: () => Promise<void>
}

/**
 * A part of the page whose code is loaded when it is first drawn, or before. `lazy` alone remembers for ever that a load
 * failed, and shows its stand-in also for code that is there; this one loads anew the next time that it is put into the
 * page, and draws at once what it has.
 */
export function lazyPart<P extends object>(fetch: () => Promise<ComponentType<P>>): LazyPart<P> {
  const load = async (): Promise<{ default: ComponentType<P> }> => {
    const part = await fetch()
    held.part = part
    return { default: part }
  }
  const make = (): ComponentType<P> =>
    lazy(async () => {
      try {
        return await load()
      } catch (thrown) {
        held.part = make()
        throw thrown
      }
    })
  const held = { part: make() }
  function Part({ fallback, ...props }: P & { readonly fallback: ReactNode }): JSX.Element {
    // One that failed stays what it is until it is drawn elsewhere or once more: else it would be loaded without end.
    const [Loaded] = useState(() => held.part)
    const { leave, arrive } = useFocusAcross()
    return (
      <Suspense fallback={<Waiting onLeave={leave}>{fallback}</Waiting>}>
        <Loaded {...(props as unknown as P)} />
        <Arrived onArrive={arrive} />
      </Suspense>
    )
  }
  return Object.assign(Part, {
    load: async () => {
      await load()
    },
  })
}
