import type { RefObject } from 'react'
import { useEffect, useEffectEvent, useRef } from 'react'

import { useSingleKeys } from '../../stores/app-store'
import { isTyping } from '../../ui/marks/shortcuts'
import { isCovered } from '../../ui/overlays/is-covered'
import type { Review } from './use-review'

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }

function isElsewhere(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat)
    return true
  return isTyping(event.target) || isCovered()
}

/**
 * J and K go through the tools and take the focus along, the arrows too within the list; A approves what is shown, R
 * refuses it. Of these the arrows alone are left where shortcuts of single keys are switched off.
 */
export function useReviewKeys(review: Review, list: RefObject<HTMLElement | null>): void {
  const { name } = review.current
  const isMoving = useRef(false)
  const hasSingleKeys = useSingleKeys()
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (isElsewhere(event) || (event.key.length === 1 && !hasSingleKeys)) return
    const isInList = event.target instanceof Node && list.current?.contains(event.target) === true
    const step = STEPS[event.key]
    if (step !== undefined && (isInList || event.key.length === 1)) {
      isMoving.current = true
      review.move(step)
    } else if (event.key === 'a') {
      isMoving.current = true
      review.decide('approve')
    } else if (event.key === 'r' && review.current.exposure !== 'refused') {
      isMoving.current = true
      review.decide('refuse')
    } else return
    event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => press(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
  useEffect(() => {
    if (!isMoving.current) return
    isMoving.current = false
    list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus()
  }, [list, name])
}
