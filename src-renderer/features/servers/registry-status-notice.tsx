import type { ReactElement } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { Banner } from '../../ui/layout/banner'
import { registryStatusMessage } from '../../ui/text/registry-status-messages'

/** Says that the registry took the server's entry down, or that nobody maintains it. */
export function RegistryStatusNotice({
  server,
}: {
  readonly server: ServerView
}): ReactElement | null {
  const { registryStatus } = server
  if (registryStatus === undefined) return null
  const { title, text } = registryStatusMessage(registryStatus)
  return (
    <div className="page-line fixed">
      <Banner severity={registryStatus.status === 'deleted' ? 'error' : 'warn'} title={title}>
        {text}
      </Banner>
    </div>
  )
}
