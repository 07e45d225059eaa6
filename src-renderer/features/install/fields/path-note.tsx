import type { ReactElement } from 'react'

import { useRequest } from '../../../ipc/use-request'
import { WarnText } from '../../../ui/fields/problem-text'
import { isFullPath } from '../values/install-values'
import { foundPathWords, shellPathWords } from '../values/path-messages'

/** How long a path rests before it is asked what is there, in ms. */
const REST_MS = 350

/** A warning under a path: it is not there, it is of another kind, or a shell would have to read it. */
export function PathNote(props: {
  readonly path: string
  readonly expected: 'file' | 'folder' | undefined
}): ReactElement | null {
  const path = props.path.trim()
  const input = isFullPath(path) ? { path } : undefined
  // It is a hint only, and what goes wrong with the connection is told elsewhere.
  const { loaded } = useRequest('app.checkPath', input, { restMs: REST_MS })
  const kind = loaded.kind === 'ready' ? loaded.value : 'unknown'
  const words = shellPathWords(path) ?? foundPathWords(kind, props.expected)
  return <WarnText>{words}</WarnText>
}
