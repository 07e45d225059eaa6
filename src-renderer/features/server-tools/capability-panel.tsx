import type { JSX, ReactNode } from 'react'

import type { Capabilities } from '../../../src-shared/domain/agents/capability'
import { isWorking } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { useCapabilities } from '../../components/tool/use-capabilities'
import { useNow } from '../../stores/now'
import { useServerTools } from '../../stores/tools-store'
import { Banner } from '../../ui/layout/banner'
import { BlankState } from '../../ui/layout/blank-state'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { listedWords, unlistedWords } from './messages'

/** That a list is the last known one, and of when; nothing while a session serves. */
function ListedLine({ installationId }: Pick<ServerView, 'installationId'>): JSX.Element | null {
  const listed = useServerTools(installationId)
  const now = useNow(20_000)
  const words = listed === undefined ? '' : listedWords(listed, now)
  return words === '' ? null : <p className="faint small num below-3">{words}</p>
}

function Notices({ notices }: Pick<Capabilities, 'notices'>): JSX.Element | null {
  if (notices.length === 0) return null
  return (
    <div className="stack gap-2 below-3">
      {notices.map((notice) => (
        <Banner key={notice} severity="warn">
          {notice}
        </Banner>
      ))}
    </div>
  )
}

type PanelProps = {
  readonly server: ServerView
  readonly label: string
  /** Plural, lower case: "tools". */
  readonly noun: string
  /** Below the rest, as wide as the panel. */
  readonly list?: ReactNode
  readonly children: (capabilities: Capabilities) => ReactNode
}

function Contents({ server, noun, list, children }: Omit<PanelProps, 'label'>): JSX.Element {
  const { installationId, status } = server
  const { value, loaded, retry } = useCapabilities(server)
  const listed = useServerTools(installationId)
  const inner = (content: ReactNode): JSX.Element => (
    <div className="tab-inner column">{content}</div>
  )
  if (!isWorking(status) && listed?.listedAt === undefined) {
    const message = unlistedWords(server, listed?.starts ?? 'withApp', noun)
    return inner(<BlankState art="waiting" title={`No ${noun} yet`} message={message} />)
  }
  if (loaded.kind === 'failed') {
    const title = `Can’t load ${noun}`
    return inner(<ProblemState title={title} problem={loaded.problem} onRetry={retry} />)
  }
  if (!value) return inner(<Skeleton label={`Loading ${noun}`} rows={5} />)
  return (
    <>
      {inner(
        <>
          <ListedLine installationId={installationId} />
          <Notices notices={value.notices} />
          {children(value)}
        </>,
      )}
      {list}
    </>
  )
}

/** The scroll region of a capability tab: waiting, loading, failed, or what `children` makes of the reading. */
export function CapabilityPanel({ label, ...rest }: PanelProps): JSX.Element {
  return (
    <div className="tab-body fill scroll" tabIndex={0} role="region" aria-label={label}>
      <Contents {...rest} />
    </div>
  )
}
