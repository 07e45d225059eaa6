import './bundle.css'

import { PackageOpen } from 'lucide-react'
import type { ReactElement } from 'react'
import { useEffect, useRef } from 'react'

import type { OpenedBundle } from '../../../src-shared/domain/bundle'
import { offerId } from '../../../src-shared/domain/offer'
import { Banner } from '../../ui/banner'
import { Button, ButtonLink } from '../../ui/button'
import { keepFocus } from '../../ui/page'
import { progressShare, progressText, sizeText } from './bundle-words'
import type { Opening } from './use-opening'

function setupPath(entryId: string): string {
  return `/setup/${encodeURIComponent(entryId)}/${offerId({ kind: 'package', index: 0 })}`
}

function Opened({ bundle }: { readonly bundle: OpenedBundle }): ReactElement {
  const { entryId, title, version, author, description, sha256, isVerified, notices } = bundle
  const next = useRef<HTMLDivElement>(null)
  useEffect(() => next.current?.querySelector('a')?.focus(), [])
  return (
    <section className="bundle-part" aria-labelledby="opened-bundle">
      <div className="section-head">
        <h2 id="opened-bundle">{title}</h2>
        <span className="count">{version}</span>
      </div>
      {description === '' ? null : <p className="bundle-about">{description}</p>}
      <Banner
        severity={isVerified ? 'ready' : 'info'}
        title={
          isVerified
            ? 'This is the file that the entry describes.'
            : 'Nobody vouches for this file.'
        }
      >
        {isVerified
          ? 'Its SHA-256 is the one that the registry lists.'
          : 'It comes from this computer, so there is no hash to compare with. Set it up only if you trust where you have it from.'}
      </Banner>
      <dl className="facts">
        {author === undefined ? null : (
          <>
            <dt>Author</dt>
            <dd>{author}</dd>
          </>
        )}
        <dt>Size</dt>
        <dd className="num">{sizeText(bundle)}</dd>
        <dt>SHA-256</dt>
        <dd className="bundle-hash">
          <code>{sha256}</code>
        </dd>
      </dl>
      {notices.map((notice) => (
        <Banner key={notice} severity="warn">
          {notice}
        </Banner>
      ))}
      <div className="bundle-actions" ref={next}>
        <ButtonLink size="form" variant="primary" href={setupPath(entryId)}>
          Set up
        </ButtonLink>
        <span className="faint">It runs nothing before you have approved its command.</span>
      </div>
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
    <section className="bundle-part" aria-label="Opening">
      <p id="opening-words" className="num">
        {ending ? 'Cancelling…' : progressText(progress, verb)}
      </p>
      <progress
        className="bundle-progress"
        aria-labelledby="opening-words"
        max={1}
        value={progressShare(progress)}
      />
      <div className="bundle-actions">
        <Button size="form" busy={ending} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </section>
  )
}

/** What comes of an opening: how far it is, the bundle, or why it failed. Nothing before it begins. */
export function OpeningView(props: {
  readonly opening: Opening
  /** What is done with the file: "Downloading". */
  readonly verb: string
  readonly onCancel: () => void
}): ReactElement | null {
  const { opening, verb, onCancel } = props
  // The button that was pressed is gone with each step.
  useEffect(() => keepFocus(), [opening.kind])
  switch (opening.kind) {
    case 'idle':
      return null
    case 'opening':
      return <Progress opening={opening} verb={verb} onCancel={onCancel} />
    case 'opened':
      return <Opened bundle={opening.bundle} />
    case 'failed':
      return (
        <div role="alert" className="bundle-part bundle-problem">
          <Banner severity="error" title={opening.problem.message}>
            {opening.problem.hint}
          </Banner>
        </div>
      )
  }
}

/** The button that begins an opening, and begins it again after a failure. */
export function OpenButton(props: {
  readonly opening: Opening
  readonly label: string
  readonly onOpen: () => void
}): ReactElement | null {
  const { opening, label, onOpen } = props
  if (opening.kind === 'opening' || opening.kind === 'opened') return null
  return (
    <div className="bundle-actions">
      <Button size="form" variant="primary" icon={PackageOpen} onClick={onOpen}>
        {opening.kind === 'failed' ? 'Try again' : label}
      </Button>
    </div>
  )
}
