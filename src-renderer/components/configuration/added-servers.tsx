import type { ReactElement } from 'react'

import type { AddedServer } from '../../../src-shared/domain/installation/configuration'
import { ButtonLink } from '../../ui/controls/button'

/** The added servers, each with a link to its page or to its review. */
export function AddedServers({
  servers,
}: {
  readonly servers: readonly AddedServer[]
}): ReactElement {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line" aria-label="Added servers">
      {servers.map(({ installationId, name, starts }) => (
        <li key={installationId} className="flex items-center gap-2 px-3 py-2">
          <span className="truncate flex-1">{name}</span>
          <ButtonLink
            size="small"
            href={`/servers/${installationId}${starts ? '' : '/configure'}`}
            aria-label={`${starts ? 'Open' : 'Review'} ${name}`}
          >
            {starts ? 'Open' : 'Review'}
          </ButtonLink>
        </li>
      ))}
    </ul>
  )
}
