import type { ReactElement } from 'react'

import { ButtonLink } from '../../../ui/controls/button'
import { Section } from '../setting/setting-section'

/** The way to take Patchbay off this computer. */
export function RemovalSection(): ReactElement {
  return (
    <Section title="Remove Patchbay">
      <p className="soft">
        Removes everything Patchbay added to this computer: app config entries, secrets, and files.
        You review the list first.
      </p>
      <div>
        <ButtonLink href="/settings/remove-everything" variant="danger">
          Remove everything…
        </ButtonLink>
      </div>
    </Section>
  )
}
