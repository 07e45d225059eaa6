import type { RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'

import type { Trial } from '../../src-shared/domain/agents/trial'
import { endWords } from './messages'

/** So much of a result is seen, in px, that it need not be brought into sight. */
const SEEN = 120

/** Brings the beginning of an element into sight where that is below what is seen. */
function bringUp(element: Element | null): void {
  if (element && element.getBoundingClientRect().top > window.innerHeight - SEEN)
    element.scrollIntoView({ block: 'start' })
}

/** Says how a trial ended and shows its result, and keeps the focus where the button that had it is gone. */
export function useTrialEnd(
  trial: Trial | undefined,
  result: RefObject<HTMLElement | null>,
  keep: () => void,
): string {
  const last = useRef(trial)
  const [said, setSaid] = useState('')
  useEffect(() => {
    const before = last.current
    last.current = trial
    if (trial === undefined || before?.trialId !== trial.trialId) return
    if (before.outcome !== undefined || trial.outcome === undefined) return
    setSaid(endWords(trial))
    bringUp(result.current)
    if (document.activeElement === document.body) keep()
  }, [trial, result, keep])
  return trial?.outcome === undefined ? '' : said
}
