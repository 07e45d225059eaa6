import type { ReactElement } from 'react'

import type { Package, ServerJson } from '../../../src-shared/domain/server-json'
import { Tag } from '../../ui/tag'
import { Tile } from '../../ui/tile'

/** Which server and which package the form is about. */
export function FormHead(props: {
  readonly server: ServerJson
  readonly pack: Package
}): ReactElement {
  const { server, pack } = props
  const title = server.title ?? server.name
  return (
    <div className="form-head">
      <Tile name={title} size="large" />
      <div className="grow">
        <h2 id="form-title" className="clamp-2">
          {title}
        </h2>
        <p className="faint line-up form-id">
          <span className="cut" title={server.name}>
            {server.name}
          </span>
          <Tag>{pack.registryType}</Tag>
          {pack.version === undefined ? null : <Tag>{pack.version}</Tag>}
        </p>
      </div>
    </div>
  )
}
