import { useEffect, useState } from 'react'

import { call, toErrorShape } from '../../ipc/call'
import { type ResourceUpdates, useUpdates } from '../../stores/resource-updates'
import { problemWords } from '../../ui/text/problem-messages'

/** Whether a server tells of the changes of a resource, and what it told. */
export type Watch = {
  readonly isOn: boolean
  /** Why it does not. */
  readonly problem: string | undefined
  readonly setOn: (isOn: boolean) => void
  /** Since it was switched on. */
  readonly updates: ResourceUpdates | undefined
}

/** Watches a resource while the caller stands and wants it to. */
export function useWatch(installationId: string, uri: string): Watch {
  const [isOn, setIsOn] = useState(false)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [before, setBefore] = useState(0)
  const heard = useUpdates(installationId, uri)
  useEffect(() => {
    if (!isOn) return undefined
    let isOver = false
    const tell = (thrown: unknown): void => {
      if (isOver) return
      setProblem(problemWords(toErrorShape(thrown)))
      setIsOn(false)
    }
    const asked = { installationId, uri, watcherId: crypto.randomUUID() }
    call('toolRun.watch', { ...asked, isWanted: true }).catch(tell)
    return () => {
      isOver = true
      call('toolRun.watch', { ...asked, isWanted: false }).catch(() => {
        // The server is gone, and with it what was watched.
      })
    }
  }, [isOn, installationId, uri])
  const setOn = (isWanted: boolean): void => {
    setProblem(undefined)
    setBefore(heard?.count ?? 0)
    setIsOn(isWanted)
  }
  const isNew = isOn && heard !== undefined && heard.count > before
  return { isOn, problem, setOn, updates: isNew ? heard : undefined }
}
