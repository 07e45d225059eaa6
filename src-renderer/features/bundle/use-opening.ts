import { useEffect, useRef, useState } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { BundleProgress, OpenedBundle } from '../../../src-shared/domain/installation/bundle'
import type { OfferRef } from '../../../src-shared/domain/server-json/offer'
import { call } from '../../ipc/call'
import { tellFailure } from '../../ipc/tell-failure'
import { useAction } from '../../ipc/use-action'
import { useRequest } from '../../ipc/use-request'

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

/** How often it is asked how far an opening is, in ms. */
const LOOK_MS = 300

function send(openingId: string, source: BundleSource): Promise<OpenedBundle> {
  if (source.kind === 'file') return call('bundle.openFile', { openingId, path: source.path })
  const { entryId, offer } = source
  return call('bundle.open', { openingId, entryId, offer })
}

/** Opens one bundle at a time, follows how far it is, and cancels it when its page goes. */
export function useOpening(): {
  readonly opening: Opening
  readonly open: (source: BundleSource) => void
  readonly cancel: () => void
} {
  const [bundle, setBundle] = useState<OpenedBundle>()
  const [endingId, setEndingId] = useState<string>()
  const { busyWith, problem, run } = useAction(
    ({ openingId, source }: { openingId: string; source: BundleSource }) => send(openingId, source),
    setBundle,
  )
  const openingId = busyWith?.openingId
  const asked = openingId === undefined ? undefined : { openingId }
  const { value = null, isOfBefore } = useRequest('bundle.progress', asked, { everyMs: LOOK_MS })
  const current = useRef(openingId)
  useEffect(() => {
    current.current = openingId
  }, [openingId])
  useEffect(
    () => () => {
      const leftId = current.current
      // Nobody is there to see the answer; main ends it in any case.
      if (leftId !== undefined) call('bundle.cancel', { openingId: leftId }).catch(() => undefined)
    },
    [],
  )
  const cancel = (): void => {
    setEndingId(openingId)
    if (asked) call('bundle.cancel', asked).catch(tellFailure)
  }
  const open = (source: BundleSource): void => {
    setBundle(undefined)
    run({ openingId: crypto.randomUUID(), source })
  }
  const opening = ((): Opening => {
    if (openingId !== undefined)
      return {
        kind: 'opening',
        progress: isOfBefore ? null : value,
        ending: endingId === openingId,
      }
    if (problem && problem.code !== 'REQUEST_CANCELLED') return { kind: 'failed', problem }
    return bundle ? { kind: 'opened', bundle } : { kind: 'idle' }
  })()
  return { opening, open, cancel }
}
