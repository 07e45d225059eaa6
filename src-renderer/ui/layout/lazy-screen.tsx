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

/** A part of the page with lazily loaded code. */
export type LazyComponent<P extends object = never> = ((props: P) => JSX.Element) & {
  /** Loads the code, so that the part renders immediately later. Rejects on failure; rendering it retries. */
  readonly load: () => Promise<void>
}

/** A page whose code is loaded on first use or earlier; until then its title appears with a skeleton. */
export function lazyScreen<P extends object = object>(
  title: string,
  fetch: () => Promise<ComponentType<P>>,
): LazyComponent<P> {
  return lazyComponent(
    fetch,
    <Page title={title}>
      <Skeleton label={`Opening ${title}`} rows={6} />
    </Page>,
  )
}

/** A tab within a page, like `lazyScreen`. */
export function lazyTab<P extends object>(
  label: string,
  fetch: () => Promise<ComponentType<P>>,
): LazyComponent<P> {
  return lazyComponent(fetch, <Skeleton label={label} rows={6} />)
}

function Waiting(props: { readonly onLeave: () => void; readonly children: ReactNode }): ReactNode {
  const { onLeave, children } = props
  // The element still exists when this is called.
  useLayoutEffect(() => onLeave, [onLeave])
  return children
}

type Code<P> = { readonly part?: ComponentType<P> | undefined; readonly failure?: Error }

/**
 * A part of the page whose code is loaded on first render or earlier, with `fallback` until then. After a failure it is loaded again on the
 * next mount. React's own `lazy` caches a failure forever, and delays the content after a fallback by 300 ms.
 */
export function lazyComponent<P extends object>(
  fetch: () => Promise<ComponentType<P>>,
  fallback: ReactNode = null,
): LazyComponent<P> {
  const held: { part?: ComponentType<P> } = {}
  const load = async (): Promise<void> => {
    held.part = await fetch()
  }
  function Part(props: P): JSX.Element {
    const [{ part: Loaded, failure }, setCode] = useState<Code<P>>(() => ({ part: held.part }))
    /** Whether an element in the fallback had the focus, which may be lost with it. */
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
