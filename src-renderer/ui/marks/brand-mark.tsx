import type { JSX } from 'react'

/** Patchbay's mark: two jacks and the cable between them. */
export function BrandMark(): JSX.Element {
  return (
    <svg
      className="fixed"
      width="1.25rem"
      height="1.25rem"
      viewBox="0 0 20 20"
      fill="none"
      strokeLinecap="round"
      aria-hidden
    >
      <path d="M5.2 5.2c0 9.4 9.6.2 9.6 9.6" stroke="var(--accent-text)" strokeWidth="2.1" />
      <g stroke="currentColor" strokeWidth="1.8" fill="var(--bg-window)">
        <circle cx="5.2" cy="5.2" r="3.3" />
        <circle cx="14.8" cy="14.8" r="3.3" />
      </g>
    </svg>
  )
}
