import { useEffect, useState } from 'react'

/**
 * A value as it was until the window has painted what changed with it, and has rested for `restMs` since: what stands
 * beside costs that no time. `before` is given until the first paint.
 */
export function useAfterPaint<T>(
  value: T,
  { before = value, restMs = 0 }: { readonly before?: T; readonly restMs?: number } = {},
): T {
  const [shown, setShown] = useState(before)
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
