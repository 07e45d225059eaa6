import { type ReactElement, useState } from 'react'

import type { ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import { useRequest } from '../../../ipc/use-request'
import { useApp } from '../../../stores/app-store'
import { Tile } from '../../../ui/marks/tile'

/** Delay before an icon loads, in ms, so that fast scrolling loads none. */
const DELAY_MS = 120

type IconProps = {
  readonly server: ListedServer
  readonly title: string
  readonly size?: 'default' | 'large'
}

function Picture({ server, title, size = 'default' }: IconProps): ReactElement {
  const { sourceId, name } = server
  const { value } = useRequest(
    'catalog.icon',
    { sourceId, name },
    { debounceMs: DELAY_MS, isCached: true },
  )
  const [broken, setBroken] = useState<string>()
  if (value == null || value === broken) return <Tile name={title} size={size} />
  return (
    <img
      className={size === 'large' ? 'tile tile-l flex-none' : 'tile flex-none'}
      src={value}
      alt=""
      decoding="async"
      onError={() => setBroken(value)}
    />
  )
}

/** A server's icon from main, or its monogram if there is none. Decorative, because the name is next to it. */
export function ServerIcon(props: IconProps): ReactElement {
  const { server, title, size } = props
  const isWanted = useApp((state) => state.app?.settings.catalogIcons ?? false)
  const isKnown = isWanted && server.icon !== undefined
  return isKnown ? <Picture {...props} /> : <Tile name={title} size={size} />
}
