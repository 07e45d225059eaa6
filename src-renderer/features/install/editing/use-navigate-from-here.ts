import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'

/** Goes to another page, unless the person has left this one meanwhile: who waits for nothing is not fetched back. */
export function useNavigateFromHere(): (to: string) => void {
  const [, navigate] = useLocation()
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return (to) => {
    if (isHere.current) navigate(to)
  }
}
