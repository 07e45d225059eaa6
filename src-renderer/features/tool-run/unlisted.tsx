import type { JSX } from 'react'

import type { Capabilities } from '../../../src-shared/domain/agents/capability'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { NotRunning } from '../../components/tool-run/not-running'
import type { Request } from '../../ipc/use-request'
import { Button } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'

/** What stands in place of something that the server does not list, or whose list is not there yet. */
export function Unlisted({
  server,
  known: { value, loaded, retry },
  noun,
  verb,
}: {
  readonly server: ServerView
  readonly known: Request<Capabilities>
  /** What it is, in lower case: "prompt". */
  readonly noun: string
  /** What is done with it: "Render". */
  readonly verb: string
}): JSX.Element {
  if (value === undefined && loaded.kind === 'loading')
    return <Skeleton label={`Loading ${noun}`} rows={3} />
  if (loaded.kind === 'failed')
    return (
      <ProblemState title={`Can’t load this ${noun}`} problem={loaded.problem} onRetry={retry} />
    )
  return (
    <>
      <NotRunning server={server} verb={verb} />
      <BlankState
        art="open"
        title={`The server doesn’t list this ${noun}`}
        message="Start the server or refresh the list."
        action={<Button onClick={retry}>Refresh</Button>}
      />
    </>
  )
}
