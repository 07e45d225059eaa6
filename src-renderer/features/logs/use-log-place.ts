import { useState } from 'react'

/** Where a user stands in a list of lines. */
export type LogPlace = {
  /** The newest lines stay in view. */
  readonly isFollowing: boolean
  /** Paused: lines from here on are not shown; null while they are. */
  readonly upTo: number | null
  /** After the newest line when following stopped. */
  readonly leftAt: number
  readonly pause: () => void
  /** Back to the newest line, and on with it. */
  readonly follow: () => void
  /** The end is in view. */
  readonly arrive: () => void
  /** One scrolls up: lines that come do not pull back to the end. */
  readonly leave: () => void
}

/** Follows the newest lines, until it is left or paused; `end` is after the newest. */
export function useLogPlace(end: number): LogPlace {
  const [isFollowing, setFollowing] = useState(true)
  const [upTo, setUpTo] = useState<number | null>(null)
  const [leftAt, setLeftAt] = useState(0)
  const leave = (): void => {
    if (!isFollowing) return
    setFollowing(false)
    setLeftAt(end)
  }
  return {
    ...{ isFollowing, upTo, leftAt, leave },
    pause: () => setUpTo(end),
    follow: () => {
      setUpTo(null)
      setFollowing(true)
    },
    arrive: () => setFollowing(true),
  }
}
