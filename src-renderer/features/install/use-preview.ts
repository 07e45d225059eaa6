import { useCallback, useEffect, useRef, useState } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { FieldValues } from '../../../src-shared/domain/field-values'
import type { LaunchPreview } from '../../../src-shared/domain/launch-plan'
import type { RequestInput } from '../../../src-shared/ipc/contract'
import { call, toErrorShape } from '../../ipc/call'

/** What is previewed: a catalog entry's package, or an installation with its saved secrets. */
export type PreviewSubject = RequestInput<'launch.preview'>['of']

type PreviewState = {
  readonly preview: LaunchPreview | null
  readonly problem: AppErrorShape | null
}

/** The newest answer, and the way to ask at once, which rejects with an `AppError`. */
export type CommandQuestion = PreviewState & {
  readonly refresh: (values: FieldValues, cwd: string) => Promise<LaunchPreview>
}

const DEBOUNCE_MS = 120

/**
 * The command that these values make in this folder. The last good one stays while a newer is on its way; a late
 * answer never replaces a newer one.
 */
export function usePreview(of: PreviewSubject, values: FieldValues, cwd: string): CommandQuestion {
  const [state, setState] = useState<PreviewState>({ preview: null, problem: null })
  const newest = useRef(0)
  const question = JSON.stringify({ of, values, cwd })

  useEffect(() => {
    newest.current += 1
    const mine = newest.current
    const timer = setTimeout(() => {
      // Parsed back so that the effect depends on content alone.
      call('launch.preview', JSON.parse(question) as RequestInput<'launch.preview'>).then(
        (preview) => {
          if (mine === newest.current) setState({ preview, problem: null })
        },
        (thrown: unknown) => {
          if (mine !== newest.current) return
          setState((before) => ({ preview: before.preview, problem: toErrorShape(thrown) }))
        },
      )
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [question])

  const refresh = useCallback(
    async (fresh: FieldValues, freshCwd: string) => {
      newest.current += 1
      const preview = await call('launch.preview', { of, values: fresh, cwd: freshCwd })
      setState({ preview, problem: null })
      return preview
    },
    [of],
  )
  return { ...state, refresh }
}
