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

/** How a runner is: what is wrong with one is an error only where a server needs it or its path was set by hand. */
export function RunnerState({
  view,
  isNeeded,
}: {
  readonly view: RunnerView | undefined
  readonly isNeeded: boolean
}): ReactElement {
  if (view === undefined) return <>Looking for it.</>
  const { problem, source } = view
  const isError = isNeeded || source === 'set'
  return (
    <>
      {versionWords(view)}
      {problem !== undefined && isError ? <ProblemText alert={false}>{problem}</ProblemText> : null}
      {problem !== undefined && !isError ? ` ${problem} No server needs it.` : null}
    </>
  )
}

function versionWords({ path, version, source }: RunnerView): string | null {
  if (version === undefined) return path === undefined ? null : 'Its version is not known.'
  return `${version}, ${source === 'found' ? 'found on this computer' : 'set by hand'}.`
}
