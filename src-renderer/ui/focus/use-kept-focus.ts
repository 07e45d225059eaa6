import { useEffect, useRef } from 'react'

import { keepFocus } from '../layout/page'

/** Gives the page the focus where what had it goes as `what` becomes another: a button that takes itself away. */
export function useKeptFocus(what: unknown): void {
  const before = useRef(what)
  useEffect(() => {
    if (before.current !== what) keepFocus()
    before.current = what
  }, [what])
}
