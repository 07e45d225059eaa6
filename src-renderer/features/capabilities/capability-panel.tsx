import type { JSX, ReactNode } from 'react'
import { useEffect } from 'react'

import type { ServerView } from '../../../src-shared/domain/app-state'
import type { Capabilities } from '../../../src-shared/domain/capability'
import {
  ensureCapabilities,
  readCapabilities,
  useCapabilities,
} from '../../stores/capability-store'
import { Banner } from '../../ui/banner'
import { BlankState } from '../../ui/blank-state'
import { Button } from '../../ui/button'
import { Skeleton } from '../../ui/skeleton'

function Contents({
  server,
  noun,
  children,
}: {
  readonly server: ServerView
  readonly noun: string
  readonly children: (capabilities: Capabilities) => ReactNode
}): JSX.Element {
  const known = useCapabilities(server.installationId)
  const works = server.status.kind === 'ready' || server.status.kind === 'degraded'
  useEffect(() => {
    ensureCapabilities(server)
  }, [server])
  if (!works) {
    return (
      <BlankState
        art="waiting"
        title={`No ${noun} to show yet`}
        message={`${server.name} tells its ${noun} once it is ready.`}
      />
    )
  }
  if (known?.problem) {
    return (
      <BlankState
        art="cut"
        title={`The ${noun} could not be read`}
        message={[known.problem.message, known.problem.hint].filter(Boolean).join(' ')}
        action={<Button onClick={() => void readCapabilities(server)}>Read again</Button>}
      />
    )
  }
  if (!known?.capabilities) return <Skeleton label={`Reading ${noun}`} rows={5} />
  const { capabilities } = known
  return (
    <>
      {capabilities.notices.length > 0 && (
        <div className="capability-notices">
          {capabilities.notices.map((notice) => (
            <Banner key={notice} severity="warn">
              {notice}
            </Banner>
          ))}
        </div>
      )}
      {children(capabilities)}
    </>
  )
}

/** The scroll region of a capability tab: waiting, loading, failed, or what `children` makes of the reading. */
export function CapabilityPanel({
  label,
  ...rest
}: {
  readonly server: ServerView
  readonly label: string
  /** Plural, lower case: "tools". */
  readonly noun: string
  readonly children: (capabilities: Capabilities) => ReactNode
}): JSX.Element {
  return (
    <div className="tab-body scroll" tabIndex={0} role="region" aria-label={label}>
      <div className="tab-inner">
        <Contents {...rest} />
      </div>
    </div>
  )
}
