import { useState } from 'react'

import type { HostChangePreview } from '../../../src-shared/domain/agents/host'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { RequestInput } from '../../../src-shared/ipc/contract'
import { useAction } from '../../ipc/use-action'
import { useRequest } from '../../ipc/use-request'

type PreviewChannel = 'hosts.previewConnect' | 'hosts.previewDisconnect'

/** How long what is asked for rests before it is asked, in ms: not every keystroke is a question. */
const REST_MS = 150

/** A change of a file that a user looks at, and agrees to. */
export type HostChanging = {
  /** Of what is asked for now, or, until that is there, of what was before. */
  readonly preview: HostChangePreview | undefined
  /** Why there is none of what is asked for now. */
  readonly problem: AppErrorShape | undefined
  /** Why nothing was written. */
  readonly refusal: AppErrorShape | undefined
  /** Whether exactly what is shown can be written now. */
  readonly canWrite: boolean
  readonly isBusy: boolean
  readonly write: () => void
}

/** Shows what a change makes of a file and makes it: `apply` is given what was seen, and rejects where nothing was written. */
export function useHostChange<C extends PreviewChannel>(
  channel: C,
  input: RequestInput<C> | undefined,
  apply: (seen: string) => Promise<void>,
  /** What else the preview depends on. */
  state?: string,
): HostChanging {
  const [round, setRound] = useState(0)
  const { value, loaded } = useRequest(channel, input, { state: [round, state], restMs: REST_MS })
  // The two channels answer alike.
  const preview = value as HostChangePreview | undefined
  const problem = loaded.kind === 'failed' ? loaded.problem : undefined
  const canWrite =
    loaded.kind === 'ready' && preview !== undefined && preview.obstacle === undefined
  const writing = useAction((seen: string) =>
    apply(seen).catch((thrown: unknown) => {
      // Whatever stood in the way, the file may be another now.
      setRound((before) => before + 1)
      throw thrown
    }),
  )
  return {
    ...{ preview, problem, canWrite, isBusy: writing.isBusy, refusal: refusalOf(writing.problem) },
    write: () => {
      if (canWrite) writing.run(preview.seen)
    },
  }
}

function refusalOf(problem: AppErrorShape | undefined): AppErrorShape | undefined {
  if (problem?.code !== 'HOST_FILE_CHANGED') return problem
  return {
    code: problem.code,
    message: 'The file changed, so nothing was saved. Review the new changes below.',
  }
}
