import type { JSX, ReactNode } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { SharingChoice, ToolChangesChoice } from './choices'
import { EarlierVersions } from './earlier-versions'
import { Instances } from './overview/instances'

/** What a server is run with, how its processes and tools are handled, and the versions to go back to. */
export function ServerSettings({
  server,
  configuration,
}: {
  readonly server: ServerView
  /** The command or connection; another feature draws it. */
  readonly configuration: ReactNode
}): JSX.Element {
  return (
    <div className="tab-body fill scroll" tabIndex={0} role="region" aria-label="Settings">
      <div className="tab-inner column stack gap-5">
        <ToolChangesChoice server={server} />
        <SharingChoice server={server} />
        <Instances server={server} />
        {configuration}
        <EarlierVersions server={server} />
      </div>
    </div>
  )
}
