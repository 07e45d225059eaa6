import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { JSX, ReactNode } from 'react'

const TONES = {
  plain: undefined,
  accent: 'tint accented',
  ready: 'tint is-ready',
  warn: 'tint is-degraded',
} as const

/** A small fact: a registry, that it is installed, a warning. */
export function Tag(props: {
  readonly children: ReactNode
  readonly icon?: LucideIcon
  readonly tone?: keyof typeof TONES
}): JSX.Element {
  const { children, icon: Icon, tone = 'plain' } = props
  return (
    <span
      className={clsx(
        'tag inline-flex flex-none items-center gap-1 text-micro font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {Icon && <Icon className="icon" aria-hidden />}
      <span className="truncate">{children}</span>
    </span>
  )
}
