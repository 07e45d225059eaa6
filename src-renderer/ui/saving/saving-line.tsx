import { type JSX, useEffect, useRef, useState } from 'react'

import { Button } from '../controls/button'
import { formatCount } from '../text/format'

/** How far an export is, and the way to call it off; `things` are what is counted. */
export function SavingLine({
  saving: { done, of },
  things,
  onCancel,
}: {
  readonly saving: Saving
  readonly things: string
  readonly onCancel: () => void
}): JSX.Element {
  return (
    <span className="row gap-3 soft small nowrap">
      <progress aria-label="Exporting" value={done} max={Math.max(1, of)} />
      <span className="num">{`${formatCount(done)} of ${formatCount(of)} ${things}`}</span>
      <Button size="small" onClick={onCancel}>
        Cancel export
      </Button>
    </span>
  )
}

/** How far an export is: so many of all that it takes. */
export type Saving = { readonly done: number; readonly of: number }

type Run = {
  readonly signal: AbortSignal
  readonly onProgress: (done: number, of: number) => void
}

/** One export at a time, which can be called off and is so when the page is left. */
export function useSaving(): {
  /** Null while there is none. */
  readonly saving: Saving | null
  readonly save: (work: (run: Run) => Promise<void>) => void
  readonly cancel: () => void
} {
  const [saving, setSaving] = useState<Saving | null>(null)
  const control = useRef<AbortController | null>(null)
  useEffect(() => () => control.current?.abort(), [])
  const save = (work: (run: Run) => Promise<void>): void => {
    control.current?.abort()
    const own = new AbortController()
    control.current = own
    setSaving({ done: 0, of: 0 })
    const onProgress = (done: number, of: number): void => {
      if (!own.signal.aborted) setSaving({ done, of })
    }
    void work({ signal: own.signal, onProgress }).finally(() => {
      if (control.current === own) setSaving(null)
    })
  }
  return { saving, save, cancel: () => control.current?.abort() }
}
