import { ExternalLink as Icon } from 'lucide-react'
import { type ComponentProps, type ReactElement, type ReactNode, useState } from 'react'

import { linkText } from '../text/safe-link'
import { Dialog } from './dialog'

/** Shows the complete address of a link before it opens in the browser. */
export function OpenLinkDialog(
  props: Pick<ComponentProps<typeof Dialog>, 'onClose' | 'comesUnasked'> & {
    readonly url: URL
    /** Author of the link, as the start of a sentence. */
    readonly writer: string
    /** Clicks are ignored for now. */
    readonly isGuarded?: boolean
    readonly onOpen: () => void
  },
): ReactElement {
  const { url, writer, isGuarded = false, onOpen, ...shown } = props
  return (
    <Dialog
      {...shown}
      title="Open this link in your browser?"
      description={`${writer} provided this link. Patchbay hasn’t checked the site.`}
      leave="Cancel"
      actions={
        <a
          className="btn btn-primary btn-field"
          href={isGuarded ? undefined : url.href}
          aria-disabled={isGuarded || undefined}
          role="link"
          target="_blank"
          rel="noreferrer noopener"
          onClick={() => !isGuarded && onOpen()}
        >
          <Icon className="icon" aria-hidden />
          Open
        </a>
      }
    >
      <p className="mt-2 grid gap-1 wrap-anywhere">
        <b className="font-medium text-foreground">{url.host}</b>
        <code>{url.href}</code>
      </p>
    </Dialog>
  )
}

/** An external link: it opens in the browser after its complete address was shown. */
export function ExternalLink(props: {
  readonly url: URL
  /** Label; the address if missing. */
  readonly text?: ReactNode
  readonly writer?: string
}): ReactElement {
  const { url, text = linkText(url), writer = 'The server’s publisher' } = props
  const [isOpen, setIsOpen] = useState(false)
  const close = (): void => setIsOpen(false)
  return (
    <>
      <button
        type="button"
        className="underlined bare wrap-anywhere"
        onClick={() => setIsOpen(true)}
      >
        {text}
      </button>
      {isOpen && <OpenLinkDialog {...{ url, writer }} onClose={close} onOpen={close} />}
    </>
  )
}
