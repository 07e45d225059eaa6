import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useMemo } from 'react'

import type { AppErrorShape } from '../../src-shared/domain/app-error'
import { toErrorShape } from './call'

/** What a button does: busy while it is under way, with its problem until the next try. */
export type Action<I> = {
  /** What it was run with, while it is under way. */
  readonly busyWith: I | undefined
  readonly isBusy: boolean
  readonly problem: AppErrorShape | undefined
  /** Does nothing while it is under way. */
  readonly run: (input: I) => void
  readonly clear: () => void
}

/** Runs work that a user asks for, one at a time; `onDone` is called with its answer. */
export function useAction<I = void, T = unknown>(
  work: (input: I) => Promise<T>,
  onDone?: (answer: T, input: I) => void,
): Action<I> {
  const id = useId()
  const queries = useQueryClient()
  const { mutate, isPending, error, variables, reset } = useMutation({
    mutationKey: [id],
    mutationFn: work,
    ...(onDone && { onSuccess: onDone }),
  })
  const problem = useMemo(() => (error === null ? undefined : toErrorShape(error)), [error])
  return {
    busyWith: isPending ? variables : undefined,
    isBusy: isPending,
    problem,
    // The state of the last drawing does not know of a press a moment ago.
    run: (input) => {
      if (queries.isMutating({ mutationKey: [id] }) === 0) mutate(input)
    },
    clear: reset,
  }
}
