import type { ReactElement } from 'react'

import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { RunnerView } from '../../../../src-shared/domain/running/runner-advice'
import { OWN_COMMAND } from '../../../../src-shared/domain/server-json/own-command'
import { runnerOfKind } from '../../../../src-shared/domain/server-json/preferred-offer'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { ProblemText } from '../../../ui/fields/problem-text'

/** Whether an installed server starts with a runner, as a package of its kind or as a command of the person's own. */
export function isRunnerNeeded(
  runner: RunnerName,
  servers: readonly Pick<ServerView, 'registryType' | 'identifier'>[],
): boolean {
  return servers.some(
    ({ registryType, identifier }) =>
      runnerOfKind(registryType) === runner ||
      (registryType === OWN_COMMAND && identifier === runner),
  )
}

function Problem(props: { readonly problem: string; readonly isError: boolean }): ReactElement {
  const { problem, isError } = props
  if (isError) return <ProblemText alert={false}>{problem}</ProblemText>
  return <> {problem} Not used by your servers.</>
}

/** How a runner is: what is wrong with one is an error only where a server needs it or its path was set by hand. */
export function RunnerState({
  view,
  isNeeded,
}: {
  readonly view: RunnerView | undefined
  readonly isNeeded: boolean
}): ReactElement {
  if (view === undefined) return <>Checking.</>
  const { path, version, problem, source } = view
  return (
    <>
      {version ?? (path === undefined ? null : 'Unknown version.')}
      {version !== undefined && source === 'found' ? ', found on this computer.' : null}
      {version !== undefined && source === 'set' ? ', set manually.' : null}
      {problem === undefined ? null : (
        <Problem problem={problem} isError={isNeeded || source === 'set'} />
      )}
    </>
  )
}
