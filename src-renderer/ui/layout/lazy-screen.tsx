import type { ComponentType, JSX } from 'react'

import { type LazyPart, lazyPart } from './lazy-part'
import { Page } from './page'
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
