import { useEffect, useState } from 'react'

/**
 * A value as it was until the window has painted what changed with it: what stands beside costs that no time. `before` is
 * given until the first paint.
 */
export function useAfterPaint<T>(value: T, before: T = value): T {
  const [shown, setShown] = useState(before)
  useEffect(() => {
    // A frame is painted before what its begin posted.
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => setShown(() => value)
    const frame = requestAnimationFrame(() => port2.postMessage(undefined))
    return () => {
      cancelAnimationFrame(frame)
      port1.close()
    }
  }, [value])
  return shown
}
