import type { RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'

import type { ToolRun } from '../../../src-shared/domain/agents/tool-run'
import { endWords } from './messages'

/** So much of a result is seen, in px, that it need not be brought into sight. */
const SEEN = 120

/** Brings the beginning of an element into sight where that is below what is seen. */
function bringUp(element: Element | null): void {
  if (element && element.getBoundingClientRect().top > window.innerHeight - SEEN)
    element.scrollIntoView({ block: 'start' })
}

/** Says how a trial ended and shows its result, and keeps the focus where the button that had it is gone. */
export function useToolRunEnd(
  toolRun: ToolRun | undefined,
  result: RefObject<HTMLElement | null>,
  keep: () => void,
): string {
  const last = useRef(toolRun)
  const [said, setSaid] = useState('')
  useEffect(() => {
    const before = last.current
    last.current = toolRun
    if (toolRun === undefined || before?.toolRunId !== toolRun.toolRunId) return
    if (before.outcome !== undefined || toolRun.outcome === undefined) return
    setSaid(endWords(toolRun))
    bringUp(result.current)
    if (document.activeElement === document.body) keep()
  }, [toolRun, result, keep])
  return toolRun?.outcome === undefined ? '' : said
}
