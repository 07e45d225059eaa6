import type { JSX } from 'react'

import { THEN } from './shortcuts'

/** Keys of a shortcut, one cap each. */
export function KeyCap({ keys }: { readonly keys: readonly string[] }): JSX.Element {
  return (
    <span className="inline-flex items-center gap-1">
      {keys.map((key) =>
        key === THEN ? (
          <span key={key} className="text-small text-muted">
            {key}
          </span>
        ) : (
          <kbd key={key} className="kbd inline-flex items-center text-muted">
            {key}
          </kbd>
        ),
      )}
    </span>
  )
}
