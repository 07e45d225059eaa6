import { useEffect, useState } from 'react'

/** A value as it was until the window has painted what changed with it, and has rested for `restMs` since: what stands beside costs that no time. */
export function useAfterPaint<T>(value: T, restMs = 0): T {
  const [shown, setShown] = useState(value)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    // A timer that the begin of a frame sets ends behind the painting of that.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setShown(() => value), restMs)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [value, restMs])
  return shown
}
