import { PackageOpen } from 'lucide-react'
import type { ReactElement } from 'react'
import { useEffect, useRef } from 'react'

import type { OpenedBundle } from '../../../src-shared/domain/installation/bundle'
import { offerId } from '../../../src-shared/domain/server-json/offer'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/banner'
import { keepFocus } from '../../ui/layout/page'
import { PartHead } from '../../ui/layout/section'
import { installedWords, progressShare, progressText, sizeText } from './bundle-messages'
import type { Opening } from './use-opening'

function setupPath(entryId: string): string {
  return `/setup/${encodeURIComponent(entryId)}/${offerId({ kind: 'package', index: 0 })}`
}

function reviewPath(installationId: string, entryId: string): string {
  return `/servers/${installationId}/update/${encodeURIComponent(entryId)}`
}

function Facts({ bundle }: { readonly bundle: OpenedBundle }): ReactElement {
  const { author, sha256 } = bundle
  return (
    <dl className="facts stack">
      {author === undefined ? null : (
        <>
          <dt>Author</dt>
          <dd>{author}</dd>
        </>
      )}
      <dt>Size</dt>
      <dd className="num">{sizeText(bundle)}</dd>
      <dt>SHA-256</dt>
      <dd>
        <code>{sha256}</code>
      </dd>
    </dl>
  )
}

/** The servers that could go on with this file, which call themselves the same. */
function InstalledList({ bundle }: { readonly bundle: OpenedBundle }): ReactElement | null {
  const { installed, entryId } = bundle
  if (installed.length === 0) return null
  return (
    <section aria-labelledby="installed-bundles">
      <PartHead id="installed-bundles" level={3} title="Already installed" />
      <ul className="stack gap-2 above-2">
        {installed.map((one) => (
          <li key={one.installationId} className="row wrap gap-3 rows-2 pad-row box">
            <span className="grow">{installedWords(one, bundle.version)}</span>
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

function Next(props: {
  readonly bundle: OpenedBundle
  readonly updateOf: string | undefined
}): ReactElement {
  const { bundle, updateOf } = props
  const { entryId, installed } = bundle
  const isUpdate = installed.some(({ step }) => step === 'newer')
  return (
    <div className="row wrap gap-3">
      {updateOf === undefined ? (
        <ButtonLink
          size="form"
          variant={isUpdate ? 'default' : 'primary'}
          href={setupPath(entryId)}
        >
          {installed.length === 0 ? 'Set up' : 'Set up another copy'}
        </ButtonLink>
      ) : (
        <ButtonLink size="form" variant="primary" href={reviewPath(updateOf, entryId)}>
          Review update
        </ButtonLink>
      )}
      <span className="faint">You approve the command before the first start.</span>
    </div>
  )
}

function Opened(props: {
  readonly bundle: OpenedBundle
  readonly updateOf: string | undefined
}): ReactElement {
  const { bundle } = props
  const { title, version, description, isVerified, notices } = bundle
  const next = useRef<HTMLElement>(null)
  useEffect(() => next.current?.querySelector('a')?.focus(), [])
  return (
    <section className="stack gap-3" aria-labelledby="opened-bundle" ref={next}>
      <PartHead id="opened-bundle" title={title} count={version} />
      {description === '' ? null : (
        <p className="mid scroll keep-lines break pretty">{description}</p>
      )}
      <Banner
        severity={isVerified ? 'ready' : 'info'}
        title={isVerified ? 'Verified bundle.' : 'Unverified bundle.'}
      >
        {isVerified
          ? 'The SHA-256 matches the registry.'
          : 'The file was opened from disk and can’t be verified. Continue only if you trust its source.'}
      </Banner>
      <Facts bundle={bundle} />
      {notices.map((notice) => (
        <Banner key={notice} severity="warn">
          {notice}
        </Banner>
      ))}
      <InstalledList bundle={bundle} />
      <Next {...props} />
    </section>
  )
}

function Progress(props: {
  readonly opening: Extract<Opening, { kind: 'opening' }>
  readonly verb: string
  readonly onCancel: () => void
}): ReactElement {
  const { opening, verb, onCancel } = props
  const { progress, ending } = opening
  return (
    <section className="stack gap-3" aria-label="Opening">
      <p id="opening-words" className="num">
        {ending ? 'Canceling…' : progressText(progress, verb)}
      </p>
      <progress
        className="whole"
        aria-labelledby="opening-words"
        max={1}
        value={progressShare(progress)}
      />
      <div className="row wrap gap-3">
        <Button size="form" busy={ending} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </section>
  )
}

/** What comes of an opening: the button that begins it, how far it is, the bundle, or why it failed. */
export function OpeningView(props: {
  readonly opening: Opening
  /** What is done with the file: "Downloading". */
  readonly verb: string
  /** On the button. */
  readonly label: string
  readonly onOpen: () => void
  readonly onCancel: () => void
  /** The installation that the bundle is to update; missing where it is to be set up. */
  readonly updateOf?: string | undefined
}): ReactElement {
  const { opening, verb, label, onOpen, onCancel, updateOf } = props
  // The button that was pressed is gone with each step.
  useEffect(() => keepFocus(), [opening.kind])
  if (opening.kind === 'opening')
    return <Progress opening={opening} verb={verb} onCancel={onCancel} />
  if (opening.kind === 'opened') return <Opened bundle={opening.bundle} updateOf={updateOf} />
  const isFailed = opening.kind === 'failed'
  return (
    <>
      {isFailed && (
        <div role="alert" className="stack gap-3 break">
          <Banner severity="error" title={opening.problem.message}>
            {opening.problem.hint}
          </Banner>
        </div>
      )}
      <div className="row wrap gap-3">
        <Button size="form" variant="primary" icon={PackageOpen} onClick={onOpen}>
          {isFailed ? 'Try again' : label}
        </Button>
      </div>
    </>
  )
}
