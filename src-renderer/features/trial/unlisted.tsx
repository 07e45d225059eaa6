import type { JSX } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { type KnownCapabilities, readCapabilities } from '../../stores/capability-store'
import { NotRunning } from '../../trial-parts/not-running'
import { Button } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { Skeleton } from '../../ui/layout/skeleton'

/** What stands in place of something that the server does not list, or whose list is not there yet. */
export function Unlisted({
  server,
  known: { capabilities, reading, problem },
  noun,
  verb,
}: {
  readonly server: ServerView
  readonly known: KnownCapabilities
  /** What it is, in lower case: "prompt". */
  readonly noun: string
  /** What is done with it: "Render". */
  readonly verb: string
}): JSX.Element {
  if (capabilities === null && reading) return <Skeleton label={`Reading the ${noun}`} rows={3} />
  if (problem)
    return (
      <BlankState
        art="cut"
        title={`This ${noun} could not be read`}
        message={[problem.message, problem.hint].filter(Boolean).join(' ')}
        action={<Button onClick={() => void readCapabilities(server)}>Read again</Button>}
      />
    )
  return (
    <>
      <NotRunning server={server} verb={verb} />
      <BlankState
        art="open"
        title={`The server lists no such ${noun}`}
        message="It may be gone, or the server has not been started yet."
        action={<Button onClick={() => void readCapabilities(server)}>Read again</Button>}
      />
    </>
  )
}
