import { useCallback, useEffect, useRef, useState } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { BundleProgress, OpenedBundle } from '../../../src-shared/domain/installation/bundle'
import type { OfferRef } from '../../../src-shared/domain/server-json/offer'
import { call, toErrorShape } from '../../ipc/call'
import { tellFailure } from '../../ipc/tell-failure'

/** What is opened: a file of this computer, or a bundle of the catalog. */
export type BundleSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'entry'; readonly entryId: string; readonly offer: OfferRef }

/** One opening from the question to the end. */
export type Opening =
  | { readonly kind: 'idle' }
  | { readonly kind: 'opening'; readonly progress: BundleProgress | null; readonly ending: boolean }
  | { readonly kind: 'opened'; readonly bundle: OpenedBundle }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }

const LOOK_MS = 300

function send(openingId: string, source: BundleSource): Promise<OpenedBundle> {
  if (source.kind === 'file') return call('bundle.openFile', { openingId, path: source.path })
  const { entryId, offer } = source
  return call('bundle.open', { openingId, entryId, offer })
}

function tellCancelFailed(thrown: unknown): void {
  tellFailure(thrown)
}

/** Opens one bundle at a time, follows how far it is, and cancels it when its page goes. */
export function useOpening(): {
  readonly opening: Opening
  readonly open: (source: BundleSource) => void
  readonly cancel: () => void
} {
  const [opening, setOpening] = useState<Opening>({ kind: 'idle' })
  const current = useRef<string | null>(null)

  const open = useCallback((source: BundleSource) => {
    const openingId = crypto.randomUUID()
    current.current = openingId
    setOpening({ kind: 'opening', progress: null, ending: false })
    const settle = (outcome: Opening): void => {
      if (current.current !== openingId) return
      current.current = null
      setOpening(outcome)
    }
    send(openingId, source).then(
      (bundle) => settle({ kind: 'opened', bundle }),
      (thrown: unknown) => {
        const problem = toErrorShape(thrown)
        settle(
          problem.code === 'REQUEST_CANCELLED' ? { kind: 'idle' } : { kind: 'failed', problem },
        )
      },
    )
  }, [])

  const cancel = useCallback(() => {
    const openingId = current.current
    if (openingId === null) return
    setOpening((now) => (now.kind === 'opening' ? { ...now, ending: true } : now))
    call('bundle.cancel', { openingId }).catch(tellCancelFailed)
  }, [])

  const isOpening = opening.kind === 'opening'
  useEffect(() => {
    if (!isOpening) return
    const look = async (): Promise<void> => {
      const openingId = current.current
      if (openingId === null) return
      try {
        const progress = await call('bundle.progress', { openingId })
        setOpening((now) => (now.kind === 'opening' && progress ? { ...now, progress } : now))
      } catch {
        // the opening itself will say that main is not there
      }
    }
    const timer = setInterval(() => void look(), LOOK_MS)
    return () => clearInterval(timer)
  }, [isOpening])

  useEffect(
    () => () => {
      const openingId = current.current
      current.current = null
      // Nobody is there to see the answer; main ends it in any case.
      if (openingId !== null) call('bundle.cancel', { openingId }).catch(() => undefined)
    },
    [],
  )
  return { opening, open, cancel }
}
