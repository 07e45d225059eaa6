import type { JSX } from 'react'

import { THEN } from './shortcuts'

/** Keys of a shortcut, one cap each. */
export function KeyCap({ keys }: { readonly keys: readonly string[] }): JSX.Element {
  return (
    <span className="inline-row gap-1">
      {keys.map((key) =>
        key === THEN ? (
          <span key={key} className="small soft">
            {key}
          </span>
        ) : (
          <kbd key={key} className="kbd inline-row soft">
            {key}
          </kbd>
        ),
      )}
    </span>
  )
}
