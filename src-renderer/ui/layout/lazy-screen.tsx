import {
  type ComponentType,
  type JSX,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

import { keepFocus, Page, Skeleton } from './page'

/** A part of the page whose code comes late. */
export type LazyPart<P extends object = never> = ((props: P) => JSX.Element) & {
  /** Loads the code, so that the part is drawn immediately later on. Rejects where it cannot be had; drawing it tries again. */
  readonly load: () => Promise<void>
}

/** A page whose code is loaded when it is first opened, or before; until then its title stands over a skeleton. */
export function lazyScreen<P extends object = object>(
  title: string,
  fetch: () => Promise<ComponentType<P>>,
): LazyPart<P> {
  return lazyPart(
    fetch,
    <Page title={title}>
      <Skeleton label={`Opening ${title}`} rows={6} />
    </Page>,
  )
}

/** A tab within a page, as `lazyScreen`. */
export function lazyTab<P extends object>(
  label: string,
  fetch: () => Promise<ComponentType<P>>,
): LazyPart<P> {
  return lazyPart(fetch, <Skeleton label={label} rows={6} />)
}

function Waiting(props: { readonly onLeave: () => void; readonly children: ReactNode }): ReactNode {
  const { onLeave, children } = props
  // It still stands when this is called.
  useLayoutEffect(() => onLeave, [onLeave])
  return children
}

type Code<P> = { readonly part?: ComponentType<P> | undefined; readonly failure?: Error }

/**
 * A part of the page whose code is loaded when it is first drawn, or before; `fallback` stands in for it until then. One that
 * failed is loaded again the next time that it is put into the page. React's own `lazy` remembers a failure for ever, and
 * delays by 300 ms what comes after a stand-in.
 */
export function lazyPart<P extends object>(
  fetch: () => Promise<ComponentType<P>>,
  fallback: ReactNode = null,
): LazyPart<P> {
  const held: { part?: ComponentType<P> } = {}
  const load = async (): Promise<void> => {
    held.part = await fetch()
  }
  function Part(props: P): JSX.Element {
    const [{ part: Loaded, failure }, setCode] = useState<Code<P>>(() => ({ part: held.part }))
    /** Whether something had the focus as the stand-in went, which may have gone with it. */
    const hadFocus = useRef(false)
    const leave = useCallback(() => {
      hadFocus.current = document.activeElement !== document.body
    }, [])
    const isHere = Loaded !== undefined
    useEffect(() => {
      if (isHere) {
        if (hadFocus.current) keepFocus()
        return undefined
      }
      const wait = new AbortController()
      const finish = (code: Code<P>): void => {
        if (!wait.signal.aborted) setCode(code)
      }
      load().then(
        () => finish({ part: held.part }),
        (thrown: unknown) =>
          finish({ failure: thrown instanceof Error ? thrown : new Error(String(thrown)) }),
      )
      return () => wait.abort()
    }, [isHere])
    if (failure) throw failure
    return Loaded ? <Loaded {...props} /> : <Waiting onLeave={leave}>{fallback}</Waiting>
  }
  return Object.assign(Part, { load })
}
