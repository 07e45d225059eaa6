import { useState } from 'react'

import type { HostServers, ImportChoice } from '../../../src-shared/domain/agents/host'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { useRequest } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'

/** Decisions that follow each other within this time are asked about once. */
const REST_MS = 120
const NO_CHOICES: ImportChoice[] = []

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
} {
  const hosts = useApp(({ app }) => app?.hosts)
  const [choices, choose] = useState(NO_CHOICES)
  const restMs = choices === NO_CHOICES ? 0 : REST_MS
  const { value, problem, loaded, retry } = useRequest(
    'hosts.servers',
    { choices },
    { state: [hosts], restMs },
  )
  return { servers: value, problem, isReading: loaded.kind === 'loading', again: retry, choose }
}
