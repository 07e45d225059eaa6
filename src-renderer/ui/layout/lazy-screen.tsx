import {
  type ComponentType,
  type JSX,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

import { keepFocus, Page } from './page'
import { Skeleton } from './skeleton'

/** A screen or tab that brings its own stand-in. */
export type LazyScreen<P extends object> = ((props: P) => JSX.Element) & Pick<LazyPart<P>, 'load'>

function standing<P extends object>(part: LazyPart<P>, fallback: JSX.Element): LazyScreen<P> {
  const Part = part
  const Screen = (props: P): JSX.Element => <Part {...props} fallback={fallback} />
  return Object.assign(Screen, { load: part.load })
}

/** A page whose code is loaded when it is first opened, or before; until then its title stands over a skeleton. */
export function lazyScreen<P extends object = object>(
  title: string,
  fetch: () => Promise<ComponentType<P>>,
): LazyScreen<P> {
  return standing(
    lazyPart(fetch),
    <Page title={title}>
      <Skeleton label={`Opening ${title}`} rows={6} />
    </Page>,
  )
}

/** A tab within a page, as `lazyScreen`. */
export function lazyTab<P extends object>(
  label: string,
  fetch: () => Promise<ComponentType<P>>,
): LazyScreen<P> {
  return standing(lazyPart(fetch), <Skeleton label={label} rows={6} />)
}

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
type LazyPart<P extends object> = ((props: P & { readonly fallback: ReactNode }) => JSX.Element) & {
  /** Loads the code, so that the part is drawn at once later on. Rejects where it cannot be had; drawing it tries again. */
  readonly load: () => Promise<void>
}

/** What a part knows of its code while it stands. */
type Code<P> = { readonly part?: ComponentType<P> | undefined; readonly failure?: Error }

/**
 * A part of the page whose code is loaded when it is first drawn, or before. One that failed is loaded again the next time
 * that it is put into the page. React's own `lazy` remembers a failure for ever, and holds back for 300 ms what comes
 * after a stand-in.
 */
export function lazyPart<P extends object>(fetch: () => Promise<ComponentType<P>>): LazyPart<P> {
  const held: { part?: ComponentType<P> } = {}
  const load = async (): Promise<void> => {
    held.part = await fetch()
  }
  function Part({ fallback, ...props }: P & { readonly fallback: ReactNode }): JSX.Element {
    const [{ part: Loaded, failure }, setCode] = useState<Code<P>>(() => ({ part: held.part }))
    const { leave, arrive } = useFocusAcross()
    const isHere = Loaded !== undefined
    useEffect(() => {
      if (isHere) return undefined
      const wait = new AbortController()
      const tell = (code: Code<P>): void => {
        if (!wait.signal.aborted) setCode(code)
      }
      load().then(
        () => tell({ part: held.part }),
        (thrown: unknown) =>
          tell({ failure: thrown instanceof Error ? thrown : new Error(String(thrown)) }),
      )
      return () => wait.abort()
    }, [isHere])
    if (failure) throw failure
    if (!Loaded) return <Waiting onLeave={leave}>{fallback}</Waiting>
    return (
      <>
        <Loaded {...(props as unknown as P)} />
        <Arrived onArrive={arrive} />
      </>
    )
  }
  return Object.assign(Part, { load })
}
