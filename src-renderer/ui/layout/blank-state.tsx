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
