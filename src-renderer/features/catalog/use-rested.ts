import { useEffect, useState } from 'react'

/** False at first, and true once the component has stood for `ms`: what only rushes by asks for nothing. */
export function useRested(ms: number): boolean {
  const [isRested, setIsRested] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsRested(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isRested
}
