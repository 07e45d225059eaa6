import type { LucideIcon } from 'lucide-react'
import type { JSX } from 'react'

/** Floats over a list that stopped following: the number of new rows, and a button that follows again. */
export function FollowPill(props: {
  readonly icon: LucideIcon
  readonly label: string
  readonly className?: string
  readonly onFollow: () => void
}): JSX.Element {
  const { icon: Icon, label, className = '', onFollow } = props
  return (
    <button
      type="button"
      className={`pill float inline-flex items-center gap-2 font-medium text-foreground ${className}`}
      data-testid="follow"
      onClick={onFollow}
    >
      <Icon className="icon icon-s text-accent" aria-hidden />
      <span className="tabular-nums">{label}</span>
    </button>
  )
}
