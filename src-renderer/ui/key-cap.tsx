import type { JSX } from 'react'

/** Keys of a shortcut, one cap each. */
export function KeyCap({ keys }: { readonly keys: readonly string[] }): JSX.Element {
  return (
    <span className="keys">
      {keys.map((key) => (
        <kbd key={key} className="kbd">
          {key}
        </kbd>
      ))}
    </span>
  )
}
