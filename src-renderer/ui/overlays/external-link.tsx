import { ExternalLink as Icon } from 'lucide-react'
import { type ReactElement, type ReactNode, useState } from 'react'

import { linkText } from '../text/safe-link'
import { Dialog } from './dialog'

/** A link out of the app: it opens in the browser once its whole address was shown. */
export function ExternalLink({
  url,
  text = linkText(url),
  writer = 'The server’s publisher',
}: {
  readonly url: URL
  /** What it says; its address where that is missing. */
  readonly text?: ReactNode
  /** Who wrote it, as the beginning of a sentence. */
  readonly writer?: string
}): ReactElement {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <button type="button" className="underlined bare break" onClick={() => setIsAsking(true)}>
        {text}
      </button>
      <Dialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="Open this link in your browser?"
        description={`${writer} provided this link. Patchbay hasn’t checked the site.`}
        leave="Cancel"
        actions={
          <a
            className="btn btn-primary btn-field"
            href={url.href}
            target="_blank"
            rel="noreferrer noopener"
            onClick={() => setIsAsking(false)}
          >
            <Icon className="icon" aria-hidden />
            Open
          </a>
        }
      >
        <p className="stack gap-1 break">
          <b className="medium ink">{url.host}</b>
          <code>{url.href}</code>
        </p>
      </Dialog>
    </>
  )
}
