import type { JSX, ReactNode } from 'react'

const CABLES = {
  waiting: <path stroke="var(--accent)" d="M28 26h6m5 0h3m4 0h3m5 0h6" />,
  open: <path d="M28 26c8 0 9 9 13 11M60 26c-8 0-9-9-13-11" />,
  cut: (
    <>
      <path d="M28 26h9M60 26h-9" />
      <path stroke="var(--error)" d="m40 22 8 8m0-8-8 8" />
    </>
  ),
} as const

/** What an empty, offline or failed place shows: two jacks and a cable, one title, one sentence, one action. */
export function BlankState(props: {
  readonly art: keyof typeof CABLES
  readonly title: string
  readonly message: ReactNode
  readonly action?: ReactNode
}): JSX.Element {
  const { art, title, message, action } = props
  return (
    <div
      className="blank mx-auto grid max-w-80 place-items-center content-start gap-1 px-5 pt-8 pb-5 text-center text-balance"
      data-testid="blank"
    >
      <svg
        className="mb-2"
        width="5.5rem"
        height="3.25rem"
        viewBox="0 0 88 52"
        fill="none"
        stroke="var(--line-control)"
        strokeWidth="1.5"
        strokeLinecap="round"
        aria-hidden
      >
        <circle cx="16" cy="26" r="9" />
        <circle cx="72" cy="26" r="9" />
        <circle cx="16" cy="26" r="2.5" />
        <circle cx="72" cy="26" r="2.5" />
        {CABLES[art]}
      </svg>
      <h2 className="text-lead">{title}</h2>
      <p className="wrap-anywhere text-muted">{message}</p>
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  )
}

const WIDTHS = ['44%', '32%', '52%', '38%', '48%', '36%']

/** Rows in the shape of what comes, while it loads; `label` is announced. */
export function Skeleton(props: { readonly label: string; readonly rows?: number }): JSX.Element {
  const { label, rows = 4 } = props
  return (
    <div role="status" aria-label={label} data-testid="skeleton">
      <ul className="bones grid gap-4 p-5" aria-hidden>
        {Array.from({ length: rows }, (_, row) => (
          <li key={row} className="flex items-center gap-3">
            <span className="tile flex-none" />
            <div className="grid min-w-0 flex-1 gap-2">
              <span className="bone" style={{ width: WIDTHS[row % WIDTHS.length] }} />
              <span className="bone" style={{ width: WIDTHS[(row + 2) % WIDTHS.length] }} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
