import type { JSX } from 'react'

import type { PostInstallStep } from '../../../src-shared/domain/server-json/server-json'
import { Button } from '../../ui/controls/button'
import { SectionHeader } from '../../ui/layout/section'
import { Tag } from '../../ui/marks/tag'
import { ExternalLink } from '../../ui/overlays/external-link'
import { copyText } from '../../ui/saving/copy-text'
import { PlainText } from '../../ui/text/plain-text'
import { safeLink } from '../../ui/text/safe-link'
import { visibleText } from '../../ui/text/untrusted-text'

function Step({ step }: { readonly step: PostInstallStep }): JSX.Element {
  const { description, command, documentation, optional } = step
  const url = safeLink(documentation)
  return (
    <li>
      {description !== '' && <PlainText text={description} />}
      {command !== undefined && (
        <div className="mt-1 flex items-start gap-2">
          <code className="min-w-0 flex-1 whitespace-pre-wrap">{visibleText(command)}</code>
          <Button
            size="small"
            onClick={() => copyText(command, 'Copied. Read the command before you run it.')}
          >
            Copy
          </Button>
        </div>
      )}
      {(optional === true || url !== undefined) && (
        <p className="mt-1 flex items-center gap-2">
          {optional === true && <Tag>Optional</Tag>}
          {url !== undefined && <ExternalLink url={url} />}
        </p>
      )}
    </li>
  )
}

/** The publisher's manual steps after installing, as text: nothing here runs anything. */
export function PublisherSteps(props: { readonly steps: readonly PostInstallStep[] }): JSX.Element {
  const { steps } = props
  return (
    <section aria-labelledby="publisher-steps">
      <SectionHeader id="publisher-steps" level={3} title="After installing" />
      <p className="text-muted">Written by the publisher. Patchbay never runs these steps.</p>
      <ol className="marked mt-2 grid gap-3">
        {steps.map((step, index) => (
          <Step key={index} step={step} />
        ))}
      </ol>
    </section>
  )
}
