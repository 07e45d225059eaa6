import { type JSX, useEffect, useRef, useState } from 'react'

import { Button } from '../controls/button'
import { formatCount } from '../text/format'
import { saveBlob } from './save-text'

/** Progress of an export with a cancel button; `things` are the counted items. */
export function SavingNotice(props: {
  readonly saving: Saving
  readonly things: string
  readonly onCancel: () => void
}): JSX.Element {
  const { saving, things, onCancel } = props
  const { done, of } = saving
  return (
    <span className="flex items-center gap-3 text-small whitespace-nowrap text-muted">
      <progress aria-label="Exporting" value={done} max={Math.max(1, of)} />
      <span className="tabular-nums">{`${formatCount(done)} of ${formatCount(of)} ${things}`}</span>
      <Button size="small" onClick={onCancel}>
        Cancel export
      </Button>
    </span>
  )
}

/** Progress of an export. */
export type Saving = { readonly done: number; readonly of: number }

type Run = {
  readonly signal: AbortSignal
  readonly onProgress: (done: number, of: number) => void
}

/** One export at a time, which can be cancelled and ends when the page is left. */
export function useSaving(): {
  /** Null while there is none. */
  readonly saving: Saving | null
  /** Saves the parts of a file that `read` returns; stops when it is cancelled. */
  readonly save: (
    name: string,
    read: (run: Run) => Promise<string[]>,
    onFailed: (thrown: unknown) => void,
  ) => void
  readonly cancel: () => void
} {
  const [saving, setSaving] = useState<Saving | null>(null)
  const control = useRef<AbortController | null>(null)
  useEffect(() => () => control.current?.abort(), [])
  const save: ReturnType<typeof useSaving>['save'] = (name, read, onFailed) => {
    control.current?.abort()
    const own = new AbortController()
    control.current = own
    setSaving({ done: 0, of: 0 })
    const onProgress = (done: number, of: number): void => {
      if (!own.signal.aborted) setSaving({ done, of })
    }
    const save = (parts: string[]): void => {
      if (!own.signal.aborted) saveBlob(name, new Blob(parts, { type: 'text/plain' }))
    }
    void read({ signal: own.signal, onProgress })
      .then(save, onFailed)
      .finally(() => {
        if (control.current === own) setSaving(null)
      })
  }
  return { saving, save, cancel: () => control.current?.abort() }
}
