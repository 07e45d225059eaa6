import type { ReactElement } from 'react'

import type { Offer } from '../../../src-shared/domain/server-json/offer'
import { OWN_COMMAND } from '../../../src-shared/domain/server-json/own-command'
import type { ServerJson } from '../../../src-shared/domain/server-json/server-json'
import { Tag } from '../../ui/marks/tag'
import { Tile } from '../../ui/marks/tile'
import { TRANSPORT_NAMES } from './preview/transport-names'

function tagsOf(offer: Offer): string[] {
  if (offer.kind === 'remote') return [TRANSPORT_NAMES[offer.remote.type]]
  const { registryType, version, fileSha256 } = offer.pkg
  const isBundle = registryType === OWN_COMMAND && fileSha256 !== undefined
  const kind = isBundle ? 'bundle' : registryType
  return version === undefined ? [kind] : [kind, version]
}

/** Which server and which of its offers the form is about. */
export function FormHead(props: {
  readonly server: ServerJson
  readonly offer: Offer
}): ReactElement {
  const { server, offer } = props
  const title = server.title ?? server.name
  return (
    <div className="row gap-3">
      <Tile name={title} size="large" />
      <div className="grow">
        <h2 id="form-title" className="headline clamp break">
          {title}
        </h2>
        <p className="faint row slim gap-2">
          <span className="cut" title={server.name}>
            {server.name}
          </span>
          {tagsOf(offer).map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </p>
      </div>
    </div>
  )
}
