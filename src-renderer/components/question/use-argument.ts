import { useState } from 'react'

import type { ArgumentText } from '../../../src-shared/domain/agents/argument-rows'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { call, toErrorShape } from '../../ipc/call'

type State =
  | { readonly kind: 'closed' | 'loading' }
  | { readonly kind: 'open'; readonly whole: ArgumentText }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }

/** One argument in full, once `show` is called. */
export function useArgument(
  questionId: string,
  at: number,
  /** All of it is shown. */
  onRead: (() => void) | undefined,
): {
  readonly whole: ArgumentText | undefined
  readonly problem: AppErrorShape | undefined
  readonly isLoading: boolean
  readonly show: () => void
} {
  const [state, setState] = useState<State>({ kind: 'closed' })
  const show = (): void => {
    setState({ kind: 'loading' })
    call('question.argument', { questionId, at }).then(
      (whole) => {
        setState({ kind: 'open', whole })
        if (!whole.isCut) onRead?.()
      },
      (thrown: unknown) => setState({ kind: 'failed', problem: toErrorShape(thrown) }),
    )
  }
  return {
    whole: state.kind === 'open' ? state.whole : undefined,
    problem: state.kind === 'failed' ? state.problem : undefined,
    isLoading: state.kind === 'loading',
    show,
  }
}
