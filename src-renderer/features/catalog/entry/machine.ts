import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { Machine } from '../../../../src-shared/domain/server-json/preferred-offer'
import { call } from '../../../ipc/call'
import { useApp } from '../../../stores/app-store'

/** The runners that were found; undefined while nobody knows, when any may be there. */
const foundStore = createStore<{ readonly runners: readonly RunnerName[] | undefined }>(() => ({
  runners: undefined,
}))

/** The computer that servers run on. */
export function useMachine(): Machine {
  const platform = useApp((state) => state.app?.info.platform) ?? ''
  const arch = useApp((state) => state.app?.info.arch)
  const { runners } = useStore(foundStore)
  return useMemo(() => ({ platform, arch, runners }), [platform, arch, runners])
}

/** The runners of this computer; undefined while nobody knows. */
export function useRunners(): readonly RunnerName[] | undefined {
  return useStore(foundStore).runners
}

/** Looks for the runners once, and again when a path of theirs is set. */
export function useFindRunners(): void {
  const paths = useApp((state) => state.app?.settings.runnerPaths)
  const asked = JSON.stringify(paths ?? {})
  useEffect(() => {
    let isCurrent = true
    call('runner.find', {}).then(
      (runners) => {
        if (isCurrent) foundStore.setState({ runners })
      },
      () => {
        // Nothing is lost: a start looks for its runner itself and says what is missing.
        if (isCurrent) foundStore.setState({ runners: undefined })
      },
    )
    return () => {
      isCurrent = false
    }
  }, [asked])
}
