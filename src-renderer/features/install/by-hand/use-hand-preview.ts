import { useCallback, useEffect, useRef, useState } from 'react'

import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { HandMade, HandPreview } from '../../../../src-shared/domain/installation/by-hand'
import { call, toErrorShape } from '../../../ipc/call'

/** What is asked: the parts, the folder, and the installation whose saved secrets count. */
export type HandQuestion = {
  readonly made: HandMade
  readonly cwd: string
  readonly installationId?: string
}

type State = { readonly answer: HandPreview | null; readonly problem: AppErrorShape | null }

const DEBOUNCE_MS = 120

/**
 * The launch that the typed parts make. The last good one stays while a newer is on its way; a late answer never
 * replaces a newer one. `refresh` asks at once and rejects with an `AppError`.
 */
export function useHandPreview(question: HandQuestion): State & {
  readonly refresh: (question: HandQuestion) => Promise<HandPreview>
} {
  const [state, setState] = useState<State>({ answer: null, problem: null })
  const newest = useRef(0)
  const asked = JSON.stringify(question)

  useEffect(() => {
    newest.current += 1
    const mine = newest.current
    const timer = setTimeout(() => {
      call('byHand.preview', JSON.parse(asked) as HandQuestion).then(
        (answer) => {
          if (mine === newest.current) setState({ answer, problem: null })
        },
        (thrown: unknown) => {
          if (mine !== newest.current) return
          setState((before) => ({ answer: before.answer, problem: toErrorShape(thrown) }))
        },
      )
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [asked])

  const refresh = useCallback(async (fresh: HandQuestion) => {
    newest.current += 1
    const answer = await call('byHand.preview', fresh)
    setState({ answer, problem: null })
    return answer
  }, [])
  return { ...state, refresh }
}
