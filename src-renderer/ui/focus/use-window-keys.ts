import { useEffect, useEffectEvent } from 'react'

/** Calls `press` with each key that is pressed anywhere in the window. */
export function useWindowKeys(press: (event: KeyboardEvent) => void): void {
  const listener = useEffectEvent(press)
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => listener(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
