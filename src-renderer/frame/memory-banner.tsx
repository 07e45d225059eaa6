import type { JSX } from 'react'
import { useId, useState } from 'react'

import type { SecretStoreState } from '../../src-shared/domain/state/app-state'
import { PassphraseButton } from '../components/secret/passphrase-button'
import { DisclosureButton } from '../ui/controls/disclosure'
import { Banner } from '../ui/layout/banner'
import { visibleText } from '../ui/text/visible-text'

/** That secrets are in memory only, and why. */
export type InMemory = Extract<SecretStoreState, { readonly kind: 'memory' }>

/** Says once that secrets do not last; the cause, what fixes it and the words of the system are behind Details. */
export function MemoryBanner({
  inMemory,
  onDismiss,
  opened = false,
}: {
  readonly inMemory: InMemory
  readonly onDismiss?: () => void
  /** Whether it begins with its details. */
  readonly opened?: boolean
}): JSX.Element {
  const { reason, mend, said } = inMemory
  const [isOpen, setIsOpen] = useState(opened)
  const id = useId()
  return (
    <Banner
      severity="warn"
      title="Keychain unavailable. Secrets are kept in memory until you quit."
      action={<PassphraseButton secretStore={inMemory} />}
      {...(onDismiss && { onDismiss })}
    >
      <DisclosureButton label="Details" open={isOpen} controls={id} onOpenChange={setIsOpen} />
      <div id={id} className="measure above-1 stack gap-1" hidden={!isOpen}>
        {isOpen && (
          <>
            <p>
              {reason} {mend}
            </p>
            {said !== undefined && (
              <p>
                System error: <code>{visibleText(said)}</code>
              </p>
            )}
          </>
        )}
      </div>
    </Banner>
  )
}
