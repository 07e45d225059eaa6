import { useCallback, useState } from 'react'

import type { HostServers, ImportChoice } from '../../../src-shared/domain/agents/host'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { useRequest } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'

/** Decisions that follow each other within this time are asked about once. */
const REST_MS = 120

/** The servers of all hosts as they were told last. */
export type HostReading = {
  /** Undefined before the first answer. */
  readonly servers: HostServers | undefined
  /** Why the newest answer could not be had. */
  readonly problem: AppErrorShape | undefined
  readonly isReading: boolean
  readonly again: () => void
}

/** Reads the servers of all hosts with these choices, anew when a choice or a file is another; what was told stays meanwhile. */
export function useHostServers(): HostReading & {
  readonly choose: (choices: ImportChoice[]) => void
  /** Whether the servers are those of the newest choices. */
  readonly isSettled: boolean
} {
  const hosts = useApp(({ app }) => app?.hosts)
  const [first] = useState((): ImportChoice[] => [])
  const [choices, setChoices] = useState(first)
  const choose = useCallback(
    (next: ImportChoice[]) =>
      setChoices((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next)),
    [],
  )
  // What is chosen follows from the answer. Choices that come back are another question all the same: its answer of
  // before, of files that were changed meanwhile, would lead to other choices, and those back to these, without end.
  const { value, problem, loaded, retry } = useRequest(
    'hosts.servers',
    { choices },
    { state: [hosts, choices], restMs: choices === first ? 0 : REST_MS },
  )
  const isReading = loaded.kind === 'loading'
  const isSettled = choices !== first && loaded.kind === 'ready'
  return { servers: value, problem, isReading, isSettled, again: retry, choose }
}
