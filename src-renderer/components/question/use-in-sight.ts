import { type RefCallback, useState } from 'react'

/** Whether an element was in view once; it gets the ref. */
export function useInSight(): { readonly isSeen: boolean; readonly ref: RefCallback<Element> } {
  const [isSeen, setIsSeen] = useState(false)
  const [ref] = useState((): RefCallback<Element> => {
    return (element) => {
      if (!element) return undefined
      const watching = new IntersectionObserver((entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setIsSeen(true)
        watching.disconnect()
      })
      watching.observe(element)
      return () => watching.disconnect()
    }
  })
  return { isSeen, ref }
}
