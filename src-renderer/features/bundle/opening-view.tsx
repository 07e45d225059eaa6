import { PackageOpen } from 'lucide-react'
import { type ReactElement, useEffect, useRef, useState } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type {
  BundleProgress,
  InstalledBundle,
  OpenedBundle,
} from '../../../src-shared/domain/installation/bundle'
import { offerId, type OfferRef } from '../../../src-shared/domain/server-json/offer'
import { call } from '../../ipc/call'
import { showFailure } from '../../ipc/show-failure'
import { useAction, useRequest } from '../../ipc/use-request'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Banner, keepFocus, ProblemBanner } from '../../ui/layout/page'
import { Facts, SectionHeader } from '../../ui/layout/section'
import { counted, formatBytes, formatCount } from '../../ui/text/format'

function reviewPath(installationId: string, entryId: string): string {
  return `/servers/${installationId}/update/${encodeURIComponent(entryId)}`
}

function InstalledList({ bundle }: { readonly bundle: OpenedBundle }): ReactElement | null {
  const { installed, entryId } = bundle
  if (installed.length === 0) return null
  return (
    <section aria-labelledby="installed-bundles">
      <SectionHeader id="installed-bundles" level={3} title="Already installed" />
      <ul className="mt-2 grid gap-2">
        {installed.map((one) => (
          <li
            key={one.installationId}
            className="flex flex-wrap items-center gap-3 gap-y-2 rounded-lg border border-line px-3 py-2"
          >
            <span className="min-w-0 flex-1">{installedText(one, bundle.version)}</span>
            {one.step === 'same' ? null : (
              <ButtonLink
                variant={one.step === 'newer' ? 'primary' : 'default'}
                href={reviewPath(one.installationId, entryId)}
                aria-label={`Review update of ${one.name}`}
              >
                Review update
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Opened(props: {
  readonly bundle: OpenedBundle
  readonly updateOf: string | undefined
}): ReactElement {
  const { bundle, updateOf } = props
  const { title, version, description, isVerified, notices, author, sha256 } = bundle
  const { entryId, installed } = bundle
  const isUpdate = installed.some(({ step }) => step === 'newer')
  const next = useRef<HTMLElement>(null)
  useEffect(() => next.current?.querySelector('a')?.focus(), [])
  return (
    <section className="grid gap-3" aria-labelledby="opened-bundle" ref={next}>
      <SectionHeader id="opened-bundle" title={title} count={version} />
      {description === '' ? null : (
        <p className="scroll max-h-52 text-pretty wrap-anywhere whitespace-pre-wrap">
          {description}
        </p>
      )}
      <Banner
        severity={isVerified ? 'ready' : 'info'}
        title={isVerified ? 'Verified bundle.' : 'Unverified bundle.'}
      >
        {isVerified
          ? 'The SHA-256 matches the registry.'
          : 'The file was opened from disk and can’t be verified. Continue only if you trust its source.'}
      </Banner>
      <Facts facts={{ Author: author, Size: sizeText(bundle), 'SHA-256': <code>{sha256}</code> }} />
      {notices.map((notice) => (
        <Banner key={notice} severity="warn">
          {notice}
        </Banner>
      ))}
      <InstalledList bundle={bundle} />
      <div className="flex flex-wrap items-center gap-3">
        {updateOf === undefined ? (
          <ButtonLink
            size="form"
            variant={isUpdate ? 'default' : 'primary'}
            href={`/setup/${encodeURIComponent(entryId)}/${offerId({ kind: 'package', index: 0 })}`}
          >
            {installed.length === 0 ? 'Set up' : 'Set up another copy'}
          </ButtonLink>
        ) : (
          <ButtonLink size="form" variant="primary" href={reviewPath(updateOf, entryId)}>
            Review update
          </ButtonLink>
        )}
        <span className="text-faint">You approve the command before the first start.</span>
      </div>
    </section>
  )
}

/** The state of opening a bundle: start button, progress, bundle or error. */
export function OpeningView(props: {
  readonly opening: Opening
  /** What happens to the file: "Downloading". */
  readonly verb: string
  readonly label: string
  readonly onOpen: () => void
  readonly onCancel: () => void
  /** The installation to update; missing for a new setup. */
  readonly updateOf?: string | undefined
}): ReactElement {
  const { opening, verb, label, onOpen, onCancel, updateOf } = props
  // The pressed button disappears with each step.
  useEffect(() => keepFocus(), [opening.kind])
  if (opening.kind === 'opening') {
    const { progress, ending } = opening
    return (
      <section className="grid gap-3" aria-label="Opening">
        <p id="opening-words" className="tabular-nums">
          {ending ? 'Canceling…' : progressText(progress, verb)}
        </p>
        <progress
          className="w-full"
          aria-labelledby="opening-words"
          max={1}
          value={progressShare(progress)}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button size="form" busy={ending} onClick={onCancel}>
            Cancel
          </Button>
        </div>
      </section>
    )
  }
  if (opening.kind === 'opened') return <Opened bundle={opening.bundle} updateOf={updateOf} />
  const isFailed = opening.kind === 'failed'
  return (
    <>
      {isFailed && <ProblemBanner role="alert" problem={opening.problem} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button size="form" variant="primary" icon={PackageOpen} onClick={onOpen}>
          {isFailed ? 'Try again' : label}
        </Button>
      </div>
    </>
  )
}

type BundleSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'entry'; readonly entryId: string; readonly offer: OfferRef }

type Opening =
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

/** Opens one bundle at a time, polls its progress, and cancels it on unmount. */
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
  const input = openingId === undefined ? undefined : { openingId }
  const { value = null, isStale } = useRequest('bundle.progress', input, { pollMs: LOOK_MS })
  const current = useRef(openingId)
  useEffect(() => {
    current.current = openingId
  }, [openingId])
  useEffect(
    () => () => {
      const leftId = current.current
      // The response is no longer needed; main cancels in any case.
      if (leftId !== undefined) call('bundle.cancel', { openingId: leftId }).catch(() => undefined)
    },
    [],
  )
  const cancel = (): void => {
    setEndingId(openingId)
    if (input) call('bundle.cancel', input).catch(showFailure)
  }
  const open = (source: BundleSource): void => {
    setBundle(undefined)
    run({ openingId: crypto.randomUUID(), source })
  }
  const opening = ((): Opening => {
    if (openingId !== undefined)
      return {
        kind: 'opening',
        progress: isStale ? null : value,
        ending: endingId === openingId,
      }
    if (problem && problem.code !== 'REQUEST_CANCELLED') return { kind: 'failed', problem }
    return bundle ? { kind: 'opened', bundle } : { kind: 'idle' }
  })()
  return { opening, open, cancel }
}

/** Returns the progress in one line; `verb` says what happens to the bytes. */
export function progressText(progress: BundleProgress | null, verb: string): string {
  switch (progress?.kind) {
    case undefined:
      return `${verb}…`
    case 'waiting':
      return 'Waiting for another bundle'
    case 'reading': {
      const received = formatBytes(progress.received)
      const of = progress.total === undefined ? '' : ` of ${formatBytes(progress.total)}`
      return `${verb}: ${received}${of}`
    }
    case 'unpacking':
      return `Unpacking: ${formatCount(progress.files)} of ${counted(progress.total, 'file')}`
  }
}

/** Returns the completed share from 0 to 1; undefined if unknown. */
export function progressShare(progress: BundleProgress | null): number | undefined {
  if (progress?.kind === 'reading' && progress.total)
    return Math.min(1, progress.received / progress.total)
  if (progress?.kind === 'unpacking' && progress.total > 0)
    return Math.min(1, progress.files / progress.total)
  return undefined
}

/** Returns the packed and unpacked size of a bundle. */
export function sizeText({ fileBytes, files, bytes }: OpenedBundle): string {
  const count = counted(files, 'file')
  return `${formatBytes(fileBytes)}, unpacked ${formatBytes(bytes)} in ${count}`
}

/** Compares an installed server with an opened file of the same name. */
export function installedText(
  { name, version, step }: InstalledBundle,
  openedVersion: string,
): string {
  if (step === 'same') return `${name} uses exactly this file.`
  const suffix = step === 'newer' ? '' : '. This file isn’t newer'
  return version === openedVersion
    ? `${name} uses another file of the same version.`
    : `${name} uses version ${version}${suffix}.`
}

/** Returns the host and file name of a bundle's address, for the user to judge; an invalid address becomes the file name. */
export function sourceOf(address: string): { readonly host: string; readonly file: string } {
  if (!URL.canParse(address)) return { host: 'no address', file: address }
  const { host, pathname } = new URL(address)
  return { host, file: pathname.split('/').at(-1) ?? '' }
}
