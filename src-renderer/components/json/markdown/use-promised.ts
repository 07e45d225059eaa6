import { useEffect, useEffectEvent, useState } from 'react'

import { toErrorShape } from '../../../ipc/call'

/** What is asked for once, when the caller first stands: undefined while it is on its way, an error where it does not come. */
export function usePromised<T>(ask: () => Promise<T>): T | Error | undefined {
  const [answer, setAnswer] = useState<T | Error | undefined>(undefined)
  const begin = useEffectEvent(ask)
  useEffect(() => {
    let isOver = false
    begin().then(
      (value) => {
        if (!isOver) setAnswer(value)
      },
      (thrown: unknown) => {
        if (!isOver) setAnswer(new Error(toErrorShape(thrown).message))
      },
    )
    return () => {
      isOver = true
    }
  }, [])
  return answer
}
