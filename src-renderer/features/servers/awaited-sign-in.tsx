import type { JSX } from 'react'

import type { RunStatus } from '../../../src-shared/domain/running/run-status'
import { Button } from '../../ui/controls/button'
import { ExternalLink } from '../../ui/overlays/external-link'
import { copyText } from '../../ui/saving/copy-text'
import { linkText, safeLink } from '../../ui/text/safe-link'

type Props = { readonly status: Extract<RunStatus, { kind: 'awaitingSignIn' }> }

/** Where a user signs in so that a start goes on, and the code to enter there. */
export function AwaitedSignIn({ status: { url, code } }: Props): JSX.Element {
  const link = safeLink(url)
  return (
    <dl className="stack gap-1 soft">
      {url !== undefined && (
        <div className="row wrap gap-2">
          <dt>Link</dt>
          <dd className="row wrap gap-2 break">
            {link ? (
              <ExternalLink url={link} text={linkText(link)} writer="The server" />
            ) : (
              <code>{url}</code>
            )}
            <Button size="small" onClick={() => copyText(url, 'Link copied.')}>
              Copy link
            </Button>
          </dd>
        </div>
      )}
      {code !== undefined && (
        <div className="row wrap gap-2">
          <dt>Code</dt>
          <dd className="row wrap gap-2 break">
            <code className="medium ink">{code}</code>
            <Button size="small" onClick={() => copyText(code, 'Code copied.')}>
              Copy code
            </Button>
          </dd>
        </div>
      )}
    </dl>
  )
}
