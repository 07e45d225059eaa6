import type { ReactElement } from 'react'
import { useEffect, useState } from 'react'

import type { PathKind } from '../../../../src-shared/domain/path-kind'
import { call } from '../../../ipc/call'
import { WarnText } from '../../../ui/fields/warn-text'
import { isFullPath } from '../values/install-values'
import { foundPathWords, shellPathWords } from '../values/path-words'

const DEBOUNCE_MS = 350

/** What is at a full path, asked of main when typing rests; `unknown` until it is known. */
function usePathKind(path: string): PathKind {
  const [found, setFound] = useState<{ path: string; kind: PathKind }>({
    path: '',
    kind: 'unknown',
  })
  useEffect(() => {
    if (!isFullPath(path)) return
    let isCurrent = true
    const timer = setTimeout(() => {
      call('app.checkPath', { path }).then(
        (kind) => {
          if (isCurrent) setFound({ path, kind })
        },
        // It is a hint only, and what goes wrong with the connection is told elsewhere.
        () => undefined,
      )
    }, DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [path])
  return found.path === path ? found.kind : 'unknown'
}

/** A warning under a path: it is not there, it is of another kind, or a shell would have to read it. */
export function PathNote(props: {
  readonly path: string
  readonly expected: 'file' | 'folder' | undefined
}): ReactElement | null {
  const path = props.path.trim()
  const kind = usePathKind(path)
  const words = shellPathWords(path) ?? foundPathWords(kind, props.expected)
  return <WarnText>{words}</WarnText>
}
