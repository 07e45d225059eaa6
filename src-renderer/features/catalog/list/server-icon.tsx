import type { ReactElement } from 'react'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import { listedKey } from '../../../../src-shared/domain/catalog/listed-ref'
import { call } from '../../../ipc/call'
import { useApp } from '../../../stores/app-store'
import { Tile } from '../../../ui/marks/tile'

/** What rushes by is not asked for. */
const REST_MS = 120
/** Characters of pictures that this window holds. */
const MOST = 24_000_000

type Icons = { readonly known: ReadonlyMap<string, string | null>; readonly size: number }

const iconStore = createStore<Icons>(() => ({ known: new Map(), size: 0 }))

/** Keeps a picture; where there are too many, the others are asked for again when they come into view. */
function keepIcon(key: string, icon: string | null): void {
  const length = icon?.length ?? 0
  iconStore.setState(({ known, size }) =>
    size + length > MOST
      ? { known: new Map([[key, icon]]), size: length }
      : { known: new Map(known).set(key, icon), size: size + length },
  )
}

function useIcon(server: ListedServer): string | undefined {
  const isWanted = useApp((state) => state.app?.settings.catalogIcons ?? false)
  const { sourceId, name, icon: address } = server
  const hasIcon = isWanted && address !== undefined
  const key = listedKey(server)
  const icon = useStore(iconStore, ({ known }) => known.get(key))
  useEffect(() => {
    if (!hasIcon || icon !== undefined) return undefined
    const timer = setTimeout(() => {
      call('catalog.icon', { sourceId, name }).then(
        (found) => keepIcon(key, found),
        () => keepIcon(key, null), // the monogram stays
      )
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [hasIcon, icon, sourceId, name, key])
  return hasIcon ? (icon ?? undefined) : undefined
}

/** The picture of a server, fetched by main; its monogram where there is none. Decorative: the name stands beside it. */
export function ServerIcon(props: {
  readonly server: ListedServer
  readonly title: string
  readonly size?: 'default' | 'large'
}): ReactElement {
  const { server, title, size = 'default' } = props
  const icon = useIcon(server)
  if (icon === undefined) return <Tile name={title} size={size} />
  return (
    <img
      className={size === 'large' ? 'tile tile-l fixed' : 'tile fixed'}
      src={icon}
      alt=""
      decoding="async"
      onError={() => keepIcon(listedKey(server), null)}
    />
  )
}
