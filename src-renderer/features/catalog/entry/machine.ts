import { useMemo } from 'react'

import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { Machine } from '../../../../src-shared/domain/server-json/preferred-offer'
import { type Request, useRequest } from '../../../ipc/use-request'
import { useApp } from '../../../stores/app-store'

function useFound(asking: { readonly stays?: boolean }): Request<readonly RunnerName[]> {
  const paths = useApp((state) => state.app?.settings.runnerPaths)
  return useRequest('runner.find', {}, { ...asking, state: [JSON.stringify(paths ?? {})] })
}

/** The computer that servers run on. */
export function useMachine(): Machine {
  const platform = useApp((state) => state.app?.info.platform) ?? ''
  const arch = useApp((state) => state.app?.info.arch)
  const runners = useRunners()
  return useMemo(() => ({ platform, arch, runners }), [platform, arch, runners])
}

/** The runners that were found; undefined while nobody knows, when any may be there: a start looks for its runner itself and says what is missing. */
export function useRunners(): readonly RunnerName[] | undefined {
  return useFound({ stays: true }).value
}

/** Looks for the runners once, and again when a path of theirs is set. */
export function useFindRunners(): void {
  useFound({})
}
