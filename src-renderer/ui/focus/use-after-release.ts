import { useEffect, useRef } from 'react'

let isPressed = false
for (const [name, pressed] of [
  ['pointerdown', true],
  ['pointerup', false],
  ['pointercancel', false],
] as const)
  window.addEventListener(name, () => (isPressed = pressed), { capture: true })

/** Runs a task while no pointer is pressed: immediately, or when the press ends or is canceled. */
export function afterRelease(task: () => void): void {
  if (!isPressed) {
    task()
    return
  }
  // Before the click, which may save what the task changes.
  const ended = new AbortController()
  const run = (): void => {
    ended.abort()
    task()
  }
  for (const name of ['pointerup', 'pointercancel'])
    window.addEventListener(name, run, { signal: ended.signal })
}

/**
 * Returns a function for `onBlur` that runs the latest `task` while no pointer is pressed, and never after unmounting: a layout change
 * between press and release would redirect the click.
 */
export function useAfterRelease(task: () => void): () => void {
  const latest = useRef<(() => void) | undefined>(undefined)
  useEffect(() => {
    latest.current = task
    return () => (latest.current = undefined)
  })
  return () => afterRelease(() => latest.current?.())
}
