import { useCallback, useEffect, useRef, useState } from 'react'

import type { HostServers, ImportChoice } from '../../../src-shared/domain/agents/host'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { call, toErrorShape } from '../../ipc/call'
import { useApp } from '../../stores/app-store'

/** Decisions that follow each other within this time are asked about once. */
const REST_MS = 120

/** The servers of all hosts as they were told last. */
export type HostReading = {
  /** Undefined before the first answer. */
  readonly servers: HostServers | undefined
  /** Why the newest answer could not be had. */
  readonly problem: AppErrorShape | null
  readonly isReading: boolean
  readonly again: () => void
}

/** Reads the servers of all hosts with these choices, anew when a choice or a file is another; what was told stays meanwhile. */
export function useHostServers(): HostReading & {
  readonly choose: (choices: readonly ImportChoice[]) => void
} {
  const hosts = useApp(({ app }) => app?.hosts)
  const [choices, setChoices] = useState('[]')
  const [round, setRound] = useState(0)
  const [told, setTold] = useState<Omit<HostReading, 'again'>>({
    servers: undefined,
    problem: null,
    isReading: true,
  })
  const isFirst = useRef(true)
  useEffect(() => {
    let isCurrent = true
    setTold((before) => ({ ...before, isReading: true }))
    const settle = (answer: Partial<HostReading>): void => {
      if (isCurrent)
        setTold((before) => ({ ...before, problem: null, ...answer, isReading: false }))
    }
    const timer = setTimeout(
      () => {
        isFirst.current = false
        call('hosts.servers', { choices: JSON.parse(choices) as ImportChoice[] }).then(
          (servers) => settle({ servers }),
          (thrown: unknown) => settle({ problem: toErrorShape(thrown) }),
        )
      },
      isFirst.current ? 0 : REST_MS,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [choices, hosts, round])
  return {
    ...told,
    again: useCallback(() => setRound((before) => before + 1), []),
    choose: useCallback((next) => setChoices(JSON.stringify(next)), []),
  }
}
