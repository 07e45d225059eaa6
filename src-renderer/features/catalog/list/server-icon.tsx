import { type ReactElement, useState } from 'react'

import type { ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import { useRequest } from '../../../ipc/use-request'
import { useApp } from '../../../stores/app-store'
import { Tile } from '../../../ui/marks/tile'

/** What rushes by is not asked for. */
const REST_MS = 120

type IconProps = {
  readonly server: ListedServer
  readonly title: string
  readonly size?: 'default' | 'large'
}

function Picture({ server, title, size = 'default' }: IconProps): ReactElement {
  const { sourceId, name } = server
  const { value } = useRequest('catalog.icon', { sourceId, name }, { restMs: REST_MS, stays: true })
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

/** The picture of a server, fetched by main; its monogram where there is none. Decorative: the name stands beside it. */
export function ServerIcon(props: IconProps): ReactElement {
  const { server, title, size } = props
  const isWanted = useApp((state) => state.app?.settings.catalogIcons ?? false)
  const isKnown = isWanted && server.icon !== undefined
  return isKnown ? <Picture {...props} /> : <Tile name={title} size={size} />
}
